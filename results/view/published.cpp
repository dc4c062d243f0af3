#include "results/view/published.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/line_json.hpp"

namespace uotbench {
namespace {

PublishedMachine machine_from(const std::string& key, const Json& json) {
  PublishedMachine machine{.key = key, .name = json.at("name")};
  if (json.contains("multiprocessor")) {
    const Json& holds = json.at("multiprocessor");
    machine.multiprocessor = Multiprocessor{.count = holds.at("count"),
                                            .threads = holds.at("threads"),
                                            .blocks = holds.at("blocks"),
                                            .shared_bytes = holds.at("shared_bytes")};
  }
  return machine;
}

std::optional<double> number_in(const Json& json, const char* key) {
  return json.contains(key) ? std::optional(json.at(key).get<double>()) : std::nullopt;
}

PublishedValue published_from(const Json& json, const Published& all, const std::string& where) {
  const std::string machine = json.at("machine");
  const auto found = std::ranges::find(all.machines, machine, &PublishedMachine::key);
  if (found == all.machines.end()) {
    std::vector<std::string> keys;
    for (const auto& known : all.machines) keys.push_back(known.key);
    throw UsageError(fmt::format("{}/machine: expected one of the published machines ({}), got \"{}\"", where,
                                 fmt::join(keys, ", "), machine));
  }
  PublishedValue value{.variant = json.at("variant"),
                       .machine = static_cast<std::size_t>(found - all.machines.begin()),
                       .time = number_in(json, "time")};
  const Json counters = json.value("counters", Json::object());
  for (const auto& [name, count] : counters.items()) value.counters.emplace_back(name, count.get<double>());
  const Json occupancy = json.value("occupancy", Json::object());
  value.theoretical_occupancy = number_in(occupancy, "theoretical");
  value.achieved_occupancy = number_in(occupancy, "achieved");
  for (const auto& other : all.values)
    if (other.variant == value.variant && other.machine == value.machine)
      throw UsageError(
          fmt::format("{}: expected one entry for each variant and machine, got \"{}\" on \"{}\" again",
                      where, value.variant, machine));
  return value;
}

std::string ending_of(const Record& record) {
  return fmt::format("{}: {}", name_of(record.status), record.reason.value_or("no reason given"));
}

/// Why none of these cases has a time. That of a case which is not ok may be mended; an ok one without a time
/// was never to have one.
std::string reason_without_time(const std::vector<const CaseView*>& cases) {
  for (const auto* member : cases)
    if (member->record->status != Status::ok) return ending_of(*member->record);
  if (!cases.front()->time) return fmt::format("not timed by {}", cases.front()->record->worker);
  return "its variant declares no work";
}

std::string reason_without(const std::string& counter, const std::vector<const CaseView*>& cases) {
  const Record& record = *cases.front()->record;
  if (record.status != Status::ok) return ending_of(record);
  for (const auto* member : cases)
    if (const Counter counted = counter_or_why(*member->record, counter);
        counted.value && !scale_to(1, *member->record))
      return "its variant declares no work, by which the count could be scaled";
  return counter_or_why(record, counter).reason;
}

PublishedRow rate_row(const PublishedValue& value, const std::vector<const CaseView*>& cases, double flops) {
  PublishedRow row{.variant = value.variant,
                   .machine = value.machine,
                   .quantity = flop_rate_name,
                   .unit = "flops/seconds",
                   .published = flops / *value.time,
                   .digits = digits_of(*value.time)};
  row.ours = fastest_by_rate(cases);
  if (row.ours) {
    row.value = flop_rate(*row.ours);
    row.source = fmt::format("{}, measured", row.ours->record->worker);
  } else {
    row.reason = reason_without_time(cases);
  }
  return row;
}

PublishedRow counter_row(const PublishedValue& value, const std::string& name, double count,
                         const std::vector<const CaseView*>& cases, double flops) {
  PublishedRow row{.variant = value.variant,
                   .machine = value.machine,
                   .quantity = name,
                   .unit = "1",
                   .published = count,
                   .digits = digits_of(count)};
  row.ours = nearest_counted(cases, name, flops);
  if (row.ours) {
    const Counter counted = counter_or_why(*row.ours->record, name);
    row.scale = *scale_to(flops, *row.ours->record);
    row.value = *counted.value * row.scale;
    row.unit = counted.unit;
    row.source = text_of(counted.origin);
  } else {
    row.reason = reason_without(name, cases);
  }
  return row;
}

}  // namespace

std::vector<std::string> Published::variants() const {
  std::vector<std::string> names;
  for (const auto& value : values)
    if (std::ranges::find(names, value.variant) == names.end()) names.push_back(value.variant);
  return names;
}

std::vector<std::string> Published::counters() const {
  std::vector<std::string> names;
  for (const auto& value : values)
    for (const auto& [name, count] : value.counters)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

Published published_from(const Json& json, const std::string& where) try {
  Published published{.source = json.at("source"), .flops = json.at("flops"), .machines = {}, .values = {}};
  if (!(published.flops > 0))
    throw UsageError(
        fmt::format("{}/flops: expected a number above 0, got {}", where, to_line(json.at("flops"))));
  for (const auto& [key, machine] : json.at("machines").items())
    published.machines.push_back(machine_from(key, machine));
  for (const auto& value : json.at("values"))
    published.values.push_back(
        published_from(value, published, fmt::format("{}/values/{}", where, published.values.size())));
  return published;
} catch (const Json::Exception& error) {
  const std::string wrong = line_violation("published", json);
  throw UsageError(where + (wrong.starts_with('/') ? "" : ": ") +
                   (wrong.empty() ? std::string(error.what()) : wrong));
}

std::optional<Published> published_of(const RunHeader& header) {
  const Json& published = header.sweep.published();
  if (published.is_null()) return std::nullopt;
  return published_from(published, "the run's sweep: /published");
}

std::optional<double> flop_rate(const CaseView& member) {
  const Record& record = *member.record;
  if (record.status != Status::ok || !member.time || !(member.time->median > 0)) return std::nullopt;
  if (!record.work || !(record.work->flops > 0)) return std::nullopt;
  return record.work->flops / member.time->median;
}

std::optional<double> scale_to(double flops, const Record& record) {
  if (!record.work || !(record.work->flops > 0)) return std::nullopt;
  return flops / record.work->flops;
}

const CaseView* fastest_by_rate(const std::vector<const CaseView*>& cases) {
  const CaseView* best = nullptr;
  for (const auto* member : cases)
    if (const auto rate = flop_rate(*member); rate && (!best || *rate > *flop_rate(*best))) best = member;
  return best;
}

const CaseView* nearest_counted(const std::vector<const CaseView*>& cases, const std::string& counter,
                                double flops) {
  const CaseView* nearest = nullptr;
  const auto distance = [&](const CaseView& member) {
    return std::fabs(std::log(*scale_to(flops, *member.record)));
  };
  for (const auto* member : cases)
    if (member->record->status == Status::ok && counted(*member->record, counter) &&
        scale_to(flops, *member->record) && (!nearest || distance(*member) < distance(*nearest)))
      nearest = member;
  return nearest;
}

std::vector<PublishedRow> published_rows(const RunView& view, const Published& published) {
  std::vector<PublishedRow> rows;
  for (const auto& value : published.values) {
    std::vector<const CaseView*> cases;
    for (const auto& group : view.groups)
      for (const auto& member : group.cases)
        if (member.record->variant == value.variant) cases.push_back(&member);
    if (cases.empty()) continue;
    // What is ok tells more of why it has no value than what was skipped.
    std::ranges::stable_sort(cases, {},
                             [](const CaseView* member) { return member->record->status != Status::ok; });
    if (value.time) rows.push_back(rate_row(value, cases, published.flops));
    for (const auto& [name, count] : value.counters)
      rows.push_back(counter_row(value, name, count, cases, published.flops));
  }
  return rows;
}

int digits_of(double value) {
  std::string text = fmt::format("{}", std::fabs(value));
  text = text.substr(0, text.find('e'));
  std::erase(text, '.');
  const auto first = text.find_first_not_of('0'), last = text.find_last_not_of('0');
  return first == std::string::npos ? 1 : static_cast<int>(last - first + 1);
}

}  // namespace uotbench
