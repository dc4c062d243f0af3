#include "results/record/record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

constexpr std::array<std::pair<Status, const char*>, 6> statuses{{{Status::ok, "ok"},
                                                                  {Status::skipped, "skipped"},
                                                                  {Status::failed, "failed"},
                                                                  {Status::crashed, "crashed"},
                                                                  {Status::timeout, "timeout"},
                                                                  {Status::interrupted, "interrupted"}}};

std::string last_arm(const std::string& name) {
  const auto dot = name.rfind('.');
  if (dot == std::string::npos) return "";
  const std::string word = name.substr(dot + 1);
  return std::ranges::find(gate_arm::all, word) == std::end(gate_arm::all) ? "" : word;
}

std::string without(const std::string& name, const std::string& arm) {
  return arm.empty() ? name : name.substr(0, name.size() - arm.size() - 1);
}

}  // namespace

void require_sound(const std::vector<double>& samples) {
  for (const double sample : samples)
    if (!(sample > 0) || !std::isfinite(sample))
      throw Error(fmt::format("not a case record: a sample of {} s", sample));
}

double seconds_of(const Reach& reach) { return median(reach.samples); }

const Reach* reach_of(const std::vector<Reach>& all, const std::string& of, double target) {
  constexpr double rounding = 1e-9;
  const auto found = std::ranges::find_if(all, [&](const Reach& one) {
    return one.of == of && std::abs(one.target - target) <= rounding * target;
  });
  return found == all.end() ? nullptr : &*found;
}

std::string name_of(const Reach& reach) { return fmt::format("{} {:g}", reach.of, reach.target); }

Json to_json(const std::vector<Reach>& all) {
  Json list = Json::array();
  for (const auto& one : all) {
    list.push_back({{"of", one.of}, {"target", one.target}});
    if (one.reason.empty())
      list.back().update({{"iterations", one.iterations}, {"found", one.found}, {"samples", one.samples}});
    else
      list.back()["reason"] = one.reason;
  }
  return list;
}

std::vector<Reach> reach_from(const Json& json) {
  std::vector<Reach> all;
  for (const auto& one : json) {
    all.push_back({.of = one.at("of"), .target = one.at("target"), .reason = text_in(one, "reason")});
    if (!all.back().reason.empty()) continue;
    for (const char* key : {"iterations", "found", "samples"})
      if (!one.contains(key))
        throw Error(fmt::format("not a case record: /reach/{}/{}: missing, and there is no reason",
                                all.size() - 1, key));
    all.back().iterations = one.at("iterations");
    all.back().found = one.at("found");
    all.back().samples = one.at("samples").get<std::vector<double>>();
  }
  return all;
}

void require_sound(const Timing& time) {
  for (const auto& process : time.processes) require_sound(process.samples);
}

const char* name_of(Status status) {
  for (const auto& [value, name] : statuses)
    if (value == status) return name;
  return "?";
}

Status status_from(const std::string& name) {
  for (const auto& [value, text] : statuses)
    if (name == text) return value;
  throw Error(fmt::format("unknown status \"{}\"", name));
}

const char* outcome_of(const Record& record) {
  const bool unverified = record.status == Status::ok && !record.has_oracle && !record.check;
  return unverified ? not_verified : name_of(record.status);
}

std::string handicap_of(const Record& record) { return record.env.text("handicap"); }

std::string changed_input(const InputContents& a, const InputContents& b) {
  const auto folder_of = [](const std::string& file) { return file.substr(0, file.rfind('/') + 1); };
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const auto& [file, content] : *one)
      if (const auto found = other->find(file); found != other->end()) {
        if (found->second != content) return file;
      } else if (std::ranges::any_of(
                     *other, [&](const auto& entry) { return folder_of(entry.first) == folder_of(file); })) {
        return file;
      }
  return "";
}

Json to_json(const Record& record) {
  Json json{{"kind", "case"},
            {"id", record.id},
            {"variant", record.variant},
            {"worker", record.worker},
            {"point", record.point.json()},
            {"status", outcome_of(record)},
            {"reason", or_null(record.reason)},
            {"check", record.check ? to_json(*record.check) : Json(nullptr)},
            {"time", record.time ? to_json(*record.time) : Json(nullptr)},
            {"work", record.work ? to_json(*record.work) : Json(nullptr)},
            {"counters", to_json(record.counters)},
            {"env", record.env.json()}};
  if (!record.reach.empty()) json["reach"] = to_json(record.reach);
  if (!record.has_oracle) json["oracle"] = false;
  if (record.repeat) json["repeat"] = *record.repeat;
  if (record.machine) json["machine"] = *record.machine;
  if (!record.input_files.empty()) json["input_files"] = record.input_files;
  return json;
}

std::optional<double> reported_of(const Record& record, const std::string& name) {
  const Json numbers = value_in(record.env.reported(), name.c_str());
  std::vector<double> values;
  if (numbers.is_array())
    for (const auto& number : numbers)
      if (number.is_number()) values.push_back(number.get<double>());
  return values.empty() ? std::nullopt : std::optional(median(values));
}

std::vector<std::string> reported_names(std::span<const Record> records) {
  std::vector<std::string> names;
  std::set<std::string> known;
  for (const auto& record : records)
    for (const auto& [name, numbers] : record.env.reported().items())
      if (known.insert(name).second) names.push_back(name);
  return names;
}

std::string in_arm(const std::string& name, const std::string& arm) { return name + '.' + arm; }

std::string arm_of(const std::string& id) {
  const auto at = id.rfind('@');
  return at == std::string::npos ? "" : last_arm(id.substr(at));
}

std::string without_arm(const std::string& id) { return without(id, arm_of(id)); }

std::string worker_arm(const std::string& worker) { return last_arm(worker); }

std::string worker_without_arm(const std::string& worker) { return without(worker, worker_arm(worker)); }

Record in_arm(Record record, const std::string& arm) {
  record.id = in_arm(record.id, arm);
  record.worker = in_arm(record.worker, arm);
  record.arm = arm;
  return record;
}

Record without_arm(Record record) {
  record.id = without_arm(record.id);
  if (worker_arm(record.worker) == record.arm) record.worker = worker_without_arm(record.worker);
  record.arm.clear();
  return record;
}

// What was observed of a case in addition to its result, times and counts.

namespace {

constexpr const char* reported_key = "reported";

const Json& no_facts() {
  static const Json none = Json::object();
  return none;
}

void add_numbers(Json& facts, const Json& numbers) {
  if (!numbers.is_object()) return;
  for (const auto& [name, number] : numbers.items())
    if (number.is_number()) facts[reported_key][name].push_back(number);
}

}  // namespace

CaseFacts::CaseFacts(Json facts) : facts_(std::move(facts)) {}

const Json& CaseFacts::json() const { return facts_.is_null() ? no_facts() : facts_.json(); }

bool CaseFacts::empty() const { return json().empty(); }

const Json* CaseFacts::find(const std::string& name) const {
  const auto found = json().find(name);
  return found == json().end() ? nullptr : &*found;
}

std::string CaseFacts::text(const char* name) const { return text_in(json(), name); }

std::optional<double> CaseFacts::number(const std::string& name) const {
  const Json* const found = find(name);
  return found && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

std::vector<double> CaseFacts::clocks() const {
  std::vector<double> clocks;
  if (const Json* const measured = find(clock_fact); measured && measured->is_array())
    for (const auto& clock : *measured)
      if (clock.is_number() && clock.get<double>() > 0) clocks.push_back(clock.get<double>());
  return clocks;
}

const Json& CaseFacts::reported() const {
  const Json* const found = find(reported_key);
  return found && found->is_object() ? *found : no_facts();
}

void CaseFacts::set(const std::string& name, const Json& value) {
  Json facts = json();
  facts[name] = value;
  facts_ = std::move(facts);
}

void CaseFacts::add(const CaseFacts& process) {
  Json facts = json();
  for (const auto& [name, value] : process.json().items()) {
    const bool both = facts.contains(name) && facts[name].is_number() && value.is_number();
    if (name == reported_key) {
      add_numbers(facts, value);
    } else if (both && (name == "peak_rss" || name == "added_bytes")) {
      if (value.get<double>() > facts[name].get<double>()) facts[name] = value;
    } else if (both && name == "page_faults") {
      facts[name] =
          whole_number<std::int64_t>(facts[name]).value_or(0) + whole_number<std::int64_t>(value).value_or(0);
    } else if (both && name == "steal") {
      facts[name] = facts[name].get<double>() + value.get<double>();
    } else if (name == clock_fact && value.is_array() && facts.contains(name) && facts[name].is_array()) {
      for (const auto& clock : value) facts[name].push_back(clock);
    } else {
      facts[name] = value;
    }
  }
  facts_ = std::move(facts);
}

void CaseFacts::add_reported(const Json& numbers) {
  Json facts = json();
  add_numbers(facts, numbers);
  facts_ = std::move(facts);
}

void CaseFacts::add_counting_build(const std::string& worker, const Json& build) {
  Json facts = json();
  facts["counted_by"][worker] = build;
  facts_ = std::move(facts);
}

}  // namespace uotbench
