#include "tools/uotbench/views/machine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "roofline/model/caches.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

Style style_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::ok:
      return Style::good;
    case Finding::Level::note:
      return Style::plain;
    case Finding::Level::warning:
      return Style::warning;
    case Finding::Level::error:
      return Style::bad;
  }
  return Style::plain;
}

}  // namespace

const char* name_of(Finding::Level level) {
  switch (level) {
    case Finding::Level::ok:
      return "ok";
    case Finding::Level::note:
      return "note";
    case Finding::Level::warning:
      return "warning";
    case Finding::Level::error:
      return "error";
  }
  return "?";
}

std::string text_of(std::vector<Finding> findings, const Terminal& terminal) {
  std::ranges::stable_sort(findings, [](const Finding& a, const Finding& b) { return a.level > b.level; });
  std::string text;
  for (const auto& finding : findings) {
    text += paragraph(fmt::format("{:<9}", name_of(finding.level)), finding.what, terminal,
                      style_of(finding.level));
    if (!finding.cost.empty()) text += paragraph("         costs: ", finding.cost, terminal);
    if (!finding.mend.empty()) text += fmt::format("         mend:  {}\n", finding.mend);
  }
  return text;
}

std::string text_of(const std::vector<SourceState>& states, const Terminal& terminal) {
  using enum Table::Holds;
  Table table{.columns = {{"source"},
                          {"kernel"},
                          {"counter"},
                          {"expected", numbers},
                          {"counted", numbers},
                          {"ratio", numbers},
                          {""}}};
  std::size_t off = 0, checks = 0;
  bool any = false;
  std::string below;
  for (const auto& state : states) {
    std::vector<std::string> reasons;
    const bool counts = std::ranges::any_of(
        state.checks, [](const CounterCheck& check) { return check.counted.has_value(); });
    any = any || counts;
    for (const auto& check : state.checks) {
      checks += check.counted.has_value();
      off += check.is_off();
      if (!check.counted && std::ranges::find(reasons, check.reason) == reasons.end())
        reasons.push_back(check.reason);
      if (!counts) continue;
      table.row({check.source,
                 check.variant,
                 check.counter,
                 fmt::format("{:.0f}", check.expected),
                 check.counted ? fmt::format("{:.0f}", *check.counted) : "-",
                 check.counted ? fmt::format("{:.3f}", *check.counted / check.expected) : "-",
                 {check.is_off()  ? "more than 10% off"
                  : check.counted ? "ok"
                                  : "not counted",
                  check.is_off()  ? Style::bad
                  : check.counted ? Style::good
                                  : Style::faint}});
    }
    for (const auto& reason : reasons)  // some name their source themselves
      below += paragraph(reason.starts_with(state.name + ": ") ? "" : state.name + ": ", reason, terminal);
    if (!state.reason.empty()) below += paragraph(state.name + ": ", state.reason, terminal);
    if (!state.mend.empty()) below += "  " + state.mend + "\n";
    if (state.reason.empty() && state.checks.empty())
      below += paragraph(state.name + ": ", "can count; nothing it counts is known beforehand", terminal);
  }
  std::string text = any ? text_rows(std::move(table), terminal) : "";
  if (!below.empty()) text += (text.empty() ? "" : "\n") + below;
  if (checks > 0)
    text +=
        fmt::format("\n{} of {} within 10% of what the kernels are known to move\n", checks - off, checks);
  return text;
}

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

namespace {

std::string default_of(const Axis& axis) {
  const char* const or_read = axis.derived ? ", or read from path" : "";
  if (axis.standard.text() && axis.standard != "") return on_one_line(*axis.standard.text()) + or_read;
  if (!axis.standard.is_none()) return json_text(axis.standard) + or_read;
  if (axis.derived && axis.role == Role::size) return "given, or read from path";
  return axis.derived ? "derived" : "must be given";
}

Table axes_table(const std::vector<Axis>& axes) {
  Table table{.columns = {{"axis"}, {"default"}, {"accepts"}, {"about"}}};
  for (const auto& axis : axes)
    table.row(
        {{on_one_line(axis.name), Style::strong}, default_of(axis), accepted(axis), on_one_line(axis.about)});
  return table;
}

}  // namespace

// Workers may be anybody's: what they call things is put on one line.
std::string table_of(const std::map<std::string, ListedVariant>& variants, const Terminal& terminal) {
  Table table{.columns = {{"variant"}, {"workers"}, {"summary"}}};
  for (const auto& [name, variant] : variants)
    table.row({{on_one_line(name), Style::strong},
               fmt::format("{}", fmt::join(variant.workers, " ")),
               on_one_line(variant.info.summary)});
  return text_rows(std::move(table), terminal);
}

std::string axes_of(const ListedVariant& variant, const std::vector<Axis>& axes, const Terminal& terminal) {
  return paragraph(on_one_line(variant.info.name) + ": ", on_one_line(variant.info.summary), terminal,
                   Style::strong) +
         paragraph("workers: ", fmt::format("{}", fmt::join(variant.workers, ", ")), terminal) + '\n' +
         text_rows(axes_table(axes), terminal);
}

std::string page_of(const FamilyInfo& family, const Terminal& terminal) {
  std::string text =
      paragraph(on_one_line(family.name) + ": ", on_one_line(family.summary), terminal, Style::strong) + '\n';
  for (const auto& line : family.mathematics)
    text += paragraph("", on_one_line(line), terminal, Style::plain, 2);
  if (!family.mathematics.empty()) text += '\n';
  Table arrays{.columns = {{"array"}, {"shape"}, {"type"}, {"is"}, {"about"}}};
  for (const auto& array : family.arrays)
    arrays.row({{on_one_line(array.name), Style::strong},
                on_one_line(array.shape),
                on_one_line(array.type),
                array.output ? "output" : "input",
                on_one_line(array.about)});
  if (!family.arrays.empty()) text += text_rows(std::move(arrays), terminal) + '\n';
  Table axes = axes_table(family.axes);
  text += text_rows(std::move(axes), terminal);
  return text + '\n' +
         paragraph("",
                   fmt::format(
                       "Results are verified after {} iterations. A variant may declare a tolerance of up to "
                       "{:g}. How a worker is asked: docs/reference/protocol.md.",
                       family.iterations, family.loosest),
                   terminal);
}

}  // namespace uotbench
