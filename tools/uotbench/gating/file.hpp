// What a gate observes, in an ordinary run file: a record a case and arm.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/sweep/gate/ab_session.hpp"
#include "harness/sweep/gate/arms.hpp"
#include "harness/sweep/gate/plan.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/record/run_file/run_builder.hpp"

namespace uotbench {

class GateFile {
 public:
  /// Begins the file. `header`: of the baseline and of the candidate, as uotbench run writes them; what both
  /// say of their workers stands under WORKER.baseline and WORKER.candidate. Throws UsageError.
  GateFile(const std::filesystem::path& path, RunFile::Mode mode, const RunHeader& baseline,
           const RunHeader& candidate, const GateOfRun& gate, const GatePlan& plan);

  /// Judged and counted.
  void add(const Arm& arm, const std::vector<Record>& records);
  /// Of these cases, what the session has timed so far.
  void add(const AbSession& session, const std::vector<AbCase>& cases, const std::vector<Arm>& arms,
           const std::vector<std::size_t>& which);
  /// Of cases that were not measured with the control, the third of the arms: records that say why.
  void without_control(const std::vector<std::string>& ids, const std::vector<Arm>& arms,
                       const std::string& why);
  void end(double elapsed, bool interrupted);

  /// A case's record in an arm, by the case's id; null: none.
  const Record* record(const std::string& id, const Arm& arm) const;
  const std::filesystem::path& path() const { return file_.path(); }
  const RunHeader& header() const { return header_; }

 private:
  /// A case's record in the first arm that has one: what all arms have in common is in it. Empty: none has.
  Record judged(const std::string& id, const std::vector<Arm>& arms) const;

  RunHeader header_;
  RunWriter file_;
  std::map<std::string, Record> records_;  ///< by in_arm(case, arm)
};

}  // namespace uotbench
