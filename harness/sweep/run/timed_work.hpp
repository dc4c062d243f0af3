// The work of processes that were timed, where they count it themselves.
#pragma once

#include <cstddef>
#include <optional>

#include "results/record/work.hpp"

namespace uotbench {

/// One process more, of so many by now: where runs count their work, all of them together, and their mean.
/// What a model says stays as it was told first.
void take_work(std::optional<Work>& mean, const std::optional<Work>& work, std::size_t processes);

}  // namespace uotbench
