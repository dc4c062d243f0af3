// What CUDA kernels do to memory: a row a case, and a row a source line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

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

}  // namespace uotbench
