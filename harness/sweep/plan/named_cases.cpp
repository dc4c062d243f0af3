#include "harness/sweep/plan/named_cases.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/protocol/point_json.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// The variant's axes, the family's first. Throws Error naming what is not known.
std::vector<Axis> axes_of(const CaseName& name, WorkerPool& pool) {
  const WorkerInfo& worker_info = pool.worker_info(name.worker);
  const auto family = pool.families().find(name.variant.substr(0, name.variant.rfind('/')));
  if (family == pool.families().end())
    throw Error(fmt::format("\"{}\" belongs to no family that the oracle can verify", name.variant));
  std::vector<Axis> axes = family->second.axes;
  const auto variant = worker_info.variants.find(name.variant);
  if (variant == worker_info.variants.end() && worker_info.failure && worker_info.variants.empty()) {
    if (const VariantInfo* const described = pool.described(name.variant))
      axes.insert(axes.end(), described->axes.begin(), described->axes.end());
    return axes;
  }
  if (variant == worker_info.variants.end()) {
    std::vector<std::string> known;
    for (const auto& [held, info] : worker_info.variants) known.push_back(held);
    throw Error(fmt::format("worker {} holds no variant \"{}\"{}", name.worker, name.variant,
                            did_you_mean(name.variant, known)));
  }
  axes.insert(axes.end(), variant->second.axes.begin(), variant->second.axes.end());
  return axes;
}

CaseGroup entry_of(const std::string& id, WorkerPool& pool) {
  const CaseName name = parse_case_id(id);
  std::vector<Axis> axes = axes_of(name, pool);
  CaseGroup entry{.variants = {name.variant},
                  .workers = {name.worker},
                  .axes = {},
                  .conditions = {},
                  .pointer = fmt::format("--case {}", id)};
  for (auto one = name.axes.begin(); one != name.axes.end(); ++one) {
    const auto& [given, text] = *one;
    const auto before =
        std::find_if(name.axes.begin(), one, [&](const auto& b) { return b.first == one->first; });
    if (before != one)
      throw Error(fmt::format("{} is given twice, as {} and {}; give it once", given, before->second, text));
    if (given == setting_axis::ranks && std::ranges::find(axes, given, &Axis::name) == axes.end())
      axes.push_back(pool.manifest(name.worker).ranks_axis());
    auto axis = std::ranges::find(axes, given, &Axis::name);
    if (axis == axes.end() && !pool.worker_info(name.worker).variants.empty()) {
      std::vector<std::string> known;
      for (const auto& a : axes) known.push_back(a.name);
      throw Error(fmt::format("{} has no axis \"{}\"{}", name.variant, given, did_you_mean(given, known)));
    }
    const Value value = axis == axes.end() ? Value(text) : value_from(*axis, text);
    if (axis != axes.end())
      if (const std::string wrong = value_violation(*axis, value); !wrong.empty())
        throw Error(fmt::format("{} of {}: {}", given, name.variant, wrong));
    entry.axes.push_back({.names = {given}, .tuples = {{value}}});
  }
  const auto is_given = [&](std::string_view axis) {
    return std::ranges::any_of(name.axes, [&](const auto& given) { return given.first == axis; });
  };
  // Of a variant that has only some points, an axis that the id leaves out has its default, not any value.
  if (const VariantInfo* const info = pool.described(name.variant); info && !info->points.empty())
    for (const auto& axis : info->axes)
      if (!is_given(axis.name) && std::ranges::any_of(info->points, [&](const Document& point) {
            return ObjectDocument(point).contains(axis.name);
          }))
        entry.axes.push_back({.names = {axis.name}, .tuples = {{axis.standard}}});
  for (const auto& axis : axes)
    if (axis.standard.is_none() && !is_given(axis.name) &&
        !(axis.derived && (axis.role != Role::size || is_given(path_axis))))
      throw Error(fmt::format("{} needs a value for {}: {}", name.variant, axis.name, accepted(axis)));
  return entry;
}

}  // namespace

NamedCases named_cases(const std::vector<std::string>& ids, WorkerPool& pool) {
  NamedCases named;
  for (const auto& id : ids) try {
      named.entries.push_back(entry_of(id, pool));
    } catch (const Error& error) {
      named.impossible.emplace_back(id, error.what());
    }
  return named;
}

}  // namespace uotbench
