// Inputs as the family makes them, and what it says where it cannot.
#pragma once

#include <string>
#include <vector>

#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {

class InputsTest : public UotTest {
 protected:
  std::vector<double> made(const Json& changes, const std::string& name) {
    family().prepare(point(changes), in);
    return doubles(in / (name + ".npy"));
  }
  std::string refused(const Json& changes) {
    return error_of([&] { family().prepare(point(changes), in); });
  }
  std::string in_user(const std::string& file, const std::string& message) {
    return (user / file).string() + ": " + message;
  }
};

}  // namespace uotbench::uot
