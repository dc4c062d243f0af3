#include "harness/sweep/workers/steps.hpp"

#include <fmt/format.h>

namespace uotbench {

int steps_in(const Json& planned) {
  constexpr int most = 1'000'000;  // many more than make a launch or a pass over memory unseen
  const Json steps = planned.value("steps", Json(1));
  if (!steps.is_number_integer() || steps < 1 || steps > most)
    throw WorkerFailure{
        Status::failed,
        fmt::format("planned \"steps\": {}; an integer from 1 to {} would be right", to_line(steps), most)};
  return steps;
}

}  // namespace uotbench
