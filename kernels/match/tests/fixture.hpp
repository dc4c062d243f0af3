// A problem in a folder of its own, and a plain way to solve it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/worker/tests/family_fixture.hpp"
#include "results/base/json.hpp"

namespace uotbench::match {

namespace fs = std::filesystem;

inline const Family& family() { return family_named("match"); }
inline Point point(const Json& changes) { return point_from(defaults_with(family(), changes)); }

/// A set of points, row after row.
using Set = std::vector<std::vector<double>>;

inline double dot(const std::vector<double>& one, const std::vector<double>& other) {
  double sum = 0;
  for (std::size_t d = 0; d < one.size(); ++d) sum += one[d] * other[d];
  return sum;
}

class MatchTest : public testing::Test {
 protected:
  MatchTest() : root(fs::temp_directory_path() / ("match_oracle_" + std::to_string(::getpid()))) {
    for (const auto& folder : {in, out}) fs::create_directories(folder);
  }
  ~MatchTest() override { fs::remove_all(root); }

  void prepare(const Point& at) {
    family().prepare(at, in);
    poison(family(), at, out);
  }
  Set read(const std::string& name) const {
    const auto array = NpyArray::open(in / (name + ".npy"));
    const auto values = array.as<float>();
    const std::size_t D = array.shape()[1];
    Set set;
    for (std::size_t i = 0; i < array.shape()[0]; ++i)
      set.emplace_back(values.begin() + std::ptrdiff_t(i * D), values.begin() + std::ptrdiff_t((i + 1) * D));
    return set;
  }

  const fs::path root, in = root / "in", out = root / "out";
};

}  // namespace uotbench::match
