#include "harness/sweep/counting/counter_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_file = 1 << 20;

GroupEvent event_from(const Json& json, const std::string& source, const std::string& where) {
  const std::string text = json.at("event");
  GroupEvent event{
      .source = source, .event = text, .unit = UnitOfMeasure(json.at("unit").get<std::string>(), where)};
  // Events of perf and PAPI hold colons of their own: only a name of small letters before one is a source.
  const auto colon = text.find(':');
  const auto small = [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '-'; };
  if (colon != std::string::npos && colon > 0 &&
      std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(colon), small) &&
      text.substr(colon, 2) != "::" && colon + 1 < text.size()) {
    event.source = text.substr(0, colon);
    event.event = text.substr(colon + 1);
  }
  return event;
}

GroupSource source_from(const Json& json, const CounterGroup& group, const std::string& where) {
  GroupSource source{.source = json.at("source"),
                     .cpus = json.value("cpu", std::vector<std::string>{}),
                     .events = {},
                     .counters = {}};
  FormulaNames names(FormulaNames::When::counting);
  for (const auto& [alias, event] : json.at("events").items()) {
    names.require_free(alias, where + "/events");
    source.events[alias] = event_from(event, source.source, fmt::format("{}/events/{}/unit", where, alias));
    names.add(alias, source.events[alias].unit);
  }
  for (const auto& [name, text] : json.at("counters").items()) {
    const std::string at = fmt::format("{}/counters/{}", where, name);
    std::vector<std::string> known;
    for (const auto& counter : group.counters) known.push_back(counter.name);
    if (std::ranges::find(known, name) == known.end())
      throw UsageError(fmt::format("{}: the group counts no \"{}\"{}; it counts {}", at, name,
                                   did_you_mean(name, known), fmt::join(known, ", ")));
    Formula formula(text.get<std::string>(), at);
    names.require(formula, UnitOfMeasure(group.unit_of(name), at), at);
    if (std::ranges::none_of(formula.names(),
                             [&](const std::string& part) { return source.events.contains(part); }))
      throw UsageError(
          fmt::format("{}: \"{}\" names no event: nothing would be counted", at, formula.text()));
    source.counters.emplace_back(name, std::move(formula));
  }
  return source;
}

CounterGroup group_from(const Json& json, const std::string& file) {
  validate(json, counters_schema(), file);
  CounterGroup group{.name = json.at("name"),
                     .about = json.value("about", ""),
                     .counters = {},
                     .metrics = {},
                     .sources = {}};
  if (group.name == "auto" || group.name == "none")
    throw UsageError(
        fmt::format("{}: /name: expected a name other than auto and none, got \"{}\"", file, group.name));
  const FormulaNames names(FormulaNames::When::reading);
  for (const auto& [name, counter] : json.at("counters").items()) {
    names.require_free(name, file + ": /counters");
    UnitOfMeasure(counter.at("unit").get<std::string>(), fmt::format("{}: /counters/{}/unit", file, name));
    group.counters.push_back(
        {name, counter.at("unit"), counter.value("about", ""),
         counter.contains("must_be") ? std::optional<double>(counter["must_be"]) : std::nullopt});
  }
  for (std::size_t i = 0; i < json.at("sources").size(); ++i)
    group.sources.push_back(source_from(json["sources"][i], group, fmt::format("{}: /sources/{}", file, i)));
  group.metrics = metrics_from(json.value("metrics", Json::object()), file + ": /metrics");
  return group;
}

/// Throws UsageError for what cannot be a group: opening a pipe would wait for ever.
const fs::path& readable(const fs::path& path) {
  std::error_code missing;
  if (!fs::is_regular_file(path, missing) || fs::file_size(path, missing) > largest_file)
    throw UsageError(fmt::format("{}: expected a regular file of at most 1 MiB", path.string()));
  return path;
}

/// Metrics may name counters of other groups: checked when all are there.
void check_metrics(const CounterGroups& groups, const std::map<std::string, std::string>& file_of) {
  for (const auto& [name, group] : groups)
    require_metrics(group.metrics.json(), groups, file_of.at(name) + ": /metrics");
}

constexpr std::size_t longest_name = 100;

}  // namespace

bool GroupSource::is_for(const std::string& cpu) const {
  return cpus.empty() || std::ranges::any_of(cpus, [&](const std::string& prefix) {
           return (cpu + "/").starts_with(prefix + "/");
         });
}

std::string CounterGroup::unit_of(const std::string& counter) const {
  const auto found = std::ranges::find(counters, counter, &GroupCounter::name);
  return found == counters.end() ? "1" : found->unit;
}

Json metrics_from(const Json& object, const std::string& where) {
  const FormulaNames names(FormulaNames::When::reading);
  Json list = Json::array();
  for (const auto& [name, metric] : object.items()) {
    names.require_free(name, where);
    list.push_back({{"name", name},
                    {"formula", metric.at("formula")},
                    {"unit", metric.at("unit")},
                    {"about", metric.value("about", "")}});
  }
  return list;
}

void require_metrics(const Json& list, const CounterGroups& groups, const std::string& where) {
  FormulaNames names(FormulaNames::When::reading);
  std::map<std::string, std::string> group_of;
  for (const auto& [name, group] : groups)
    for (const auto& counter : group.counters) {
      names.add(counter.name, UnitOfMeasure(counter.unit, counter.name));
      group_of.emplace(counter.name, name);
    }
  for (const auto& metric : list) {
    const std::string name = metric.at("name"), at = fmt::format("{}/{}", where, name);
    if (const auto taken = group_of.find(name); taken != group_of.end())
      throw UsageError(
          fmt::format("{}: a counter of the group {} has this name; give it another", at, taken->second));
    names.require(Formula(metric.at("formula").get<std::string>(), at),
                  UnitOfMeasure(metric.at("unit").get<std::string>(), at), at);
  }
}

CounterGroups read_counter_groups(const std::vector<fs::path>& folders) {
  CounterGroups groups;
  std::map<std::string, std::string> file_of;
  for (const auto& folder : folders) {
    std::error_code missing;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder, missing))
      if (entry.path().extension() == ".json") files.push_back(readable(entry.path()));
    std::ranges::sort(files);
    for (const auto& path : files) {
      const std::string file = path.string();
      CounterGroup group = group_from(read_strictly(path), file);
      if (file_of.contains(group.name))
        throw UsageError(fmt::format("{}: the group \"{}\" is in {}, too; give it another name", file,
                                     group.name, file_of[group.name]));
      file_of[group.name] = file;
      groups.emplace(group.name, std::move(group));
    }
  }
  // One name, one meaning.
  std::map<std::string, std::pair<std::string, std::string>> unit_of;
  for (const auto& [name, group] : groups)
    for (const auto& counter : group.counters)
      if (const auto [known, fresh] = unit_of.try_emplace(counter.name, counter.unit, name);
          !fresh && known->second.first != counter.unit)
        throw UsageError(fmt::format("{}: /counters/{}/unit: expected {}, as in the group {}, got {}",
                                     file_of.at(name), counter.name, known->second.first,
                                     known->second.second, counter.unit));
  check_metrics(groups, file_of);
  return groups;
}

FormulaNames::FormulaNames(When when) : when_(when), builtin_{"line_bytes"} {
  units_.emplace("line_bytes", UnitOfMeasure("bytes/accesses", "line_bytes"));
  if (when == When::counting) return;
  for (const auto& [name, unit] : metric_names::all) {
    builtin_.emplace_back(name);
    units_.emplace(name, UnitOfMeasure(unit, name));
  }
}

const UnitOfMeasure* FormulaNames::unit_of(const std::string& name) const {
  if (const auto known = units_.find(name); known != units_.end()) return &known->second;
  if (when_ == When::counting) return nullptr;
  // Which operations a variant counts, which axes, phases and facts it has, is known when it has run.
  if (const auto unit = metric_names::unit_of(name))
    return &units_.emplace(name, UnitOfMeasure(*unit, name)).first->second;
  return nullptr;
}

void FormulaNames::require(const Formula& formula, const UnitOfMeasure& unit,
                           const std::string& where) const {
  for (const auto& name : formula.names())
    if (!unit_of(name)) {
      std::vector<std::string> known;
      for (const auto& [its, of] : units_) known.push_back(its);
      if (when_ == When::reading)
        known.insert(known.end(), std::begin(metric_names::shapes), std::end(metric_names::shapes));
      throw UsageError(fmt::format("{}: \"{}\" names \"{}\"{}, which is not defined; there are {}", where,
                                   formula.text(), name, did_you_mean(name, known), fmt::join(known, ", ")));
    }
  const UnitOfMeasure found = formula.unit([&](const std::string& name) { return *unit_of(name); });
  if (!(found == unit))
    throw UsageError(fmt::format("{}: \"{}\" comes to {}; the unit of what it defines is {}", where,
                                 formula.text(), found.text(), unit.text()));
}

void FormulaNames::require_free(const std::string& name, const std::string& where) const {
  const auto letter = [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_' || c == '.'); };
  const bool computed = when_ == When::reading && metric_names::is_begun(name);
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, letter) || computed ||
      std::isdigit(static_cast<unsigned char>(name.front())) || std::ranges::count(builtin_, name) > 0)
    throw UsageError(
        fmt::format("{}: expected a name of letters, digits, '_' and '.', other than {}{}, got \"{}\"", where,
                    fmt::join(builtin_, ", "),
                    when_ == When::reading
                        ? fmt::format(", and what begins with {}", fmt::join(metric_names::begun, ", "))
                        : "",
                    on_one_line(name.substr(0, longest_name))));
}

}  // namespace uotbench
