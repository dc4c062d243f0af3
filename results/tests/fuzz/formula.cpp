// Formulas and units of counter groups: a user's file holds them.
#include <fmt/format.h>

#include <cmath>

#include "results/expression/expression.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

void read(std::string_view input) {
  const std::string text(input);
  const Formula formula(text, "group.json: /counters/0");
  if (Formula(formula.text(), "again").names() != formula.names())
    throw Broken("its names change as it is read again");
  for (const double value : {0., 1., -1e308, 1e-308}) {
    const auto found = formula.value([&](const std::string&) { return std::optional(value); });
    if (!found.value)
      require_readable(found.reason, input.size());
    else if (!std::isfinite(*found.value))
      throw Broken(fmt::format("{} is {}, and no reason says why", text, *found.value));
  }
  const auto unknown = formula.value([](const std::string&) { return std::nullopt; });
  if (unknown.value && !formula.names().empty())
    throw Broken(text + " has a value without that of its names");
  formula.unit(
      [](const std::string& name) { return UnitOfMeasure(name.size() % 2 ? "bytes" : "1", "unit"); });
}

void read_unit(std::string_view input) {
  const UnitOfMeasure unit(input, "group.json: /unit");
  if (!(UnitOfMeasure(unit.text(), "again") == unit))
    throw Broken("the unit " + unit.text() + " is read as another one");
}

std::vector<std::string> formulas() {
  return {"L1D.misses / L1D.accesses", "64 * (LLC.read_misses + LLC.write_misses)",
          "-a.b / -(c - 2.5e-3) * 1e6", "(((x))) + y / z - 1", "line_bytes * L2.misses / (seconds * 1e9)"};
}
std::vector<std::string> units() {
  return {"1", "bytes/accesses", "1/seconds", "bytes^2*flops/seconds^3", "accesses"};
}

const Registration formula{{.name = "formula", .one_input = read, .corpus = formulas}};
const Registration unit{{.name = "unit", .one_input = read_unit, .corpus = units, .share = 0.5}};

}  // namespace
}  // namespace uotbench::fuzz
