#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/view/quantity.hpp"
#include "roofline/model/caches.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/model.hpp"
#include "roofline/report/report.hpp"

namespace uotbench {
namespace {

std::string spaced(std::string key) {
  for (char& c : key)
    if (c == '_') c = ' ';
  return key;
}

std::string fact_text(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (!value.is_array() && !value.is_object()) return to_line(value);
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (value.is_array())
    for (const auto& item : value) add(fact_text(item));
  else
    for (const auto& [key, item] : value.items()) add(spaced(key) + " " + fact_text(item));
  return text.empty() ? "-" : text;
}

std::string caches_text(const MachineFacts& machine) {
  const Caches caches(machine);
  std::string text;
  for (const auto& level : caches.levels())
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ",
                        level.probed_by.empty() ? fmt::format("{} {}", level.name, format_bytes(level.bytes))
                                                : text_of_probed(level),
                        level.instances > 1 ? fmt::format(" × {}", level.instances) : "",
                        level.cores > 1 ? fmt::format(" for {} cores", level.cores) : "");
  return text.empty() ? "-" : text;
}

FactGroup machine_facts_of(const std::string& title, const MachineFacts& machine) {
  const std::string fingerprint = machine.fingerprint();
  FactGroup group{.title = title, .facts = {{"fingerprint", fingerprint.empty() ? "-" : fingerprint}}};
  for (const Json* const facts : {&machine.hashed(), &machine.recorded()}) {
    for (const auto& [key, value] : facts->items()) {
      std::string text = key == "caches"                        ? caches_text(machine)
                         : key == "memory" && value.is_number() ? format_bytes(value.get<double>())
                                                                : fact_text(value);
      group.facts.push_back({spaced(key), std::move(text)});
    }
  }
  return group;
}

FactGroup run_facts(const RunView& view) {
  const Run& run = *view.run;
  FactGroup group{.title = "Run", .facts = {}};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) group.facts.push_back({name, value});
  };
  add("sweep", run.header.sweep.name());
  add("file", run.path.filename().string());
  add("started", start_of(run));
  for (const auto& resume : run.resumes) add("resumed", resume.started);
  add("cases", outcome_of(run));
  add("speedups over", view.reference.given() ? view.reference.text() : "the first variant of a group");
  add("uotbench", run.header.uotbench);
  if (const auto& shard = run.header.shard)
    add("shard",
        fmt::format("index {}, of {}, order {}", shard->index, shard->of, fmt::join(shard->order, ", ")));
  if (!run.header.rerun_of.is_null()) add("repeats", fact_text(run.header.rerun_of.json()));
  if (const auto& merged = run.header.merged; !merged.empty())
    add("merged from", fmt::format("{} files", merged.size()));
  return group;
}

std::string option_text(const std::string& key, const Json& value) {
  if (!value.is_number()) return fact_text(value);
  if (key == "max_noise") return format_percent(value.get<double>());
  if (key == "max_time" || key == "case_timeout") return fmt::format("{} s", value.get<double>());
  return fact_text(value);
}

std::vector<Fact> build_facts(const WorkerBuild& build) {
  std::vector<Fact> facts;
  for (const auto& [key, value] : build.json().items()) {
    if (key == "dirty") continue;
    std::string text = fact_text(value);
    if (key == "commit" && value.is_string() && build.dirty())
      text += ", with changes that were not committed";
    facts.push_back({spaced(key), std::move(text)});
  }
  return facts;
}

FactGroup ceiling_facts(const Ceilings& ceilings) {
  FactGroup group{.title = "Ceilings of the " + ceilings.device, .facts = {}};
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) group.facts.push_back({name, value});
  };
  add("source", ceilings.source);
  add("machine", ceilings.name);
  add("fingerprint", ceilings.fingerprint);
  add("made", ceilings.made);
  add("about", ceilings.about);
  add("limits", std::to_string(ceilings.roofs.size()));
  return group;
}

}  // namespace

std::string name_of(const Run& run) {
  const std::string name = run.header.sweep.name();
  return name.empty() ? run.path.filename().string() : name;
}

std::string start_of(const Run& run) {
  std::string text = run.header.started;
  if (text.size() == 20 && text[10] == 'T' && text.back() == 'Z')
    text = text.substr(0, 10) + " " + text.substr(11, 8) + " UTC";
  return text;
}

std::string place_of(const Run& run) {
  const MachineFacts& machine = run.header.machine;
  const Json& hashed = machine.hashed();
  const Json cores = hashed.value("physical_cores", Json()), cpus = hashed.value("logical_cpus", Json());
  std::string text = machine.cpu();
  const auto add = [&](const std::string& more) {
    if (!more.empty()) text += (text.empty() ? "" : ", ") + more;
  };
  if (cores.is_number())
    add(fmt::format("{} core{}", to_line(cores), cores == Json(1) ? "" : "s"));
  else if (cpus.is_number())
    add(fmt::format("{} CPU{}", to_line(cpus), cpus == Json(1) ? "" : "s"));
  add(text_in(hashed, "hypervisor"));
  add(text_in(machine.recorded(), "os"));
  return text;
}

std::string outcome_of(const Run& run) {
  std::map<std::pair<Status, std::string>, std::size_t> counts;
  for (const auto& record : run.records) ++counts[{record.status, outcome_of(record)}];
  std::string text = fmt::format("{} case{}", run.records.size(), run.records.size() == 1 ? "" : "s");
  const char* before = ": ";
  for (const auto& [status, count] : counts) {
    text += fmt::format("{}{} {}", before, count, status.second);
    before = ", ";
  }
  return text;
}

std::vector<FactGroup> facts_of(const RunView& view) {
  const RunHeader& header = view.run->header;
  std::vector<FactGroup> groups{run_facts(view)};
  FactGroup options{.title = "Options", .facts = {}};
  const Json given = to_json(header.options.value_or(HeaderOptions()));
  for (const auto& [key, value] : given.items())
    options.facts.push_back({spaced(key), option_text(key, value)});
  if (!options.facts.empty()) groups.push_back(std::move(options));
  if (header.machines.size() > 1) {
    for (const auto& [fingerprint, machine] : header.machines)
      groups.push_back(machine_facts_of("Machine " + fingerprint, machine));
  } else if (!header.machine.json().empty()) {
    groups.push_back(machine_facts_of("Machine", header.machine));
  }
  for (const auto& ceilings : ceilings_of(*view.run)) groups.push_back(ceiling_facts(ceilings));
  for (const auto& [name, build] : header.workers)
    if (auto facts = build_facts(build); !facts.empty())
      groups.push_back({.title = "Worker " + name, .facts = std::move(facts)});
  return groups;
}

Sources::Sources(const RunView& view) : view_(view), ceilings_(*view.run) {}

std::string Sources::of(const CaseView& member, std::string_view column) const {
  if (column == "case") return label(member);
  if (column == "roof") return roof(member);
  if (column == "status") return status(member);
  const Quantity* const quantity = quantity_titled(column);
  return quantity && quantity->source ? quantity->source(member, view_) : "";
}

std::string Sources::label(const CaseView& member) const {
  std::string text = on_one_line(member.record->id);
  for (const auto& warning : member.warnings) text += "; " + on_one_line(warning);
  return text;
}

/// "; read 78.0 GB/s, rmw 120.0 GB/s; f32, 2 threads; measured 2026-01-31T12:00:00Z"
std::string Sources::limits(const CaseView& member) const {
  const Record& record = *member.record;
  const auto* ceilings = ceilings_.of(record);
  if (!ceilings || !record.work) return "";
  const Setting setting = setting_of(record);
  std::string text;
  for (const auto& roof : limits_of(member, *ceilings, Caches(view_.run->machine_of(record))))
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        roof.is_bandwidth() ? roof.kernel + " " + format_bandwidth(roof.value)
                        : roof.is_flops()   ? fmt::format("{:.4g} GFLOP/s", roof.value / 1e9)
                                          : fmt::format("{} {}/s", format_count(roof.value), roof.operation));
  return fmt::format("; {}; {}; {} {}", text, text_of(setting), ceilings->source,
                     ceilings->made.empty() ? ceilings->name : ceilings->made);
}

std::string Sources::roof(const CaseView& member) const {
  if (!member.roof) return "";
  const RoofView& roof = *member.roof;
  std::string text =
      fmt::format("{} at least, over the median; {} is the limit, data in {}", format_seconds(roof.floor),
                  roof.bound,
                  roof.level.empty() ? "a working set of " + format_bytes(*roof.working_set) : roof.level) +
      limits(member);
  if (roof.intensity) text += fmt::format("; {:.3g} flops a byte", *roof.intensity);
  if (!roof.cause.empty()) text += "; above 100%: " + roof.cause;
  return on_one_line(text);
}

std::string Sources::status(const CaseView& member) const {
  return member.record->repeat ? "to see it again: " + on_one_line(*member.record->repeat) : "";
}

Table cases_table(const RunView& view) {
  const Sources sources(view);
  return run_table(view, AbsentWorkers::shown, [&](const CaseView& member, std::string_view column) {
    return sources.of(member, column);
  });
}

}  // namespace uotbench
