// The work of processes that were timed, where they count it themselves.
#pragma once

#include <cstddef>
#include <optional>

#include "results/base/json_fwd.hpp"
#include "results/record/work.hpp"

namespace uotbench {

/// What a worker's answer says of its work; absent: nothing. Throws Json::exception where that cannot be
/// read.
std::optional<Work> work_in(const Json& answer);

/// One process more, of so many by now: where runs count their work, all of them together, and their mean.
/// What a model says stays as it was told first.
void take_work(std::optional<Work>& mean, const std::optional<Work>& work, std::size_t processes);

}  // namespace uotbench
