// Executed instructions, by the basic blocks of the object that is timed: the CPU stops after each
// instruction (the trap flag, Intel SDM vol. 3, section 17.3.2), and the signal handler counts where. Loops
// of which it is known how often they are passed are executed at full speed (SteppedLoops).
#pragma once

#include <memory>

#include "harness/worker/counters/counters.hpp"

namespace uotbench {

/// The source `step`, of x86-64; of one call of one thread; any instruction set; 1 to 10 microseconds a stop,
/// the most on virtual machines. Its events:
/// - "instructions", whose lines are blocks, those with the most instructions first: "OBJECT+0xADDRESS, N
///   instructions: MACHINE CODE". The code is hexadecimal and goes on for up to 14 bytes beyond the last
///   instruction, whose length is not known.
/// - "sequence", whose lines are parts of the call, spread evenly over it (SampledSteps): those blocks in the
///   order in which they were executed (block_sequence_text). Its value is the number of instructions in all
///   parts.
/// - "branches": conditional and indirect ones, returns included.
/// - "mispredicted": how many of these simulated predictors get wrong in a call that was often repeated.
/// - "first_mispredicted": the same in the first call (simulate_branches).
std::unique_ptr<CounterSource> step_source();

}  // namespace uotbench
