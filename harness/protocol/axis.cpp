#include "harness/protocol/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "harness/protocol/point.hpp"
#include "results/error.hpp"

namespace uotbench {
namespace {

constexpr std::array<const char*, 4> kind_names{"size", "integer", "number", "text"};

std::string joined(const std::vector<Json>& values) {
  std::vector<std::string> texts;
  for (const auto& value : values) texts.push_back(value_text(value));
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

Json to_json(const Axis& axis) {
  Json json{{"name", axis.name},
            {"kind", kind_names[static_cast<std::size_t>(axis.kind)]},
            {"default", axis.standard}};
  if (!axis.values.empty()) json["values"] = axis.values;
  if (axis.least) json["least"] = *axis.least;
  if (axis.most) json["most"] = *axis.most;
  if (axis.derived) json["derived"] = true;
  json["about"] = axis.about;
  return json;
}

Axis axis_from(const Json& json) try {
  Axis axis{.name = json.at("name"), .standard = json.value("default", Json())};
  const std::string kind = json.value("kind", "integer");
  const auto found = std::find(kind_names.begin(), kind_names.end(), kind);
  if (found == kind_names.end())
    throw Error(fmt::format("axis {} has the unknown kind \"{}\"", axis.name, kind));
  axis.kind = static_cast<Axis::Kind>(found - kind_names.begin());
  axis.values = json.value("values", std::vector<Json>{});
  if (json.contains("least")) axis.least = json["least"].get<double>();
  if (json.contains("most")) axis.most = json["most"].get<double>();
  axis.derived = json.value("derived", false);
  axis.about = json.value("about", "");
  return axis;
} catch (const Json::exception& error) {
  throw Error(fmt::format("malformed axis: {}", error.what()));
}

Json scalar_from(const std::string& text) {
  const char* const end = text.data() + text.size();
  std::int64_t integer = 0;
  if (const auto [rest, error] = std::from_chars(text.data(), end, integer);
      error == std::errc() && rest == end)
    return integer;
  double number = 0;
  if (const auto [rest, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && rest == end && std::isfinite(number))
    return number;
  return text;
}

Json value_from(const Axis& axis, const std::string& text) {
  if (axis.kind == Axis::Kind::text) return text;
  Json value = scalar_from(text);
  return value.is_number_float() && axis.kind != Axis::Kind::number ? Json(text) : value;
}

std::string accepted(const Axis& axis) {
  if (!axis.values.empty()) return joined(axis.values);
  const auto range = [&]() -> std::string {
    if (axis.least && axis.most) return fmt::format(" {}..{}", *axis.least, *axis.most);
    if (axis.least) return fmt::format(" >= {}", *axis.least);
    return axis.most ? fmt::format(" <= {}", *axis.most) : "";
  };
  switch (axis.kind) {
    case Axis::Kind::size:
      return fmt::format("an integer {}..{}", axis.least.value_or(1),
                         axis.most ? fmt::format("{}", *axis.most) : "2^31");
    case Axis::Kind::integer:
      return "an integer" + range();
    case Axis::Kind::number:
      return "a number" + range();
    case Axis::Kind::text:
      return "a text";
  }
  return "?";
}

std::string objection(const Axis& axis, const Json& value) {
  const auto refuse = [&] {
    return fmt::format("{} is not {}{}", to_line(value), axis.values.empty() ? "" : "one of ",
                       accepted(axis));
  };
  if (!axis.values.empty())
    return std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end() ? refuse() : "";
  if (axis.kind == Axis::Kind::text) return value.is_string() ? "" : refuse();
  if (axis.kind == Axis::Kind::number ? !value.is_number() : !value.is_number_integer()) return refuse();
  const double number = value.get<double>();
  if (axis.kind == Axis::Kind::size && (number < 1 || number > static_cast<double>(largest_size)))
    return refuse();
  if ((axis.least && number < *axis.least) || (axis.most && number > *axis.most)) return refuse();
  return "";
}

}  // namespace uotbench
