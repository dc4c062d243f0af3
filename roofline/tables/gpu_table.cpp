// What CUDA kernels do to memory: a row a case, and a row a source line.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "results/base/units.hpp"
#include "roofline/tables/counter_notes.hpp"
#include "roofline/tables/counter_rows.hpp"

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

std::string ratio_text(double over, double under) { return fmt::format("{:.2f}", over / under); }

/// "an iteration", or "a part" where that is what all were counted of.
std::string unit_text(const std::vector<std::string>& units) {
  if (units.size() != 1) return "unit (iteration, solve or part)";
  return units.front();
}

class GpuTable {
 public:
  explicit GpuTable(const CountersOf& run) : run_(run) {}

  ReportTable made() {
    ReportTable table{
        .title = "Global and shared memory of CUDA kernels", .about = {}, .columns = {"case"}, .rows = {}};
    for (const auto& quantity : gpu_quantities) table.columns.push_back(quantity.title);
    table.columns.push_back("source");
    add_rows(table, run_.view, [&](const CaseView& member) { return row_of(member); });
    leave_out_empty_columns(table);
    const std::string only = take_only_source(table);
    if (only.empty()) table.words.push_back(table.columns.size() - 1);
    table.about = fmt::format(
        "Requests of warps, counted per {}; sectors of 32 bytes, 4 of which hold 32 lanes' 4 bytes; "
        "efficiency: "
        "the fewest sectors over those touched. Source: {}.",
        unit_text(units_), only.empty() ? sources_.alone() : only);
    add_notes(table, reasons_.texts("no value of "));
    add_notes(table, remarks_.texts(""));
    return table;
  }

 private:
  std::vector<std::string> row_of(const CaseView& member) {
    const Record& record = *member.record;
    if (std::ranges::none_of(run_.gpu,
                             [&](const std::string& name) { return counter_of(record, name).has_value(); }))
      return {};
    std::vector<std::string> row{member.label};
    own_ = Origins();
    for (const auto& quantity : gpu_quantities) row.push_back(cell(quantity, record));
    row.push_back(own_.text());
    sources_.add(own_);
    return row;
  }

  std::string cell(const GpuQuantity& quantity, const Record& record) {
    const Counter over = read(quantity.over, record);
    if (!quantity.under) return over.value ? text_of(quantity.title, over) : "-";
    const Counter under = read(quantity.under, record);
    if (!over.value || !under.value || *under.value <= 0 || text_of(over.origin) != text_of(under.origin))
      return "-";
    shown_.insert(quantity.title);
    return ratio_text(*over.value, *under.value);
  }

  std::string text_of(const char* title, const Counter& counter) {
    shown_.insert(title);
    return counter.unit == "bytes" ? format_bytes(*counter.value) : format_count(*counter.value);
  }
  static std::string text_of(const CounterOrigin& origin) { return uotbench::text_of(origin); }

  Counter read(const char* name, const Record& record) {
    Counter counter = counter_or_why(record, name);
    if (counter.value) {
      own_.add("GPU", counter.origin);
      if (std::ranges::find(units_, per_of(counter)) == units_.end()) units_.push_back(per_of(counter));
      if (!counter.note.empty()) remarks_.add(name, counter.note);
    } else if (run_.has_gpu(name)) {
      reasons_.add(name, counter.reason);
    }
    return counter;
  }

  void leave_out_empty_columns(ReportTable& table) const {
    for (std::size_t i = std::size(gpu_quantities); i > 0; --i) {
      if (shown_.contains(gpu_quantities[i - 1].title)) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      table.columns.erase(table.columns.begin() + at);
      for (auto& row : table.rows)
        if (row.size() > 1) row.erase(row.begin() + at);
    }
  }

  const CountersOf& run_;
  Reasons reasons_, remarks_;
  Origins own_, sources_;
  std::vector<std::string> units_;
  std::set<std::string> shown_;
};

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

std::vector<std::string> row_of(const Place& place, const Values& values) {
  const Access& access = accesses[place.access];
  const auto value = [&](const char* name) -> std::optional<double> {
    const auto found = name ? values.find(name) : values.end();
    return found == values.end() ? std::nullopt : std::optional(found->second);
  };
  const auto text = [](std::optional<double> number) { return number ? format_count(*number) : "-"; };
  const auto requests = value(access.requests), sectors = value(access.sectors),
             wavefronts = value(access.wavefronts);
  const auto each = [&](std::optional<double> number) {
    return number && requests && *requests > 0 ? ratio_text(*number, *requests) : "-";
  };
  return {place.line,    access.name,      text(requests),   text(sectors),
          each(sectors), text(wavefronts), each(wavefronts), text(value(access.conflicts))};
}

}  // namespace

bool has_lines(const Record& record) { return !places_of(record).empty(); }

ReportTable gpu_table(const CountersOf& run) { return GpuTable(run).made(); }

ReportTable gpu_lines_table(const CountersOf& run) {
  ReportTable table{
      .title = "Lines of CUDA kernels",
      .about =
          "What each source line asked of memory; sectors are of global memory, wavefronts and conflicts of "
          "shared memory, each also per request.",
      .columns = {"line", "access", "requests", "sectors", "/request", "wavefronts", "/request", "conflicts"},
      .rows = {},
      .words = {1}};
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
          table.rows.push_back({cases > 1 ? fmt::format("{}: {}", member.record->id, name) : name});
        }
        kernel = &place.kernel;
        table.rows.push_back(row_of(place, places.at(place)));
      }
    }
  return table;
}

}  // namespace uotbench
