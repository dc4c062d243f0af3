#include "tools/uotbench/views/list.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
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
