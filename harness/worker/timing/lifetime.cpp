#include "harness/worker/timing/lifetime.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"

namespace uotbench {

Lifetime::Lifetime(Instance& instance) : instance_(instance), most_(instance.lifetime()) {
  if (most_ && *most_ < 1) throw Error(fmt::format("the kernel says its lifetime is {} iterations", *most_));
}

void Lifetime::before(std::int64_t iterations) {
  if (!holds(iterations)) {
    instance_.restart();
    instance_.begin();
    done_ = 0;
  }
  done_ += iterations;
}

}  // namespace uotbench
