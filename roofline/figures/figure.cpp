#include "roofline/figures/figure.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/pattern.hpp"
#include "results/base/text.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/counters.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {
namespace {

struct Kind {
  const char* name;
  MadeFigure* drawing;
};

/// In the order of a report.
constexpr Kind kinds[] = {
    {"roofline", roofline_figure}, {"speedup", speedup_figure}, {"tiles", tiles_figure},
    {"scaling", scaling_figure},   {"sizes", sizes_figure},     {"misses", misses_figure},
    {"ladder", ladder_figure},     {"solves", solves_figure},   {"ranks", ranks_figure},
    {"phases", phases_figure},     {"ecm", ecm_figure}};

/// Why nothing is left of the cases that match.
[[noreturn]] void say_nothing_is_left(const FigureSpec& spec, const std::vector<const RunView*>& views,
                                      const std::map<std::string, int>& outcomes) {
  std::vector<std::string> runs;
  for (const auto* view : views) runs.push_back(view->run->path.string());
  const std::string where = runs.empty() ? "no run" : shortened(runs);
  if (outcomes.empty() && spec.filter.empty()) throw UsageError(fmt::format("{}: no cases", where));
  if (outcomes.empty()) {
    std::string example;
    for (const auto* view : views)
      if (example.empty() && !view->run->records.empty())
        example = fmt::format("; ids look like {}", view->run->records.front().id);
    throw UsageError(
        fmt::format("{}: no case's id matches the filter \"{}\"{}", where, spec.filter, example));
  }
  std::vector<std::string> counts;
  for (const auto& [outcome, count] : outcomes) counts.push_back(fmt::format("{} {}", count, outcome));
  const bool counted = spec.kind == "tiles" && std::ranges::any_of(views, [](const RunView* view) {
                         return !counter_names_in(view->run->records).empty();
                       });
  throw UsageError(fmt::format("{}: no case{} is ok and timed: {}; uotbench show prints the reasons{}", where,
                               spec.filter.empty() ? "" : fmt::format(" that matches \"{}\"", spec.filter),
                               fmt::join(counts, ", "),
                               counted ? "; --value COUNTER draws what was counted" : ""));
}

/// Variants in the figure's order.
std::vector<std::string> variants_in_order(const FigureSpec& spec, const std::vector<Shown>& cases) {
  std::vector<std::string> variants;
  const auto add = [&](const std::string& variant) {
    if (std::ranges::find(variants, variant) == variants.end()) variants.push_back(variant);
  };
  for (const auto& variant : spec.order)
    if (std::ranges::any_of(cases, [&](const Shown& c) { return c.member->record->variant == variant; }))
      add(variant);
  for (const auto& shown : cases) add(shown.member->record->variant);
  return variants;
}

/// Counts alone have no doubtful times.
bool shows_times(const FigureSpec& spec) {
  if (spec.kind == "misses") return false;
  return spec.kind != "tiles" || spec.value.empty() || spec.value == "time";
}

/// How many of the cases that match have times that `show` warns of.
void tell_doubtful(Drawing& drawing, const FigureSpec& spec, const std::vector<const RunView*>& views) {
  if (!shows_times(spec)) return;
  const Pattern filter(spec.filter, "filter");
  std::size_t doubtful = 0, timed = 0;
  for (const auto* view : views)
    for (const auto& group : view->groups)
      for (const auto& member : group.cases) {
        if (!has_time(member) || (!spec.filter.empty() && !filter.is_in(member.record->id))) continue;
        ++timed;
        doubtful += !member.warnings.empty();
      }
  if (doubtful == 0) return;
  drawing.doubts = fmt::format("the times of {} of {} cases are doubtful", doubtful, timed);
  drawing.warnings.push_back(fmt::format("{}: see uotbench show {}", drawing.doubts, files_of(views)));
}

/// Puts what the figure does not show into its notes, and under its data.
void tell_left_out(Drawing& drawing, const FigureSpec& spec, const std::vector<const RunView*>& views) {
  const Pattern filter(spec.filter, "filter");
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const auto& [id, reason] : drawing.left_out) by_reason[reason].push_back(id);
  for (const auto& [reason, ids] : by_reason)
    drawing.notes.push_back(fmt::format("left out, {}: {}", reason, shortened(ids)));
  std::map<std::string, std::size_t> outcomes;
  for (const auto* view : views)
    for (const auto& record : view->run->records) {
      // What was skipped cannot run here: tables tell why.
      if (!is_bad(record.status) || (!spec.filter.empty() && !filter.is_in(record.id))) continue;
      drawing.left_out.emplace_back(record.id, outcome_of(record));
      ++outcomes[outcome_of(record)];
    }
  std::vector<std::string> counts;
  for (const auto& [outcome, count] : outcomes) counts.push_back(fmt::format("{} {}", count, outcome));
  if (!counts.empty()) drawing.notes.push_back(fmt::format("left out: {}", fmt::join(counts, ", ")));
  auto& [columns, rows] = drawing.data;
  const auto id = std::ranges::find(columns, "id");
  if (drawing.left_out.empty() || id == columns.end()) return;
  const auto place = static_cast<std::size_t>(id - columns.begin());
  columns.push_back("left_out");
  for (auto& row : rows) row.emplace_back();
  for (const auto& [name, reason] : drawing.left_out) {
    auto& row = rows.emplace_back(columns.size());
    row[place] = name;
    row.back() = reason;
  }
}

}  // namespace

std::vector<Shown> selected(const FigureSpec& spec, const std::vector<const RunView*>& views, Need need) {
  const Pattern filter(spec.filter, "filter");
  std::vector<Shown> cases;
  std::map<std::string, int> outcomes;  // of what matches
  for (const auto* view : views)
    for (const auto& group : view->groups)
      for (const auto& member : group.cases) {
        if (!spec.filter.empty() && !filter.is_in(member.record->id)) continue;
        const bool timed = need == Need::nothing || (member.time && member.time->median > 0);
        const bool ok = member.record->status == Status::ok;
        ++outcomes[ok && !timed ? "ok without a time" : outcome_of(*member.record)];
        if (ok && timed)
          cases.push_back({.view = view, .member = &member, .label = "", .series = 0, .colour = ""});
      }
  if (cases.empty()) say_nothing_is_left(spec, views, outcomes);

  const auto variants = variants_in_order(spec, cases);
  std::map<std::string, int> short_names;
  const auto short_name = [](const std::string& variant) { return variant.substr(variant.rfind('/') + 1); };
  for (const auto& variant : variants) ++short_names[short_name(variant)];
  std::map<std::string, std::size_t> series;
  for (std::size_t i = 0; i < variants.size(); ++i) series[variants[i]] = i;
  for (auto& shown : cases) {
    const std::string& variant = shown.member->record->variant;
    shown.series = series[variant];
    const auto label = spec.labels.find(variant);
    const auto colour = spec.colours.find(variant);
    shown.label = label != spec.labels.end()              ? label->second
                  : short_names[short_name(variant)] == 1 ? short_name(variant)
                                                          : variant;
    shown.colour = colour != spec.colours.end() ? colour->second : look(shown.series).colour;
  }
  std::ranges::stable_sort(cases, {}, &Shown::series);
  return cases;
}

Drawing figure_of(const FigureSpec& spec, const std::vector<const RunView*>& views,
                  const std::vector<Ceilings>& ceilings) {
  for (const auto& kind : kinds)
    if (spec.kind == kind.name) {
      Drawing drawing = kind.drawing(spec, views, ceilings);
      tell_left_out(drawing, spec, views);
      tell_doubtful(drawing, spec, views);
      drawing.caption = caption_of(spec.kind, views, drawing);
      return drawing;
    }
  throw UsageError(fmt::format("no kind of figure is called \"{}\"; there are: {}", spec.kind,
                               fmt::join(figure_kinds(), ", ")));
}

std::vector<std::string> figure_kinds() {
  std::vector<std::string> names;
  for (const auto& kind : kinds) names.push_back(kind.name);
  return names;
}

// A file that describes a paper's figures (configs/figures.schema.json), and values as people write them.

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
