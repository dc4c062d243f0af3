// What a reader of a run must know before believing its numbers.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/view/view.hpp"

namespace uotbench {

/// Lines with numbers, ready to print; many of one kind are a few and their count.
std::vector<std::string> warnings_of(const RunView& view);

/// Workers that could not run and how many cases that left out, workers that judge and do not time, and what
/// times are of where that is no iteration.
std::vector<std::string> notes_of(const RunView& view);

/// Why the run's workers could not run at all, by name.
std::map<std::string, std::string> absent_workers(const RunHeader& header);

/// Whether it was interrupted or killed before it had all it planned; a gate, before it had its verdict.
bool is_unfinished(const Run& run);
/// What such a run lacks. A gate's session cannot be continued: its pairs were taken together.
std::string unfinished_text(const Run& run);
/// The command that goes on with it, or repeats a gate, in words where it is not known.
std::string finishing_command(const Run& run);

/// A line for each cause of the warnings about the cases' times, how many cases have it included: a busy
/// machine first, then as they come. Texts that differ in numbers alone have one cause.
std::vector<std::string> warnings_by_cause(const RunView& view);

}  // namespace uotbench
