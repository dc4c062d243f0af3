// A problem in a folder of its own, and a plain way to solve it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/worker/family.hpp"
#include "results/error.hpp"

namespace uotbench::match {

namespace fs = std::filesystem;

inline const Family& family() {
  for (const Family* each : families())
    if (each->spec().name == "match") return *each;
  throw Error("match is not linked");
}

/// The defaults with changes.
inline Point point(Json changes) {
  Json values;
  for (const auto& axis : family().spec().axes) values[axis.name] = axis.standard;
  values.update(changes);
  return Point(values);
}

template <class T>
void write(const fs::path& file, const std::vector<std::size_t>& shape, const std::vector<T>& values) {
  NpyArray array = NpyArray::create(file, npy_type<T>(), shape);
  std::ranges::copy(values, array.as_mutable<T>().begin());
}

/// A set of points, row after row.
using Set = std::vector<std::vector<double>>;

inline double dot(const std::vector<double>& one, const std::vector<double>& other) {
  double sum = 0;
  for (std::size_t d = 0; d < one.size(); ++d) sum += one[d] * other[d];
  return sum;
}

inline std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
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
