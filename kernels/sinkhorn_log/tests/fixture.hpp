// A problem in a folder of its own, and the plain iteration.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/worker/tests/family_fixture.hpp"
#include "kernels/sinkhorn_log/oracle/reference.hpp"
#include "results/base/json.hpp"

namespace uotbench::sinkhorn_log {

namespace fs = std::filesystem;

inline const Family& family() { return family_named("sinkhorn_log"); }

inline Point point(const Json& changes) {
  Json values{{"B", 3}, {"M", 7}, {"N", 5}, {"dtype", "f64"}};
  values.update(changes);
  const Point at = point_from(defaults_with(family(), values));
  family().derive(at);
  return at;
}

/// A problem's arrays as the oracle sees them.
struct Given {
  Given(const Point& at, const fs::path& folder)
      : arrays(folder, false),
        costs(at, arrays),
        masses(masses_in<double>(at, arrays)),
        start(start_of<double>(at, arrays, masses)) {}

  Arrays arrays;
  Costs<double> costs;
  Masses masses;
  Reference start;
};

class SinkhornLogTest : public testing::Test {
 protected:
  SinkhornLogTest() : root(fs::temp_directory_path() / ("sinkhorn_log_" + std::to_string(::getpid()))) {
    for (const auto& folder : {user, in, out}) fs::create_directories(folder);
  }
  ~SinkhornLogTest() override { fs::remove_all(root); }

  /// The problem, made.
  Given given(const Json& changes) {
    const Point at = point(changes);
    family().prepare(at, in);
    poison(family(), at, out);
    return {at, in};
  }

  const fs::path root, user = root / "user", in = root / "in", out = root / "out";
};

}  // namespace uotbench::sinkhorn_log
