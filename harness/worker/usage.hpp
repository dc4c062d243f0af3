// What the operating system saw of this process, always on and cheap: getrusage and /proc.
#pragma once

#include "results/json.hpp"

namespace uotbench {

/// Counts from its construction on.
class Usage {
 public:
  Usage();
  /// {"peak_rss" bytes of the process so far, "page_faults" and "steal" (seconds of CPU taken by the
  /// hypervisor, all CPUs) since construction, "page_size" bytes, "huge_bytes" in transparent huge pages,
  /// "denormals"}; what the system does not tell is null.
  Json since() const;

 private:
  long faults_;
  double steal_;
};

}  // namespace uotbench
