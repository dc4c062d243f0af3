// Why a launch ended early, as it is noted in a thread, where there is neither stack nor calm for text; and
// the text that is made of it outside.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <vector>

namespace uotbench::simt {

class Scheduler;
class KernelError;

struct Failure {
  enum class Kind {
    none,
    traced,              ///< the observer's fault() has the details
    not_in_mask,         ///< thread meets with a mask that lacks its lane
    bad_width,           ///< number: the width of a shuffle
    inactive_source,     ///< number: the lane that a shuffle reads from
    partial_warp,        ///< number: the lanes that come to a tensor core
    other_barrier,       ///< thread and other wait at two barriers
    missing_at_barrier,  ///< thread waits at a barrier, others of its block have ended
    other_mask,          ///< thread and other wait for each other, with two masks
    other_collective,    ///< thread and other wait for each other, at two collectives
    deadlock,            ///< thread waits for other, which waits elsewhere
    grid_sync,
    nested,  ///< a launch
    trap,
    spinning,  ///< number: atomics
    endless,   ///< number: milliseconds
    stack_overflow,
    bad_address,  ///< address
    division,
    bad_copy  ///< number: bytes of an asynchronous copy
  };
  Kind kind = Kind::none;
  int thread = -1, other = -1;
  std::int64_t number = 0;
  std::uint64_t address = 0;
  std::source_location where{};
  std::uint64_t place = 0;  ///< code address, where there is no `where`
};

/// `kernel`: its short name.
KernelError error_of(const Failure& failure, const Scheduler& scheduler, const std::string& kernel);

}  // namespace uotbench::simt
