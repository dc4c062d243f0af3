// Why a worker gave no answer that can be used.
#pragma once

#include <optional>
#include <string>

#include "results/base/error.hpp"
#include "results/base/violation.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// A worker that did not answer as it should: what that makes of the case, and why.
class WorkerFailure : public Error {
 public:
  WorkerFailure(Status status, const std::string& reason) : Error(reason), status(status), reason(reason) {}
  WorkerFailure(Status status, const Violation& violation)
      : Error(violation.text), status(status), reason(violation.text), violation(violation) {}

  /// Of its reason: the text of an exception may have several lines.
  std::string first_line() const { return reason.substr(0, reason.find('\n')); }

  Status status;                            ///< skipped, crashed, timeout or failed
  std::string reason;                       ///< as the worker or its parent gave it
  std::optional<Violation> violation = {};  ///< the reason in its parts, where it says what was expected
  int signal = 0;                           ///< that ended the process; 0: none did
};

/// The same, with `place` before its reason.
WorkerFailure at_place(const std::string& place, const WorkerFailure& failure);

}  // namespace uotbench
