// The model of a variant's work, per iteration: what it computes and the streaming traffic it causes
// for a working set of at least 4x the last-level cache (Williams, Waterman, Patterson 2009, section 3).
#pragma once

#include <optional>

#include "results/json.hpp"

namespace uotbench {

/// Flops and bytes per iteration. Write-allocate (reading a line only to overwrite it) is kept apart:
/// whether it happens depends on the machine and the store instruction, not on the algorithm.
struct Work {
  double flops = 0;
  double bytes_read = 0;
  double bytes_written = 0;
  double write_allocate = 0;
  /// Bytes that the iterations touch again and again: what decides which cache they live in. Workers tell it;
  /// absent: not told.
  std::optional<double> working_set = {};

  /// Bytes moved per iteration, write-allocate left out.
  double bytes() const { return bytes_read + bytes_written; }
};

inline Json to_json(const Work& work) {
  Json json{{"flops", work.flops},
            {"bytes_read", work.bytes_read},
            {"bytes_written", work.bytes_written},
            {"write_allocate", work.write_allocate}};
  if (work.working_set) json["working_set"] = *work.working_set;
  return json;
}

inline Work work_from(const Json& json) {
  Work work{.flops = json.value("flops", 0.0),
            .bytes_read = json.value("bytes_read", 0.0),
            .bytes_written = json.value("bytes_written", 0.0),
            .write_allocate = json.value("write_allocate", 0.0)};
  if (json.contains("working_set")) work.working_set = json.at("working_set").get<double>();
  return work;
}

}  // namespace uotbench
