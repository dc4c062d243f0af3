// A problem in a folder of its own.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "harness/worker/tests/family_fixture.hpp"
#include "kernels/simplex/oracle/given.hpp"
#include "results/base/json.hpp"

namespace uotbench::simplex {

namespace fs = std::filesystem;

inline const Family& family() { return family_named("simplex"); }

inline Point point(const Json& changes) {
  Json values{{"M", 7}, {"N", 5}};
  values.update(changes);
  const Point at = point_from(defaults_with(family(), values));
  family().derive(at);
  return at;
}

class SimplexTest : public testing::Test {
 protected:
  SimplexTest() : root(fs::temp_directory_path() / ("simplex_" + std::to_string(::getpid()))) {
    for (const auto& folder : {user, in, out}) fs::create_directories(folder);
  }
  ~SimplexTest() override { fs::remove_all(root); }

  /// The inputs of a problem, made.
  Point made(const Json& changes) {
    fs::remove_all(in);
    fs::create_directories(in);
    const Point at = point(changes);
    family().prepare(at, in);
    poison(family(), at, out);
    return at;
  }
  std::vector<double> input(const std::string& name) const {
    const auto array = NpyArray::open(in / (name + ".npy"));
    const auto values = array.as<double>();
    return {values.begin(), values.end()};
  }
  template <class T>
  void set(const std::string& name, std::size_t index, T value) {
    NpyArray::open(out / (name + ".npy"), true).template as_mutable<T>()[index] = value;
  }
  template <class T>
  T output(const std::string& name, std::size_t index) const {
    return NpyArray::open(out / (name + ".npy")).template as<T>()[index];
  }

  const fs::path root, user = root / "user", in = root / "in", out = root / "out";
};

}  // namespace uotbench::simplex
