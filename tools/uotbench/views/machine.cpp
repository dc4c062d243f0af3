#include "tools/uotbench/views/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "results/base/json_parts.hpp"
#include "results/base/units.hpp"
#include "roofline/model/caches.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/views/text_layout.hpp"
#include "tools/uotbench/views/text_table.hpp"

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

  const Roof* bandwidth(const std::string& level, const std::string& kernel) const {
    const auto found = std::ranges::find_if(
        bandwidths_, [&](const Roof* roof) { return roof->level == level && roof->kernel == kernel; });
    return found == bandwidths_.end() ? nullptr : *found;
  }
  /// Null where the level has none.
  const Roof* best(const std::string& level) const {
    const Roof* best = nullptr;
    for (const Roof* roof : bandwidths_)
      if (roof->level == level && (!best || roof->value > best->value)) best = roof;
    return best;
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

std::string text_of(const Ceilings& ceilings, const Terminal& terminal) {
  std::vector<Setting> settings;
  std::vector<std::string> levels, kernels;
  for (const auto& roof : ceilings.roofs) {
    add_new(settings, Setup::of(roof));
    if (!roof.is_bandwidth()) continue;
    add_new(levels, roof.level);
    add_new(kernels, roof.kernel);
  }
  // L1, L2, …, DRAM; few threads before many; the kernels in the order of the alphabet.
  std::ranges::sort(levels,
                    [](const auto& a, const auto& b) { return b == "DRAM" ? a != b : a != "DRAM" && a < b; });
  std::ranges::sort(settings, [](const Setting& a, const Setting& b) {
    return std::tie(a.dtype, a.threads, a.place) < std::tie(b.dtype, b.threads, b.place);
  });
  std::ranges::sort(kernels);

  Table table{.columns = {{""}}};
  for (const auto& level : levels) table.columns.push_back({level, Table::Holds::numbers});
  for (const auto& setting : settings) {
    const Setup setup(ceilings, setting);
    table.heading(heading(setting, setup));
    for (const auto& kernel : kernels) {
      Table::Row row{kernel};
      for (const auto& level : levels) {
        const Roof* const roof = setup.bandwidth(level, kernel);
        row.push_back({roof ? format_bandwidth(roof->value) : "-",
                       roof && roof == setup.best(level) ? Style::strong : Style::plain});
      }
      table.row(std::move(row));
    }
    if (setup.peak() == 0) continue;
    Table::Row row{"ridge"};
    for (const auto& level : levels) {
      const Roof* const roof = setup.best(level);
      row.push_back(roof ? fmt::format("{:.3g} flop/B", ridge(roof->value, setup.peak())) : "-");
    }
    table.row(std::move(row));
  }
  return text_rows(std::move(table), terminal);
}

std::string text_of_probes(const Json& machine, const Terminal& terminal) {
  std::string text;
  const Caches caches(machine);
  for (const auto& level : caches.levels())
    if (!level.probed_by.empty()) text += paragraph("", text_of_probed(level), terminal);
  const Json probes = machine.value("probed_caches", Json());
  if (!probes.is_array()) return text;
  for (const auto& probe : probes)
    if (const std::string reason = text_in(probe, "reason");
        !reason.empty() && text_in(probe, "doubt").empty())
      text += paragraph("",
                        fmt::format("L{} {} told by the system; {} found {}: the told size is taken",
                                    to_line(probe.value("level", Json())),
                                    format_bytes(probe.value("told", 0.)), text_in(probe, "source"), reason),
                        terminal, Style::warning);
  return text;
}

}  // namespace uotbench
