#include "tools/uotbench/views/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "roofline/model/caches.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

template <class Value>
void add_new(std::vector<Value>& list, const Value& value) {
  if (std::ranges::find(list, value) == list.end()) list.push_back(value);
}

/// One setting's roofs, as they stand in the ceilings.
class Setup {
 public:
  Setup(const Ceilings& ceilings, const Setting& setting) {
    for (const auto& roof : ceilings.roofs)
      if (of(roof) == setting)
        (roof.is_bandwidth() ? bandwidths_ : roof.is_flops() ? flops_ : operations_).push_back(&roof);
  }

  static Setting of(const Roof& roof) {
    return {.threads = roof.threads.value_or(0),
            .place = roof.place.value_or("close"),
            .dtype = roof.dtype.value_or("")};
  }

  /// A row of the table: a level of before, or a working set.
  struct Place {
    std::string level;
    double bytes = 0;
    bool operator==(const Place&) const = default;
  };
  static Place place_of(const Roof& roof) {
    return roof.is_point() ? Place{"", *roof.working_set} : Place{roof.level};
  }
  /// Innermost first. The sets of kernels with one array and with three differ by a vector.
  std::vector<Place> places() const {
    constexpr double apart = 1.02;
    std::vector<Place> places;
    for (const Roof* roof : bandwidths_)
      if (const Place place = place_of(*roof); std::ranges::none_of(places, [&](const Place& other) {
            return other == place || (place.bytes > 0 && place.bytes < apart * other.bytes &&
                                      other.bytes < apart * place.bytes);
          }))
        places.push_back(place);
    std::ranges::sort(places, [](const Place& x, const Place& y) {
      return std::pair(x.level == "DRAM", std::tie(x.level, x.bytes)) <
             std::pair(y.level == "DRAM", std::tie(y.level, y.bytes));
    });
    return places;
  }
  /// Null where it was not measured there.
  const Roof* bandwidth(const Place& place, const std::string& kernel) const {
    constexpr double apart = 1.02;
    for (const Roof* roof : bandwidths_) {
      const Place its = place_of(*roof);
      if (roof->kernel == kernel && its.level == place.level &&
          (its.bytes == place.bytes || (its.bytes < apart * place.bytes && place.bytes < apart * its.bytes)))
        return roof;
    }
    return nullptr;
  }
  const std::vector<const Roof*>& flops() const { return flops_; }
  const std::vector<const Roof*>& operations() const { return operations_; }
  double peak() const {
    double peak = 0;
    for (const Roof* roof : flops_) peak = std::max(peak, roof->value);
    return peak;
  }

 private:
  std::vector<const Roof*> bandwidths_, flops_, operations_;
};

std::string heading(const Setting& setting, const Setup& setup) {
  std::string text = text_of(setting);
  const char* joint = ": ";
  for (const Roof* roof : setup.flops()) {
    text +=
        fmt::format("{}{}{}{}", joint, format_flops(roof->value), roof->form.empty() ? "" : " ", roof->form);
    joint = ", ";
  }
  for (const Roof* roof : setup.operations()) {
    text += fmt::format("{}{} {}/s", joint, format_count(roof->value), roof->operation);
    joint = ", ";
  }
  return text;
}

}  // namespace

std::string text_of(const Ceilings& ceilings, const Caches& caches, const Terminal& terminal) {
  std::vector<Setting> settings;
  std::vector<std::string> kernels;
  for (const auto& roof : ceilings.roofs) {
    add_new(settings, Setup::of(roof));
    if (roof.is_bandwidth()) add_new(kernels, roof.kernel);
  }
  std::ranges::sort(settings, [](const Setting& a, const Setting& b) {
    return std::tie(a.dtype, a.threads, a.place) < std::tie(b.dtype, b.threads, b.place);
  });
  std::ranges::sort(kernels);

  Table table{.columns = {{"working set"}, {"level"}}};
  for (const auto& kernel : kernels) table.columns.push_back({kernel, Table::Holds::numbers});
  table.columns.push_back({"ridge", Table::Holds::numbers});
  for (const auto& setting : settings) {
    const Setup setup(ceilings, setting);
    const Roofs roofs(ceilings, setting, caches);
    table.heading(heading(setting, setup));
    for (const auto& place : setup.places()) {
      const std::string level =
          place.bytes > 0 ? roofs.level_name({.level = "", .bytes = place.bytes}) : place.level;
      Table::Row row{place.bytes > 0 ? format_bytes(place.bytes) : "", level.empty() ? "-" : level};
      const Roof* best = nullptr;
      for (const auto& kernel : kernels)
        if (const Roof* const roof = setup.bandwidth(place, kernel);
            roof && (!best || roof->value > best->value))
          best = roof;
      for (const auto& kernel : kernels) {
        const Roof* const roof = setup.bandwidth(place, kernel);
        row.push_back({roof ? format_bandwidth(roof->value) : "-",
                       roof && roof == best ? Style::strong : Style::plain});
      }
      row.push_back(best && setup.peak() > 0 ? fmt::format("{:.3g} flop/B", ridge(best->value, setup.peak()))
                                             : "-");
      table.row(std::move(row));
    }
  }
  return text_rows(std::move(table), terminal);
}

std::string text_of_probes(const MachineFacts& machine, const Terminal& terminal) {
  std::string text;
  const Caches caches(machine);
  for (const auto& level : caches.levels())
    if (!level.probed_by.empty()) text += paragraph("", text_of_probed(level), terminal);
  const Json& probes = machine.probed_caches();
  if (!probes.is_array()) return text;
  for (const auto& probe : probes)
    if (const std::string reason = text_in(probe, "reason");
        !reason.empty() && text_in(probe, "doubt").empty())
      text += paragraph("",
                        fmt::format("L{} {} reported; {} found {}: the reported size is taken",
                                    to_line(probe.value("level", Json())),
                                    format_bytes(probe.value("told", 0.)), text_in(probe, "source"), reason),
                        terminal, Style::warning);
  return text;
}

}  // namespace uotbench
