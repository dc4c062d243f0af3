// What a kernel includes first: registration, the members of a kernel, its threads and its memory. A family
// has a header of its own with its Problem and Result, which includes this one: <uotbench/uot.hpp>.
//
//   template <class Real>
//   struct Mine {
//     explicit Mine(const Problem<Real>&);
//     void iterate();
//     void finish(Result<Real>&);
//   };
//   const Variant<Mine<float>, Mine<double>> variant{{.name = "uot/mine", .summary = "...", .work = work}};
//
// Members. What is optional is an entry of `static constexpr KernelTraits declares{.begins = true};`.
//
//   member        timed  called                                                 entry
//   constructor   no     once, with the inputs
//   begin()       no     before the first iteration, after each restart()       .begins = true
//   iterate()     yes    any number of times, also to be verified
//   part()        yes    instead of iterate(): a part of it                     .unit = Unit::part
//                        instead of iterate(): a whole solve                    .unit = Unit::solve
//   restart()     no*    between samples, and before a verification             .restarts = true
//   lifetime()    no     after the first begin()                                .lifetime = true
//   iterations()  no     after a solve                                          .iterations = true
//   work()        no     around samples                                         .work = true
//   facts()       no     after the last sample                                  .facts = true
//   finish()      no     after iterations whose result is verified; leaves the
//                        state as it is: it may be called again, and iterate() after it
//
// *: a whole solve that a family makes of iterate() (stop=change) has restart() and change() in its time.
//
// Shapes. Matrices are in C order, without padding: element (i, j) of M x N is [i * N + j]. Problem and
// Result of the family name the size of each array. `Real` is float or double, as the axis dtype says; a
// kernel for one of them has void in the other's place.
//
// Units. Seconds, bytes, flops; masses, costs and results have none. The function `.work` of the variant
// gives the Work of one call of what is timed, of a solve that of one of its iterations; the member work()
// gives all since the constructor.
//
// Lifetime. Problem, its arrays, its `team` and its point `at` exist as long as the kernel: it may keep
// references. The arrays are read-only, and an attempt to write them is a crash; a kernel that changes its
// inputs copies them. Result exists during finish() only. Its arrays are filled with invalid values before:
// every cell of an array in `written` has to be written. A kernel has one instance at a time in a worker. In
// the library (harness/call) each handle has one.
//
// Allocation. Allowed in each member, also by new and std::vector; in a timed member it is part of the time,
// and the counters of the group `heap` have it. Buffer is aligned, and its pages belong to the thread that
// writes them first. restart() keeps the memory, so that what is timed after it has the same pages.
//
// Exceptions. Each member may throw std::exception (Error has a text for the user): the case fails with its
// what(), the worker goes on with the next one. An exception must not leave an OpenMP region or a thread of
// the kernel's own: that ends the worker, and the case fails as a crash.
//
// Threads. All members are called by one thread, the one that is thread 0 in OpenMP regions; these have
// `team.threads()` threads, pinned where there are CPUs enough. A thread that the kernel starts calls
// `team.enter(index)`. Two instances may run in two threads of a program that calls the library, so a kernel
// has no data outside its object that it changes.
//
// CUDA. iterate() may return before the device is done: the clock is the device's. Include
// <uotbench/cuda.hpp>.
//
// All of <uotbench/...> compiles without a JSON library. Headers in other folders may move.
#pragma once

#include "harness/worker/arrays.hpp"
#include "harness/worker/buffer.hpp"
#include "harness/worker/choices.hpp"
#include "harness/worker/kernel_traits.hpp"
#include "harness/worker/parallel.hpp"
#include "harness/worker/phases.hpp"
#include "harness/worker/stop.hpp"
#include "harness/worker/team.hpp"
#include "harness/worker/typed_variant.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/error.hpp"
