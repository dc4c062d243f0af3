// A variant on a problem in folders, judged: for tests that are linked with a family's kernels.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/worker/tests/family_fixture.hpp"
#include "harness/worker/variant.hpp"
#include "results/base/json.hpp"

namespace uotbench {

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

}  // namespace uotbench
