#include "harness/worker/platform.hpp"

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

std::unique_ptr<Platform>& registered() {
  static std::unique_ptr<Platform> one;
  return one;
}

}  // namespace

Json Platform::usage() { return Json::object(); }

Platform* platform() { return registered().get(); }

void enter_platform(const Point& point) {
  if (Platform* const here = platform()) here->enter(point);
}

bool set_platform(std::unique_ptr<Platform> platform) {
  if (registered()) throw Error("a worker has one platform");
  registered() = std::move(platform);
  return true;
}

}  // namespace uotbench
