// What CUDA kernels do to memory: a row a case, and a row a source line. Then counters that not every source
// has, and metrics.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "roofline/tables/counter_table.hpp"

namespace uotbench {
namespace {

/// A number of a case: a counter, or the ratio of two.
struct GpuQuantity {
  const char* title;
  const char* over;
  const char* under = nullptr;
};

constexpr GpuQuantity gpu_quantities[]{
    {"loads", "GPU.load_requests"},
    {"sectors/load", "GPU.load_sectors", "GPU.load_requests"},
    {"load efficiency", "GPU.load_ideal_sectors", "GPU.load_sectors"},
    {"stores", "GPU.store_requests"},
    {"sectors/store", "GPU.store_sectors", "GPU.store_requests"},
    {"atomics", "GPU.atomic_requests"},
    {"sectors/atomic", "GPU.atomic_sectors", "GPU.atomic_requests"},
    {"shared loads", "GPU.shared_load_requests"},
    {"wavefronts/load", "GPU.shared_load_wavefronts", "GPU.shared_load_requests"},
    {"load conflicts", "GPU.shared_load_conflicts"},
    {"shared stores", "GPU.shared_store_requests"},
    {"store conflicts", "GPU.shared_store_conflicts"},
    {"barriers", "GPU.barriers"},
    {"exponentials", "GPU.exponentials"},
    {"read", "GPU.bytes_read"},
    {"written", "GPU.bytes_written"},
};

/// Of one kind of access, what of it has lines.
struct Access {
  const char* name;
  const char* requests;
  const char* sectors;
  const char* wavefronts;
  const char* conflicts;
};

constexpr Access accesses[]{
    {"load", "GPU.load_requests", "GPU.load_sectors", nullptr, nullptr},
    {"store", "GPU.store_requests", "GPU.store_sectors", nullptr, nullptr},
    {"atomic", "GPU.atomic_requests", "GPU.atomic_sectors", nullptr, nullptr},
    {"shared load", "GPU.shared_load_requests", nullptr, "GPU.shared_load_wavefronts",
     "GPU.shared_load_conflicts"},
    {"shared store", "GPU.shared_store_requests", nullptr, "GPU.shared_store_wavefronts",
     "GPU.shared_store_conflicts"},
};

std::string per_of(const Counter& counter) { return name_of(counter.per); }

std::string ratio_text(double ratio) { return format_fixed(ratio, 2); }

/// "an iteration", or "a part" where that is what all were counted of.
std::string unit_text(const std::vector<std::string>& units) {
  if (units.size() != 1) return "unit (iteration, solve or part)";
  return units.front();
}

/// The number, with what is told of its parts. `units`: those of all values so far.
Counter value_of(const GpuQuantity& quantity, const Record& record, const CountersOf& run,
                 CounterTable& table, std::vector<std::string>& units) {
  const auto read = [&](const char* name) {
    if (!run.has_gpu(name)) return counter_or_why(record, name);
    Counter counter = table.read(record, name, "GPU");
    if (counter.value && std::ranges::find(units, per_of(counter)) == units.end())
      units.push_back(per_of(counter));
    return counter;
  };
  Counter over = read(quantity.over);
  if (!quantity.under) return over;
  const Counter under = read(quantity.under);
  if (!over.value || !under.value || *under.value <= 0 || text_of(over.origin) != text_of(under.origin))
    return {.value = {}, .origin = {}};
  return {.value = *over.value / *under.value, .origin = over.origin};
}

std::string text_of(const GpuQuantity& quantity, const Counter& counter) {
  if (quantity.under) return ratio_text(*counter.value);
  return counter.unit == "bytes" ? format_bytes(*counter.value) : format_count(*counter.value);
}

/// One kind of access on one line of a kernel.
using Values = std::map<std::string, double>;  ///< by counter
struct Place {
  std::string kernel, line;
  std::size_t access;
  auto operator<=>(const Place&) const = default;
};

/// "kernel<float> file.cu:31": the place has no blanks, a kernel's name may.
std::pair<std::string, std::string> split_place(const std::string& at) {
  const auto blank = at.rfind(' ');
  return blank == std::string::npos ? std::pair{std::string(), at}
                                    : std::pair{at.substr(0, blank), at.substr(blank + 1)};
}

/// Numbers in a place's end by their value: line 9 stands before line 31.
bool before(const Place& a, const Place& b) {
  const auto key = [](const Place& place) {
    const auto colon = place.line.rfind(':');
    const std::string digits = colon == std::string::npos ? "" : place.line.substr(colon + 1);
    return std::tuple{place.kernel, place.line.substr(0, colon), digits.size(), digits, place.access};
  };
  return key(a) < key(b);
}

std::map<Place, Values> places_of(const Record& record) {
  std::map<Place, Values> places;
  for (std::size_t i = 0; i < std::size(accesses); ++i)
    for (const char* name :
         {accesses[i].requests, accesses[i].sectors, accesses[i].wavefronts, accesses[i].conflicts}) {
      const auto counter = name ? counter_of(record, name) : std::nullopt;
      if (!counter || !counter->value) continue;
      for (const auto& line : counter->lines) {
        const auto [kernel, at] = split_place(line.at);
        places[{kernel, at, i}][name] += line.value;
      }
    }
  return places;
}

Table::Row row_of(const Place& place, const Values& values) {
  const Access& access = accesses[place.access];
  const auto value = [&](const char* name) -> std::optional<double> {
    const auto found = name ? values.find(name) : values.end();
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  const auto text = [](std::optional<double> number) { return number ? format_count(*number) : "-"; };
  const auto requests = value(access.requests), sectors = value(access.sectors),
             wavefronts = value(access.wavefronts);
  const auto each = [&](std::optional<double> number) {
    return number && requests && *requests > 0 ? ratio_text(*number / *requests) : "-";
  };
  return {place.line,    access.name,      text(requests),   text(sectors),
          each(sectors), text(wavefronts), each(wavefronts), text(value(access.conflicts))};
}

}  // namespace

bool has_lines(const Record& record) { return !places_of(record).empty(); }

Table gpu_table(const CountersOf& run) {
  CounterTable table("Global and shared memory of CUDA kernels");
  std::vector<std::string> units;
  for (const auto& quantity : gpu_quantities)
    table.column(
        {quantity.title,
         [&](const CaseView& member) { return value_of(quantity, *member.record, run, table, units); },
         [&](const Counter& counter) { return text_of(quantity, counter); }});
  table.add_rows_with_sources(run.view, [&](const CaseView& member) {
    return std::ranges::any_of(
        run.gpu, [&](const std::string& name) { return counter_of(*member.record, name).has_value(); });
  });
  table.leave_out_needless_columns();
  return table.made(fmt::format(
      "Requests of warps, counted per {}; sectors of 32 bytes, 4 of which hold 32 lanes' 4 bytes; "
      "efficiency: the fewest sectors over those touched. Source: {}.",
      unit_text(units), table.sources()));
}

Table gpu_lines_table(const CountersOf& run) {
  using enum Table::Holds;
  Table table{
      .title = "Lines of CUDA kernels",
      .about =
          "Memory requests of each source line; sectors are of global memory, wavefronts and conflicts of "
          "shared memory, each also per request.",
      .columns = {{"line"},
                  {"access"},
                  {"requests", numbers},
                  {"sectors", numbers},
                  {"/request", numbers},
                  {"wavefronts", numbers},
                  {"/request", numbers},
                  {"conflicts", numbers}}};
  std::size_t cases = 0;
  for (const auto& group : run.view.groups)
    for (const auto& member : group.cases) cases += has_lines(*member.record);
  for (const auto& group : run.view.groups)
    for (const auto& member : group.cases) {
      const auto places = places_of(*member.record);
      std::vector<Place> order;
      for (const auto& [place, values] : places) order.push_back(place);
      std::ranges::sort(order, before);
      const std::string* kernel = nullptr;
      for (const auto& place : order) {
        if (!kernel || *kernel != place.kernel) {
          const std::string name = place.kernel.empty() ? "kernels" : place.kernel;
          table.heading(cases > 1 ? fmt::format("{}: {}", member.record->id, name) : name);
        }
        kernel = &place.kernel;
        table.row(row_of(place, places.at(place)));
      }
    }
  return table;
}

namespace {

constexpr std::size_t lines_shown = 8;

/// "a.cpp:12 (3072), a.cpp:40 (12) and 3 more".
std::string lines_text(const Counter& counter) {
  std::vector<std::string> texts;
  for (const auto& line : counter.lines)
    texts.push_back(fmt::format("{} ({})", line.at, format_count(line.value)));
  return shortened(texts, lines_shown);
}

/// With its unit where that is not the column's.
std::string text_of(const Counter& counter, const std::string& unit_of_column) {
  const bool said = counter.unit == unit_of_column || writes_unit(counter.unit);
  return text_in_unit(*counter.value, counter.unit) + (said ? "" : " " + counter.unit);
}

/// Units of counters, as the first record that has them says.
std::map<std::string, std::string> units_of(const CountersOf& run) {
  std::map<std::string, std::string> units;
  for (const auto& record : run.view.run->records)
    for (const auto& name : run.others)
      if (const auto counter = counter_of(record, name)) units.try_emplace(name, counter->unit);
  for (const auto& name : run.others) units.try_emplace(name, "1");
  return units;
}

/// "Counted per iteration. " Where nothing has a value: nothing.
std::string units_counted(const CountersOf& run) {
  std::set<std::string> units;
  for (const auto& record : run.view.run->records)
    for (const auto& name : run.others)
      if (const auto counter = counter_of(record, name); counter && counter->value)
        units.insert(name_of(counter->per));
  return units.empty() ? "" : fmt::format("Counted per {}. ", fmt::join(units, " or "));
}

/// Its sources are those of its counters; what else is in it, the formula tells.
Counter told_value_of(const Metric& metric, const Record& record, CounterTable& table) {
  Counter value = value_of(metric, record);
  for (const auto& name : metric.formula.names()) {
    const Counter part = counter_or_why(record, name);
    if (part.value) table.tell_source(name, part.origin);
    if (value.value && name.ends_with(".accesses") && counts_elements(part.origin)) table.tell_elements();
    // The reason of a counter is told once.
    if (!value.value && !part.value && value.reason == fmt::format("{}: {}", name, part.reason))
      value.reason = part.reason;
  }
  if (!value.value) table.tell_reason(metric.name, value.reason);
  if (!value.note.empty()) table.tell_remark(metric.name, value.note);
  return value;
}

/// What of this name the work of a record's variant is modelled to have.
std::optional<double> modelled_count(const Record& record, const std::string& name) {
  if (!record.work || record.work->counted) return std::nullopt;
  for (const auto& [operation, count] : record.work->operations)
    if (operation == name) return count;
  return std::nullopt;
}

/// Counted over modelled, of a counter that is called as operations of the work are: messages, bytes_sent.
void add_counted_over_modelled(CounterTable& table, const CountersOf& run, const std::string& name) {
  if (std::ranges::none_of(run.view.run->records,
                           [&](const Record& record) { return modelled_count(record, name).has_value(); }))
    return;
  const std::string title = name + ", counted/ modelled";
  const auto value = [&table, name, title](const CaseView& member) {
    const Counter own = counter_or_why(*member.record, name);
    Counter ratio{.origin = own.origin};
    const auto model = modelled_count(*member.record, name);
    if (own.value && model && *model > 0)
      ratio.value = *own.value / *model;
    else if (own.value)
      table.tell_reason(title, "its work model has none");
    return ratio;
  };
  table.column({title, value, [](const Counter& ratio) { return format_fixed(*ratio.value, 3); }});
}

}  // namespace

Table others_table(const CountersOf& run) {
  CounterTable table("Other counters and metrics");
  std::vector<std::string> lines;
  std::set<std::string> has_value;  // metrics, in some row
  const auto units = units_of(run);
  for (const auto& name : run.others) {
    const std::string& unit = units.at(name);
    const auto value = [&](const CaseView& member) {
      Counter counter = table.read(*member.record, name);
      // Which lines of code write what other threads use is what such a count is for.
      const bool blames =
          name.find("sharing") != std::string::npos || name.find("races") != std::string::npos;
      if (!counter.lines.empty() && blames)
        lines.push_back(fmt::format("{} of {}: {}", name, member.record->id, lines_text(counter)));
      return counter;
    };
    table.column(
        {title_in_unit(name, unit), value, [&](const Counter& counter) { return text_of(counter, unit); }});
    add_counted_over_modelled(table, run, name);
  }
  for (const auto& metric : run.metrics.all()) {
    if (is_of_gpu(metric.name)) continue;
    const auto value = [&](const CaseView& member) {
      Counter counter = told_value_of(metric, *member.record, table);
      if (counter.value) has_value.insert(metric.name);
      return counter;
    };
    table.column(
        {metric.title(), value, [&](const Counter& counter) { return text_of(counter, metric.unit); }});
  }
  table.add_rows_with_sources(run.view, [](const CaseView&) { return true; });
  table.leave_out_needless_columns();
  std::string about = fmt::format("{}Source: {}.", units_counted(run), table.sources());
  for (const auto& metric : run.metrics.all())
    if (has_value.contains(metric.name))
      about += fmt::format(" {} = {}{}.", metric.name, metric.formula.text(),
                           metric.about.empty() ? "" : ": " + metric.about);
  Table made = table.made(std::move(about));
  add_notes(made, lines);
  return made;
}

}  // namespace uotbench
