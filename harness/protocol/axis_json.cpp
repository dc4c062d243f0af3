#include "harness/protocol/axis_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "results/error.hpp"
#include "results/value_json.hpp"

namespace uotbench {
namespace {

constexpr std::array<const char*, 4> kind_names{"size", "integer", "number", "text"};
/// A Value holds no larger one.
constexpr std::uint64_t most_integer = std::numeric_limits<std::int64_t>::max();

}  // namespace

Json to_json(const Axis& axis) {
  Json json{{"name", axis.name},
            {"kind", kind_names[static_cast<std::size_t>(axis.kind)]},
            {"default", to_json(axis.standard)}};
  for (const auto& value : axis.values) json["values"].push_back(to_json(value));
  if (axis.least) json["least"] = *axis.least;
  if (axis.most) json["most"] = *axis.most;
  if (axis.derived) json["derived"] = true;
  json["about"] = axis.about;
  return json;
}

Axis axis_from(const Json& json) try {
  Axis axis{.name = json.at("name"), .standard = value_from(json.value("default", Json()))};
  const std::string kind = json.value("kind", "integer");
  const auto found = std::find(kind_names.begin(), kind_names.end(), kind);
  if (found == kind_names.end())
    throw Error(fmt::format("axis {} has the unknown kind \"{}\"", axis.name, kind));
  axis.kind = static_cast<Axis::Kind>(found - kind_names.begin());
  for (const auto& value : json.value("values", std::vector<Json>{}))
    axis.values.push_back(value_from(value));
  if (json.contains("least")) axis.least = json["least"].get<double>();
  if (json.contains("most")) axis.most = json["most"].get<double>();
  axis.derived = json.value("derived", false);
  axis.about = json.value("about", "");
  return axis;
} catch (const Json::exception& error) {
  throw Error(fmt::format("malformed axis: {}", error.what()));
}

std::string objection(const Axis& axis, const Json& value) {
  const auto refuse = [&] {
    return fmt::format("{} is not {}{}", to_line(value), axis.values.empty() ? "" : "one of ",
                       accepted(axis));
  };
  if (!axis.values.empty())
    return std::ranges::any_of(axis.values, [&](const Value& one) { return to_json(one) == value; })
               ? ""
               : refuse();
  if (axis.kind == Axis::Kind::text) return value.is_string() ? "" : refuse();
  if (axis.kind == Axis::Kind::number ? !value.is_number() : !value.is_number_integer()) return refuse();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > most_integer) return refuse();
  const double number = value.get<double>();
  if (axis.kind == Axis::Kind::size && (number < 1 || number > static_cast<double>(largest_size)))
    return refuse();
  if ((axis.least && number < *axis.least) || (axis.most && number > *axis.most)) return refuse();
  return "";
}

}  // namespace uotbench
