#include "results/record/counter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "results/base/json.hpp"

namespace uotbench {

const Counters::Entry* Counters::find(std::string_view name) const {
  const auto found = std::ranges::find(entries_, name, &Entry::name);
  return found == entries_.end() ? nullptr : &*found;
}

Counter& Counters::operator[](std::string_view name) {
  auto found = std::ranges::find(entries_, name, &Entry::name);
  if (found == entries_.end())
    found = entries_.insert(found, {.name = std::string(name), .counter = {}, .as_read = {}});
  found->as_read = {};
  if (!found->counter) found->counter.emplace();
  return *found->counter;
}

Json to_json(const Counter& counter) {
  const CounterOrigin& origin = counter.origin;
  Json json{{"value", counter.value ? Json(*counter.value) : Json(nullptr)},
            {"reason", counter.value ? Json(nullptr) : Json(counter.reason)},
            {"source", origin.source},
            {"kind", counter.value ? Json(origin.kind) : Json(nullptr)},
            {"per", name_of(counter.per)},
            {"unit", counter.unit}};
  if (!origin.worker.empty()) json["worker"] = origin.worker;
  if (origin.running) json["running"] = *origin.running;
  if (origin.socket_wide) json["socket_wide"] = true;
  if (!counter.from.empty()) json["from"] = counter.from;
  if (!counter.note.empty()) json["note"] = counter.note;
  for (const auto& line : counter.lines) json["lines"].push_back({{"at", line.at}, {"value", line.value}});
  return json;
}

std::optional<Counter> counter_from(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  const auto text = [&](const char* key, const char* otherwise) {
    const auto value = json.find(key);
    const bool told = value != json.end() && value->is_string() && !value->text().empty();
    return told ? value->get<std::string>() : std::string(otherwise);
  };
  const auto number = [](const Json& holder, const char* key) {
    const auto value = holder.find(key);
    return value != holder.end() && value->is_number() ? std::optional(value->get<double>()) : std::nullopt;
  };
  const std::string per = text("per", name_of(Unit::iteration));
  const auto unit = unit_from(per);
  Counter counter{.value = number(json, "value"),
                  .reason = text("reason", "no reason given"),
                  .origin = {.source = text("source", "unknown source"),
                             .kind = text("kind", "measured"),
                             .worker = text("worker", ""),
                             .running = number(json, "running"),
                             .socket_wide = json.value("socket_wide", Json()) == true},
                  .unit = text("unit", "1"),
                  .per = unit.value_or(Unit::iteration),
                  .from = text("from", ""),
                  .note = text("note", "")};
  if (counter.value && !(*counter.value >= 0 && std::isfinite(*counter.value))) {
    counter.reason = fmt::format("the record has {}, which is no count", *counter.value);
    counter.value.reset();
  }
  if (counter.value && !unit) {
    counter.reason = fmt::format("it is per {}, which is no unit", per);
    counter.value.reset();
  }
  if (counter.value) counter.reason.clear();
  const Json lines = json.value("lines", Json());
  if (lines.is_array())
    for (const auto& line : lines) {
      if (!line.is_object() || !line.value("at", Json()).is_string()) continue;
      if (const auto value = number(line, "value"))
        counter.lines.push_back({.at = line["at"].get<std::string>(), .value = *value});
    }
  return counter;
}

Json to_json(const Counters& counters) {
  Json json = Json::object();
  for (const auto& entry : counters)
    json[entry.name] =
        entry.as_read.is_null() && entry.counter ? to_json(*entry.counter) : entry.as_read.json();
  return json;
}

Counters counters_from(const Json& json) {
  Counters counters;
  if (!json.is_object()) return counters;
  for (const auto& [name, told] : json.items()) {
    Counters::Entry entry{.name = name, .counter = counter_from(told), .as_read = {}};
    // As text: 5 and 5.0 are equal, and not the same line of a file.
    if (!entry.counter || to_line(to_json(*entry.counter)) != to_line(told)) entry.as_read = Document(told);
    counters.entries_.push_back(std::move(entry));
  }
  return counters;
}

// The order in which basic blocks were executed, as text.

namespace {

/// A block, and how often it is executed before another one is.
struct BlockRun {
  std::size_t block = 0, times = 1;
  bool operator==(const BlockRun&) const = default;
};

std::vector<BlockRun> block_runs(const std::vector<std::size_t>& blocks) {
  std::vector<BlockRun> runs;
  for (const std::size_t block : blocks)
    if (!runs.empty() && runs.back().block == block)
      ++runs.back().times;
    else
      runs.push_back({.block = block});
  return runs;
}

/// How often the `length` runs at `begin` are there, one time after the other.
std::size_t turns_of(const std::vector<BlockRun>& runs, std::size_t begin, std::size_t length) {
  std::size_t end = begin + length;
  while (end < runs.size() && runs[end] == runs[end - length]) ++end;
  return (end - begin) / length;
}

std::string with_times(std::string text, std::size_t times) {
  return times == 1 ? text : fmt::format("{}*{}", text, times);
}

std::string group_text(const std::vector<BlockRun>& runs, std::size_t begin, std::size_t length) {
  std::string text;
  for (std::size_t i = begin; i < begin + length; ++i)
    text += (text.empty() ? "" : " ") + with_times(fmt::format("{}", runs[i].block), runs[i].times);
  return text;
}

/// Reads one text from its begin to its end.
class BlockSequenceReader {
 public:
  BlockSequenceReader(std::string_view text, std::size_t most) : text_(text), most_(most) {}

  std::optional<std::vector<std::size_t>> read() {
    while (!text_.empty()) {
      if (!blocks_.empty() && !take(' ')) return std::nullopt;
      if (!(take('(') ? group() : run())) return std::nullopt;
    }
    return std::move(blocks_);
  }

 private:
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }

  bool number(std::size_t& value) {
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc()) return false;
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    return true;
  }

  /// "*31", or nothing: once.
  bool repetitions(std::size_t& times) {
    times = 1;
    return !take('*') || (number(times) && times > 0);
  }

  bool run() {
    std::size_t block = 0, times = 0;
    if (!number(block) || !repetitions(times) || times > most_ - blocks_.size()) return false;
    blocks_.insert(blocks_.end(), times, block);
    return true;
  }

  bool group() {
    const std::size_t begin = blocks_.size();
    do
      if (!run()) return false;
    while (take(' '));
    std::size_t times = 0;
    if (!take(')') || !repetitions(times)) return false;
    const std::vector<std::size_t> once(blocks_.begin() + static_cast<std::ptrdiff_t>(begin), blocks_.end());
    if (times - 1 > (most_ - blocks_.size()) / once.size()) return false;
    for (std::size_t i = 1; i < times; ++i) blocks_.insert(blocks_.end(), once.begin(), once.end());
    return true;
  }

  std::string_view text_;
  std::size_t most_;
  std::vector<std::size_t> blocks_;
};

}  // namespace

std::string block_sequence_text(const std::vector<std::size_t>& blocks) {
  // The body of an outer loop is rarely longer, and each length is tried at each block.
  constexpr std::size_t longest_group = 16;
  const auto runs = block_runs(blocks);
  std::string text;
  for (std::size_t i = 0; i < runs.size();) {
    std::size_t length = 1, turns = 1;
    for (std::size_t other = 2; other <= longest_group && i + 2 * other <= runs.size(); ++other)
      if (const std::size_t its = turns_of(runs, i, other); its > 1 && its * other > turns * length)
        length = other, turns = its;
    if (!text.empty()) text += ' ';
    const std::string group = group_text(runs, i, length);
    text += turns == 1 ? group : with_times("(" + group + ")", turns);
    i += length * turns;
  }
  return text;
}

std::optional<std::vector<std::size_t>> block_sequence_from(std::string_view text, std::size_t most) {
  return BlockSequenceReader(text, most).read();
}

}  // namespace uotbench
