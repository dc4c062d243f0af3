#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <optional>
#include <sstream>

#include "harness/host/process/files.hpp"
#include "harness/worker/counters/perf_backend.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

/// Only what is listed is opened: a hostile name leads nowhere else.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) names.push_back(entry.path().filename());
  std::ranges::sort(names);
  return names;
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::optional<std::uint64_t> number_of(std::string text) {
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) base = 16, text = text.substr(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Which bits of which word a field is: "config:0-7,32-35".
struct Field {
  std::string word;
  std::vector<int> bits;
};

Field field_of(const std::string& format) {
  const std::size_t colon = format.find(':');
  if (colon == std::string::npos) return {};
  return {format.substr(0, colon), numbers_of(format.substr(colon + 1))};
}

std::uint64_t* word_of(const std::string& name, PerfConfig& config) {
  if (name == "config") return &config.config;
  if (name == "config1") return &config.config1;
  if (name == "config2") return &config.config2;
  return nullptr;
}

}  // namespace

std::vector<int> numbers_of(const std::string& list) {
  constexpr int most = 65536;  // more CPUs than Linux can be built for
  std::vector<int> numbers;
  for (const auto& range : parts_of(list, ',')) {
    const auto dash = range.find('-');
    const auto first = number_of(range.substr(0, dash));
    const auto last = dash == std::string::npos ? first : number_of(range.substr(dash + 1));
    if (!first || !last || *first > *last || *last >= most) return {};
    for (std::uint64_t number = *first; number <= *last; ++number)
      numbers.push_back(static_cast<int>(number));
  }
  return numbers;
}

PerfPmu::PerfPmu(fs::path folder) : folder_(std::move(folder)) {}

std::uint32_t PerfPmu::type() const {
  const auto type = number_of(read_text(folder_ / "type").value_or(""));
  if (!type || *type > UINT32_MAX) throw Error(fmt::format("{} does not say its type", folder_.string()));
  return static_cast<std::uint32_t>(*type);
}

std::vector<int> PerfPmu::cpus() const { return numbers_of(read_text(folder_ / "cpumask").value_or("")); }

PerfPmu::Event PerfPmu::event(const std::string& terms) const {
  Event event;
  const auto parts = parts_of(terms, ',');
  if (parts.empty())
    throw UsageError(fmt::format("{}/{}/ names no event; expected {}/event=0x29,umask=0x01/ or {}/NAME/",
                                 name(), terms, name(), name()));
  for (const auto& term : parts) apply(term, false, event);
  return event;
}

void PerfPmu::apply(const std::string& term, bool of_alias, Event& event) const {
  const std::size_t equals = term.find('=');
  const std::string key = trimmed(term.substr(0, equals));
  const auto fields = names_in(folder_ / "format");
  const auto aliases = names_in(folder_ / "events");
  if (equals == std::string::npos && !of_alias && holds(aliases, key)) return apply_alias(key, event);

  Field field;
  if (holds(fields, key)) {
    field = field_of(read_text(folder_ / "format" / key).value_or(""));
  } else if (PerfConfig words; word_of(key, words)) {
    field = {key, numbers_of("0-63")};
  } else {
    auto known = fields;
    known.insert(known.end(), aliases.begin(), aliases.end());
    throw UsageError(
        fmt::format("PMU {} has no event or field \"{}\"{}", name(), key, did_you_mean(key, known)));
  }
  std::uint64_t* word = word_of(field.word, event.config);
  if (!word || field.bits.empty() || std::ranges::max(field.bits) > 63)
    throw Error(fmt::format("the field {} of PMU {} is where this program cannot write it", key, name()));

  const std::string given = equals == std::string::npos ? "1" : trimmed(term.substr(equals + 1));
  const auto value = number_of(given);
  if (!value)
    throw UsageError(
        fmt::format("{}={} of PMU {}: expected a number of 64 bits such as 0x29 or 41, got \"{}\"", key,
                    given, name(), given));
  if (static_cast<std::size_t>(std::bit_width(*value)) > field.bits.size())
    throw UsageError(fmt::format("{}={} of PMU {}: too large, the field has {} bit{}", key, given, name(),
                                 field.bits.size(), field.bits.size() == 1 ? "" : "s"));
  for (std::size_t i = 0; i < field.bits.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << field.bits[i];
    *word = (*value >> i & 1) != 0 ? *word | bit : *word & ~bit;
  }
}

void PerfPmu::apply_alias(const std::string& alias, Event& event) const {
  const fs::path file = folder_ / "events" / alias;
  for (const auto& term : parts_of(read_text(file).value_or(""), ',')) apply(term, true, event);
  event.scale = read_number(file.string() + ".scale").value_or(1);
  event.unit = read_text(file.string() + ".unit").value_or("");
  // Memory controllers count lines, and scale them to mebibytes.
  for (const auto& [unit, bytes] :
       {std::pair{"KiB", 0x1p10}, std::pair{"MiB", 0x1p20}, std::pair{"GiB", 0x1p30}})
    if (event.unit == unit) {
      event.scale *= bytes;
      event.unit = "bytes";
      return;
    }
}

bool PerfPmu::knows(const std::string& terms) const {
  const auto fields = names_in(folder_ / "format"), aliases = names_in(folder_ / "events");
  return std::ranges::all_of(parts_of(terms, ','), [&](const std::string& term) {
    const std::string name = trimmed(term.substr(0, term.find('=')));
    PerfConfig words;
    return holds(fields, name) || holds(aliases, name) || word_of(name, words);
  });
}

std::vector<PerfPmu> perf_pmus(const fs::path& root) {
  const fs::path folder = root / "sys/bus/event_source/devices";
  std::vector<PerfPmu> pmus;
  for (const auto& name : names_in(folder)) pmus.emplace_back(folder / name);
  return pmus;
}

}  // namespace uotbench
