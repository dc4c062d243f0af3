// A problem in a folder of its own.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/worker/tests/family_fixture.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/json.hpp"

namespace uotbench::stencil {

namespace fs = std::filesystem;

inline const Family& family() { return family_named("stencil"); }

/// The family's defaults with changes, and one thread.
inline Point point(const Json& changes) {
  Json values{{"nx", 7}, {"ny", 13}, {"dtype", "f64"}, {"threads", 1}};
  values.update(changes);
  return point_from(defaults_with(family(), values));
}

class StencilTest : public testing::Test {
 protected:
  StencilTest() { fs::create_directories(folder); }
  ~StencilTest() override { fs::remove_all(folder); }

  /// The problem's inputs, and nothing else.
  void prepare(const Point& at) {
    fs::remove_all(folder);
    fs::create_directories(folder);
    family().prepare(at, folder);
    poison(family(), at, folder);
  }
  /// What the judge says of a variant's result after so many steps or a few more. The inputs are there.
  std::string verdict(const uotbench::Variant& variant, const Point& at, int iterations = 10) {
    poison(family(), at, folder);
    const int steps = static_cast<int>(variant.steps(at)), calls = (iterations + steps - 1) / steps;
    std::vector<std::string> written;
    {
      Arrays arrays(folder, true);
      const Team team(static_cast<int>(at.integer("threads")), {});
      const auto instance = variant.load(at, arrays, team);
      for (int call = 0; call < calls; ++call) instance->iterate();
      written = instance->finish(arrays);
    }
    return family().judge(at, folder, folder, {"stencil/test", written, calls * steps, {}}).reason;
  }

  const fs::path folder = fs::temp_directory_path() / ("stencil_" + std::to_string(::getpid()));
};

}  // namespace uotbench::stencil
