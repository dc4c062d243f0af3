// Work of known numbers, and code that was counted.
#pragma once

#include "results/record/record.hpp"
#include "roofline/explain/blocks.hpp"

namespace uotbench {

/// Two threads under made_ceilings() read this from DRAM in 1 s.
inline const Work made_reading{.bytes_read = 80e9, .working_set = 400e6};

/// A block of two instructions, passed 995 times.
inline void add_code(Record& record) {
  Counter& counter = record.counters[counter_names::by_block];
  counter.value = 2000;
  counter.lines = {{"worker+0x10, 2 instructions: ffc975fc", 1990}};
}

}  // namespace uotbench
