#include "harness/worker/alone/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "harness/protocol/axis_json.hpp"
#include "harness/protocol/case_id.hpp"
#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {
namespace {

/// What the oracle says of the variant's family.
Json described_family(const std::string& variant, Oracle& oracle) {
  const std::string name = variant.substr(0, variant.rfind('/'));
  const Json described = oracle.ask({{"type", "describe"}}, "described");
  std::vector<std::string> known;
  for (const auto& family : described.at("families")) {
    if (family.at("name") == name) return family;
    known.push_back(family.at("name"));
  }
  throw UsageError(fmt::format("{} belongs to no family that the oracle can judge; it knows: {}", variant,
                               fmt::join(known, ", ")));
}

/// A value for each of `axes`: what `name` gives, else the default.
Json values_of(const std::vector<Axis>& axes, const CaseName& name) {
  Json values = Json::object();
  for (const auto& axis : axes) {
    values[axis.name] = to_json(axis.standard);
    std::optional<std::string> given;
    for (const auto& [key, text] : name.axes) {
      if (key != axis.name) continue;
      if (given)
        throw UsageError(fmt::format("{} is given twice, as {} and {}; give it once", key, *given, text));
      given = text;
      values[key] = to_json(value_from(axis, text));
      if (const std::string wrong = objection(axis, values[key]); !wrong.empty())
        throw UsageError(fmt::format("{} of {}: {}", key, name.variant, wrong));
    }
    if (!given && axis.standard.is_none() && !axis.derived)
      throw UsageError(fmt::format("{} needs a value for {}: {}", name.variant, axis.name, accepted(axis)));
  }
  return values;
}

void require_known(const CaseName& name, const std::vector<Axis>& axes) {
  for (const auto& [given, text] : name.axes)
    if (std::ranges::find(axes, given, &Axis::name) == axes.end()) {
      std::vector<std::string> known;
      for (const auto& axis : axes) known.push_back(axis.name);
      throw UsageError(
          fmt::format("{} has no axis \"{}\"; it has: {}", name.variant, given, fmt::join(known, ", ")));
    }
}

CaseName name_of(const std::string& given, const std::string& worker) try {
  return parse_case_id(given.find('@') == std::string::npos ? given + "@" + worker : given);
} catch (const Error& error) {
  throw UsageError(error.what());
}

const Variant& held(const std::string& name) try { return variant_named(name); } catch (const Error& error) {
  throw UsageError(error.what());
}

}  // namespace

AloneCase alone_case(const std::string& given, const std::string& worker, Oracle& oracle) try {
  const CaseName name = name_of(given, worker);
  AloneCase found;
  found.variant = &held(name.variant);
  if (name.worker != worker) found.elsewhere = name.worker;

  const Json family = described_family(name.variant, oracle);
  found.family = family.at("name");
  std::vector<Axis> axes;
  for (const auto& axis : family.at("axes")) axes.push_back(axis_from(axis, Describes::family));
  const std::vector<Axis> of_problem = axes, &own = found.variant->spec().axes;
  axes.insert(axes.end(), own.begin(), own.end());
  require_known(name, axes);
  found.problem = values_of(of_problem, name);
  const Json rest = values_of(own, name);

  const Json planned =
      oracle
          .ask({{"type", "plan"}, {"family", found.family}, {"points", Json::array({found.problem})}},
               "planned")
          .at("points")
          .at(0);
  if (planned.contains("refused"))
    throw UsageError(fmt::format("{}: {}", found.family, planned["refused"].get<std::string>()));
  const Json derived = planned.at("derived");
  for (const auto& [axis, value] : derived.items())
    if (found.problem[axis].is_null()) found.problem[axis] = value;
  found.bytes = planned.at("memory");
  found.judged_after = planned.at("judged_after").get<std::vector<int>>();

  Json values = found.problem;
  values.update(rest);
  found.point = point_from(values);
  found.id = case_id(name.variant, axes, values, derived, worker);
  if (const std::string refusal = found.variant->refusal(found.point); !refusal.empty())
    throw UsageError(refusal);
  return found;
} catch (const UsageError& error) {
  throw UsageError(fmt::format("--case: {}", error.what()));
}

}  // namespace uotbench
