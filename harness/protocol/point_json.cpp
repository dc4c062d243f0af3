#include "harness/protocol/point_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/value_json.hpp"
#include "results/record/axes/case_parts.hpp"

namespace uotbench {
namespace {

void update(Point& point, const Json& json) {
  if (!json.is_object()) throw Error(fmt::format("{} is no point: not an object", to_line(json)));
  for (const auto& [axis, value] : json.items()) point.set(axis, value_from(value));
}

constexpr std::array<const char*, 3> kind_names{"integer", "number", "text"};
constexpr const char* kind_of_sizes = "size";
/// A Value holds no larger one.
constexpr std::uint64_t most_integer = std::numeric_limits<std::int64_t>::max();

Axis::Kind kind_from(const std::string& kind, const std::string& axis) {
  if (kind == kind_of_sizes) return Axis::Kind::integer;
  const auto found = std::ranges::find(kind_names, kind);
  if (found == kind_names.end()) throw Error(fmt::format("axis {} has the unknown kind \"{}\"", axis, kind));
  return static_cast<Axis::Kind>(found - kind_names.begin());
}

Role role_from(const Json& json, const Axis& axis, Describes whose) {
  const std::string kind = json.value("kind", "");
  const bool of_sizes = kind == kind_of_sizes;
  if (!json.contains("role")) {
    if (of_sizes) return Role::size;
    if (whose == Describes::family) return Role::problem;
    return was_setting(axis.name) ? Role::setting : Role::tunable;
  }
  const std::string name = json["role"];
  const auto role = role_named(name);
  if (!role) throw Error(fmt::format("axis {} has the unknown role \"{}\"", axis.name, name));
  if ((of_sizes && role != Role::size) || (role == Role::size && axis.kind != Axis::Kind::integer))
    throw Error(fmt::format("axis {} has the role \"{}\" and the kind \"{}\"", axis.name, name, kind));
  return *role;
}

std::string refusal(const Axis& axis, const std::string& value) {
  return fmt::format("{} is not {}{}", value, axis.values.empty() ? "" : "one of ", accepted(axis));
}

}  // namespace

Json to_json(const Point& point) { return to_json(point.values()); }

Point point_from(const Json& json) {
  Point point;
  update(point, json);
  return point;
}

std::vector<Point> planned_points(const Json& request) {
  const Point common = point_from(request.value("common", Json::object()));
  std::vector<Point> points;
  for (const auto& own : request.at("points")) {
    points.push_back(common);
    update(points.back(), own);
  }
  return points;
}

Json to_json(const Axis& axis) {
  Json json{
      {"name", axis.name},
      {"kind", axis.role == Role::size ? kind_of_sizes : kind_names[static_cast<std::size_t>(axis.kind)]},
      {"role", name_of(axis.role)},
      {"default", to_json(axis.standard)}};
  for (const auto& value : axis.values) json["values"].push_back(to_json(value));
  if (axis.least) json["least"] = *axis.least;
  if (axis.most) json["most"] = *axis.most;
  if (axis.derived) json["derived"] = true;
  json["about"] = axis.about;
  return json;
}

Axis axis_from(const Json& json, Describes whose) {
  Axis axis{.name = json.at("name"), .standard = value_from(json.value("default", Json()))};
  axis.kind = kind_from(json.value("kind", "integer"), axis.name);
  axis.role = role_from(json, axis, whose);
  for (const auto& value : json.value("values", std::vector<Json>{}))
    axis.values.push_back(value_from(value));
  if (json.contains("least")) axis.least = json["least"].get<double>();
  if (json.contains("most")) axis.most = json["most"].get<double>();
  axis.derived = json.value("derived", false);
  axis.about = json.value("about", "");
  return axis;
}

bool accepts(const Axis& axis, const Value& value) {
  if (!axis.values.empty())
    return std::ranges::any_of(axis.values, [&](const Value& one) { return one == value; });
  if (axis.kind == Axis::Kind::text) return value.text() != nullptr;
  if (axis.kind == Axis::Kind::number ? !value.is_number() : !value.integer()) return false;
  const double number = value.number();
  if (axis.role == Role::size && (number < 1 || number > static_cast<double>(largest_size))) return false;
  return !(axis.least && number < *axis.least) && !(axis.most && number > *axis.most);
}

std::string axis_violation(const Axis& axis, const Json& value) {
  const bool is_value =
      value.is_null() || value.is_string() ||
      (value.is_number() && !(value.is_number_unsigned() && value.get<std::uint64_t>() > most_integer));
  return is_value ? value_violation(axis, value_from(value)) : refusal(axis, to_line(value));
}

std::string value_violation(const Axis& axis, const Value& value) {
  return accepts(axis, value) ? "" : refusal(axis, json_text(value));
}

Settings settings_of(const Point& point) {
  Settings settings;
  if (point.has(setting_axis::ranks)) settings.ranks = point.integer(setting_axis::ranks);
  if (point.has(setting_axis::threads)) settings.threads = point.integer(setting_axis::threads);
  if (point.has(setting_axis::place)) settings.place = point.text(setting_axis::place);
  if (point.has(setting_axis::cache)) settings.cold = point.text(setting_axis::cache) == "cold";
  if (point.has(setting_axis::order)) settings.order = point.text(setting_axis::order);
  if (point.has(setting_axis::denormals)) settings.flushes = point.text(setting_axis::denormals) == "flush";
  return settings;
}

}  // namespace uotbench
