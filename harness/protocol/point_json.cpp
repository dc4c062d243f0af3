#include "harness/protocol/point_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
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

std::string percent_encoded(const std::string& text) {
  std::string out;
  for (const unsigned char c : text) {
    const bool plain = (c < 128 && std::isalnum(c)) || c == '_' || c == '.' || c == '+' || c == '-';
    out += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return out;
}

/// "a%2Fb" to "a/b". Throws Error where a % is not followed by two hexadecimal digits.
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned char byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (error != std::errc() || digits.size() != 2 || rest != digits.data() + 2)
      throw Error(fmt::format("\"{}\": % is not followed by two hexadecimal digits", text));
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
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

std::string case_id(std::string_view variant, const std::vector<Axis>& axes, const Json& point,
                    const Json& derived, std::string_view worker) {
  std::string id(variant);
  std::map<std::string, std::string> changed;
  const auto& values = point.items();
  auto next = values.begin();  // a planned point has its axes in their order
  for (const auto& axis : axes) {
    const Json& value =
        next != values.end() && next->first == axis.name ? (next++)->second : point.at(axis.name);
    if (axis.role == Role::size) {
      id += fmt::format("/{}:{}", axis.name, percent_encoded(value_text(value)));
      continue;
    }
    const Json standard =
        axis.derived && derived.contains(axis.name) ? derived.at(axis.name) : to_json(axis.standard);
    if (value != standard) changed.emplace(axis.name, percent_encoded(value_text(value)));
  }
  for (const auto& [name, text] : changed) id += fmt::format("/{}:{}", name, text);
  return fmt::format("{}@{}", id, worker);
}

CaseName parse_case_id(std::string_view id) {
  constexpr std::size_t longest_shown = 300;
  const auto wrong = [&](const std::string& what) {
    return Error(fmt::format("\"{}\" is not a case id such as uot/map_uot/M:4096/N:4096@native-v4: {}",
                             cut(std::string(id), longest_shown), what));
  };
  CaseName name;
  const auto at = id.rfind('@');
  if (at == std::string_view::npos || at + 1 == id.size()) throw wrong("no worker after an @");
  name.worker = id.substr(at + 1);
  std::string_view rest = id.substr(0, at);
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
    const auto colon = part.find(':');
    if (colon != std::string_view::npos && colon > 0) {
      name.axes.emplace_back(part.substr(0, colon), percent_decoded(part.substr(colon + 1)));
    } else if (name.axes.empty() && colon != 0) {
      name.variant += (name.variant.empty() ? "" : "/") + std::string(part);
    } else {
      throw wrong(fmt::format("\"{}\" is not AXIS:VALUE", cut(std::string(part), longest_shown)));
    }
  }
  if (name.variant.find('/') == std::string::npos) throw wrong("it does not begin with FAMILY/VARIANT");
  return name;
}

}  // namespace uotbench
