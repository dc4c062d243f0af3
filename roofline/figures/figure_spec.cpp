#include "roofline/figures/figure_spec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

FigureSpec spec_from(const Json& json) {
  FigureSpec spec{.kind = json.at("kind"), .filter = json.value("filter", "")};
  spec.order = json.value("order", spec.order);
  spec.labels = json.value("labels", spec.labels);
  spec.colours = json.value("colours", spec.colours);
  if (json.contains("title")) spec.title = json["title"].get<std::string>();
  if (json.contains("width")) spec.width = parse_length(json["width"]);
  if (json.contains("height")) spec.height = parse_length(json["height"]);
  if (json.contains("level")) spec.level = json["level"].get<std::string>();
  if (json.value("counting", "model") == "paper") spec.counting = Counting::paper;
  spec.x = json.value("x", "");
  spec.y = json.value("y", "");
  if (json.contains("over"))
    spec.over = json["over"].is_string() ? parse_over(json["over"]) : Document(json["over"]);
  spec.value = json.value("value", "");
  spec.source = json.value("source", "");
  return spec;
}

/// A number where the text is one.
Json value_from(const std::string& text) {
  std::int64_t integer = 0;
  double number = 0;
  const char* const end = text.data() + text.size();
  if (const auto [rest, error] = std::from_chars(text.data(), end, integer);
      error == std::errc() && rest == end)
    return integer;
  if (const auto [rest, error] = std::from_chars(text.data(), end, number);
      error == std::errc() && rest == end)
    return number;
  return text;
}

}  // namespace

std::vector<FigureJob> figures_from(const Json& json, const std::string& name, const fs::path& folder) {
  std::vector<FigureJob> jobs;
  for (const auto& entry : json.at("figures")) {
    FigureJob job{.pointer = fmt::format("{}: /figures/{}", name, jobs.size()),
                  .file = folder / entry.at("file").get<std::string>(),
                  .runs = entry.at("runs"),
                  .machines = entry.value("machine", std::vector<std::string>{}),
                  .spec = {},
                  .options = {.keep = entry.value("keep", false),
                              .data = entry.value("data", false),
                              .caption = entry.value("caption", false)}};
    try {
      job.spec = spec_from(entry);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", job.pointer, error.what()));
    }
    for (const auto& other : jobs)
      if (other.file.lexically_normal() == job.file.lexically_normal())
        throw UsageError(fmt::format("{}: {} is another figure's file, too", job.pointer,
                                     entry.at("file").get<std::string>()));
    const auto stem = [](const FigureJob& one) {
      return std::filesystem::path(one.file).lexically_normal().replace_extension();
    };
    for (const auto& other : jobs)
      if (stem(other) == stem(job) &&
          ((other.options.data && job.options.data) || (other.options.keep && job.options.keep) ||
           (other.options.caption && job.options.caption)))
        throw UsageError(fmt::format("{}: data, script or caption of {} would be another figure's, too",
                                     job.pointer, entry.at("file").get<std::string>()));
    jobs.push_back(std::move(job));
  }
  return jobs;
}

double parse_length(const std::string& text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  const std::string unit(rest, end);
  double cm = 0;
  for (const auto& [name, scale] :
       {std::pair{"cm", 1.}, {"mm", 0.1}, {"in", cm_per_inch}, {"pt", cm_per_inch / 72.27}})
    if (error == std::errc() && unit == name) cm = number * scale;
  if (!(cm >= 2 && cm <= 120))
    throw UsageError(
        fmt::format("\"{}\" is not a length such as 8.8cm, 88mm, 3.5in or 252pt, from 2cm to 120cm", text));
  return cm;
}

Document parse_over(const std::string& text) {
  Json over = Json::object();
  const auto refuse = [&] {
    throw UsageError(
        fmt::format("\"{}\" is no reference such as uot/numpy_order, uot/numpy_order@native-v3, "
                    "uot/numpy_order,threads=1 or threads=1",
                    text));
  };
  for (std::size_t at = 0; at <= text.size();) {
    const auto comma = std::min(text.find(',', at), text.size());
    const std::string part = text.substr(at, comma - at);
    const auto equals = part.find('=');
    const std::string key = equals == std::string::npos ? "variant" : part.substr(0, equals);
    const std::string value = equals == std::string::npos ? part : part.substr(equals + 1);
    if (key.empty() || value.empty() || over.contains(key)) refuse();
    over[key] = key == "variant" || key == "worker" ? Json(value) : value_from(value);
    at = comma + 1;
  }
  if (!over.contains("variant")) return over;
  const auto variant = over["variant"].get<std::string>();
  const auto mark = variant.rfind('@');
  if (mark == std::string::npos) return over;
  if (mark == 0 || mark + 1 == variant.size() || over.contains("worker")) refuse();
  over["variant"] = variant.substr(0, mark);
  over["worker"] = variant.substr(mark + 1);
  return over;
}

}  // namespace uotbench
