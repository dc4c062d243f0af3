// From a case's id, as a person writes it, to what can be run.
#pragma once

#include <string>
#include <vector>

#include "harness/worker/alone/oracle.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/json.hpp"

namespace uotbench {

struct AloneCase {
  std::string id;         ///< as a run would spell it, with this worker's name
  std::string elsewhere;  ///< the worker that the given id names, where that is another; else empty
  const Variant* variant;
  std::string family;
  Json problem;                   ///< the family's axes
  Point point;                    ///< all axes
  std::vector<int> judged_after;  ///< iterations, each
  double bytes;                   ///< of input and output arrays
};

/// `given` may lack "@worker". Defaults and derived values are filled in. Throws UsageError where the id
/// names no case of this worker, a value is missing or wrong, and where family or variant refuse the point.
AloneCase alone_case(const std::string& given, const std::string& worker, Oracle& oracle);

}  // namespace uotbench
