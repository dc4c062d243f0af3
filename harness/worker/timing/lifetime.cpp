#include "harness/worker/timing/lifetime.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"

namespace uotbench {

Lifetime::Lifetime(Instance& instance, std::int64_t steps) : instance_(instance), most_(instance.lifetime()) {
  if (!most_) return;
  if (*most_ < steps)
    throw Error(fmt::format("the kernel says its lifetime is {} iterations{}", *most_,
                            steps > 1 ? fmt::format(", and makes {} at a time", steps) : ""));
  *most_ /= steps;
}

void Lifetime::before(std::int64_t calls) {
  if (!holds(calls)) {
    instance_.restart();
    instance_.begin();
    done_ = 0;
  }
  done_ += calls;
}

}  // namespace uotbench
