// The words of a gate's report, in every format.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/gate/gate.hpp"

namespace uotbench {

/// How many cases have a verdict; those with none are not in it.
std::map<Verdict, std::size_t> counts_of(const GateReport& report);
/// Cases whose two sides were held against each other, whatever came of it.
std::size_t compared_in(const GateReport& report);

/// The whole in one line: "2 of 31 cases regressed, 1 missing; 27 ok, 1 inconclusive"; "nothing was
/// compared: 2 missing"; before it "interrupted: ".
std::string headline_of(const GateReport& report);

/// "1.104x".
std::string ratio_words(double ratio);
/// "1.104x (1.092 to 1.117)"; without an interval "1.104x"; where nothing was measured "-".
std::string ratio_text(const TimeVerdict& time);
/// "1.052x", the smallest slowdown that would have been found; "-" where that is not known.
std::string detectable_text(const TimeVerdict& time);
/// "L1D.misses 1000 -> 1100 accesses (+10%, callgrind)".
std::string text_of(const CounterVerdict& counter);

/// What is between the two builds, a line each: commits, and variants whose code is not the same.
std::vector<std::string> lines_of(const GateReport& report);

/// Whether the case is missing and the report's options allow that.
bool allowed_missing(const GateReport& report, const GateCase& one);
/// True where nothing has to be said of the case.
bool plainly_ok(const GateCase& one);

}  // namespace uotbench
