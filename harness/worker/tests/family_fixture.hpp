// What the tests of every family's oracle begin with.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/oracle/family.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {

inline const Family& family_named(const std::string& name) {
  for (const Family* each : families())
    if (each->spec().name == name) return *each;
  throw Error(name + " is not linked");
}

/// The family's defaults with changes.
inline Json defaults_with(const Family& family, const Json& changes) {
  Json values;
  for (const auto& axis : family.spec().axes) values[axis.name] = to_json(axis.standard);
  values.update(changes);
  return values;
}

template <class T>
void write(const std::filesystem::path& file, const std::vector<std::size_t>& shape,
           const std::vector<T>& values) {
  NpyArray array = NpyArray::create(file, npy_type<T>(), shape);
  std::ranges::copy(values, array.as_mutable<T>().begin());
}

/// What is thrown; empty: nothing.
inline std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// "M,3" at a point: {M, 3}; 0 for what is no axis of it: any extent.
inline std::vector<std::size_t> shape_at(const Point& point, const std::string& shape) {
  std::vector<std::size_t> extents;
  std::istringstream words(shape);
  for (std::string word; std::getline(words, word, ',');)
    extents.push_back(std::isdigit(static_cast<unsigned char>(word[0])) ? std::stoul(word)
                      : point.has(word)                                 ? point.size(word)
                                                                        : 0);
  return extents;
}

inline void expect_told(const FamilySpec& spec, const Point& point, bool output, const std::string& name,
                        const std::string& type, const std::vector<std::size_t>& shape) {
  const auto about = std::ranges::find_if(
      spec.arrays, [&](const ArrayAbout& array) { return array.name == name && array.output == output; });
  ASSERT_NE(about, spec.arrays.end()) << name << " is not on the page of " << spec.name;
  const std::string width = point.has("dtype") && point.text("dtype") == "f64" ? "<f8" : "<f4";
  EXPECT_EQ(about->type == "dtype" ? width : about->type, type) << name;
  const auto told = shape_at(point, about->shape);
  ASSERT_EQ(told.size(), shape.size()) << name;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (told[i] != 0) {
      EXPECT_EQ(told[i], shape[i]) << name << ", extent " << i;
    }
}

/// What the family's page says of arrays is what a problem's files are; `every`: at these points all of them
/// are there.
inline void expect_page_is_true(const Family& family, const std::vector<Json>& every) {
  const FamilySpec& spec = family.spec();
  EXPECT_FALSE(spec.mathematics.empty()) << spec.name << " does not say what it computes";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("page_" + spec.name + std::to_string(::getpid()));
  std::set<std::pair<bool, std::string>> seen;
  for (const auto& changes : every) {
    Json values = defaults_with(family, changes);
    const Json derived = to_json(family.derive(point_from(values)));
    for (const auto& [axis, value] : derived.items())
      if (values[axis].is_null()) values[axis] = value;
    const Point point = point_from(values);
    std::filesystem::create_directories(folder);
    family.prepare(point, folder);
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const auto array = NpyArray::open(file.path());
      expect_told(spec, point, false, file.path().stem(), array.type(), array.shape());
      seen.emplace(false, file.path().stem());
    }
    std::filesystem::remove_all(folder);
    for (const auto& output : family.outputs(point)) {
      expect_told(spec, point, true, output.name, output.type, output.shape);
      seen.emplace(true, output.name);
    }
  }
  for (const auto& array : spec.arrays)
    EXPECT_TRUE(seen.contains({array.output, array.name})) << "no problem has " << array.name;
}

// A variant on a problem in folders, judged: for tests that are linked with a family's kernels.

/// The problem with the variant's own axes at their defaults, and one thread.
inline Point with_axes(const Variant& variant, const Point& problem) {
  Json values = to_json(problem);
  values["threads"] = 1;
  for (const auto& axis : variant.spec().axes)
    if (!values.contains(axis.name)) values[axis.name] = to_json(axis.standard);
  return point_from(values);
}

/// What the oracle says of the variant's result after so many iterations or a few more, or of its solve;
/// empty: it is right. The inputs are in `in`.
inline std::string verdict_of(const Family& family, const Variant& variant, const Point& at,
                              const std::filesystem::path& in, const std::filesystem::path& out,
                              int iterations) {
  poison(family, at, out);
  const int steps = static_cast<int>(variant.steps(at)), outside = variant.spec().outside;
  const bool solves = variant.unit(at) != Unit::iteration;
  const int calls = solves ? 1 : (iterations - outside + steps - 1) / steps;
  std::vector<std::string> written;
  try {
    Arrays inputs(in, false), outputs(out, true);
    const Team team(1, {});
    const auto instance = variant.load(at, inputs, team);
    instance->begin();
    for (int call = 0; call < calls; ++call) instance->iterate();
    written = instance->finish(outputs);
  } catch (const Error& error) {
    return std::string("failed: ") + error.what();
  }
  const int made = solves ? 1 : outside + calls * steps;
  return family.judge(at, in, out, {variant.spec().name, written, made, variant.spec().tolerance, 1}).reason;
}

// Points as users have them, and uniform ones are not.

/// A user's cloud of points in d dimensions: clusters, a line, and points that are there twice.
inline std::vector<double> awkward_cloud(std::size_t count, std::size_t d, std::uint64_t seed) {
  std::vector<double> points(count * d);
  std::uint64_t state = seed;
  const auto drawn = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) / 9007199254740992.;
  };
  for (std::size_t p = 0; p < count; ++p) {
    const double along = drawn(), middle = p % 3 == 0 ? .2 : .8;
    for (std::size_t k = 0; k < d; ++k)
      points[p * d + k] = p % 5 == 4   ? points[(p - 1) * d + k]
                          : p % 2 == 0 ? along
                                       : middle + .02 * (drawn() - .5);
  }
  return points;
}

}  // namespace uotbench
