#include "harness/sweep/counting/formula_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

constexpr std::size_t longest_name = 100;

}  // namespace

FormulaNames::FormulaNames(When when) : when_(when), builtin_{"line_bytes"} {
  units_.emplace("line_bytes", UnitOfMeasure("bytes/accesses", "line_bytes"));
  if (when == When::counting) return;
  for (const auto& [name, unit] : metric_names::all) {
    builtin_.emplace_back(name);
    units_.emplace(name, UnitOfMeasure(unit, name));
  }
}

const UnitOfMeasure* FormulaNames::unit_of(const std::string& name) const {
  if (const auto known = units_.find(name); known != units_.end()) return &known->second;
  if (when_ == When::counting) return nullptr;
  // Which operations a variant counts, which axes, phases and facts it has, is known when it has run.
  if (const auto unit = metric_names::unit_of(name))
    return &units_.emplace(name, UnitOfMeasure(*unit, name)).first->second;
  return nullptr;
}

void FormulaNames::require(const Formula& formula, const UnitOfMeasure& unit,
                           const std::string& where) const {
  for (const auto& name : formula.names())
    if (!unit_of(name)) {
      std::vector<std::string> known;
      for (const auto& [its, of] : units_) known.push_back(its);
      if (when_ == When::reading)
        known.insert(known.end(), std::begin(metric_names::shapes), std::end(metric_names::shapes));
      throw UsageError(fmt::format("{}: \"{}\" names \"{}\"{}, which is not defined; there are {}", where,
                                   formula.text(), name, did_you_mean(name, known), fmt::join(known, ", ")));
    }
  const UnitOfMeasure found = formula.unit([&](const std::string& name) { return *unit_of(name); });
  if (!(found == unit))
    throw UsageError(fmt::format("{}: \"{}\" comes to {}; the unit of what it defines is {}", where,
                                 formula.text(), found.text(), unit.text()));
}

void FormulaNames::require_free(const std::string& name, const std::string& where) const {
  const auto letter = [](unsigned char c) { return c < 128 && (std::isalnum(c) || c == '_' || c == '.'); };
  const bool computed = when_ == When::reading && metric_names::is_begun(name);
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, letter) || computed ||
      std::isdigit(static_cast<unsigned char>(name.front())) || std::ranges::count(builtin_, name) > 0)
    throw UsageError(
        fmt::format("{}: expected a name of letters, digits, '_' and '.', other than {}{}, got \"{}\"", where,
                    fmt::join(builtin_, ", "),
                    when_ == When::reading
                        ? fmt::format(", and what begins with {}", fmt::join(metric_names::begun, ", "))
                        : "",
                    on_one_line(name.substr(0, longest_name))));
}

}  // namespace uotbench
