#include "tools/uotbench/views/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/base/error.hpp"
#include "results/base/value_json.hpp"
#include "tools/uotbench/views/text_table.hpp"

namespace uotbench {
namespace {

std::string default_of(const Axis& axis) {
  if (axis.standard.text() && axis.standard != "") return on_one_line(*axis.standard.text());
  if (!axis.standard.is_none()) return to_line(to_json(axis.standard));
  return axis.derived ? "derived" : "must be given";
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
  Table table{.columns = {{"axis"}, {"default"}, {"accepts"}, {"about"}}};
  for (const auto& axis : axes)
    table.row(
        {{on_one_line(axis.name), Style::strong}, default_of(axis), accepted(axis), on_one_line(axis.about)});
  return paragraph(on_one_line(variant.info.name) + ": ", on_one_line(variant.info.summary), terminal,
                   Style::strong) +
         paragraph("workers: ", fmt::format("{}", fmt::join(variant.workers, ", ")), terminal) + '\n' +
         text_rows(std::move(table), terminal);
}

}  // namespace uotbench
