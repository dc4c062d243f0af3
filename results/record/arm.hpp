// A gate's run has a record per case and arm: uot/x/M:64@native-v4.candidate, of the worker
// native-v4.candidate. The names are joined and split only here.
#pragma once

#include <string>

#include "results/record/record.hpp"

namespace uotbench {

namespace gate_arm {
inline constexpr const char *baseline = "baseline", *candidate = "candidate", *control = "control";
inline constexpr const char* all[]{baseline, candidate, control};
}  // namespace gate_arm

/// The name of a case or of a worker in an arm.
std::string in_arm(const std::string& name, const std::string& arm);
/// The arm in a case's id; empty: none.
std::string arm_of(const std::string& id);
/// The id of the case.
std::string without_arm(const std::string& id);
/// The same for a worker's name.
std::string worker_arm(const std::string& worker);
std::string worker_without_arm(const std::string& worker);

/// The record under the names of the arm, and back.
Record in_arm(Record record, const std::string& arm);
Record without_arm(Record record);

}  // namespace uotbench
