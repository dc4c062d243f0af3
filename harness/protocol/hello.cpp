#include "harness/protocol/hello.hpp"

#include "results/base/json.hpp"

namespace uotbench {

Hello hello_from(const Json& json) {
  Hello hello;
  hello.worker = text_in(json, "worker");
  hello.obstacle = text_in(json, "obstacle");
  hello.device = value_in(json, "device");
  hello.steps = optional_from<std::vector<std::string>>(json, "steps");
  hello.build = object_in(json, "build");
  return hello;
}

}  // namespace uotbench
