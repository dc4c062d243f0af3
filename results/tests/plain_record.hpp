// Records as tests of run files write them: what a case is, and how it ended.
#pragma once

#include <string>

#include "results/record/record.hpp"

namespace uotbench {

/// Without times. `reason` empty: it has none.
inline Record plain_record(const std::string& id, Status status = Status::ok,
                           const std::string& reason = "") {
  Record record;
  record.id = id;
  record.variant = "uot/x";
  record.worker = "w";
  record.status = status;
  if (!reason.empty()) record.reason = reason;
  return record;
}

}  // namespace uotbench
