// Whether a session fits into the time that it may take.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "harness/sweep/gate/ab_session.hpp"

namespace uotbench {

/// Seconds that these pairs take.
double seconds_of(const std::vector<AbRequest>& wanted, const AbSession& session);

/// Seconds of a screen's look of `pairs` pairs of every case, and of a confirmation, with the control, of the
/// case that takes longest: the least with which a gate can find anything. `processes`: seconds that one of
/// each case takes.
double seconds_needed(std::size_t pairs, std::span<const double> processes);

/// The pairs a look, at most `most`, with which that fits into `seconds`; whole blocks of two. Absent: not
/// even `fewest` do.
std::optional<std::size_t> affordable_look(double seconds, std::size_t most, std::size_t fewest,
                                           std::span<const double> processes);

/// Leaves each request the pairs that fit into `left` of the `needed` seconds, whole blocks of two; false,
/// and nothing is changed, where one would have less than `fewest`.
bool shorten(std::vector<AbRequest>& requests, double left, double needed, std::size_t fewest);

}  // namespace uotbench
