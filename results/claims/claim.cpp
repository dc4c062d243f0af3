#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/claims/claims.hpp"
#include "results/expression/expression.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

constexpr std::size_t names_told = 12;

template <class Enum, std::size_t Count>
Enum chosen(const Json& json, const char* key, const std::pair<const char*, Enum> (&known)[Count],
            Enum other) {
  if (!json.contains(key)) return other;
  for (const auto& [name, value] : known)
    if (json.at(key) == name) return value;
  return other;
}

constexpr std::pair<const char*, ClaimKind> claim_kinds[]{{"exact", ClaimKind::exact},
                                                          {"factor", ClaimKind::factor},
                                                          {"trend", ClaimKind::trend},
                                                          {"shape", ClaimKind::shape}};
constexpr std::pair<const char*, ClaimBound> claim_bounds[]{
    {"about", ClaimBound::about}, {"at least", ClaimBound::at_least}, {"at most", ClaimBound::at_most}};

/// The cases' names that an expression uses are those of the file; `printed` wants a table.
void require_names(const Expression& value, const ClaimFile& file, const PrintedClaim& claim) {
  std::vector<std::string> known;
  for (const auto* some : {&claim.cases, &file.cases})
    for (const auto& cases : *some) known.push_back(cases.name);
  for (const auto& name : value.names()) {
    if (name == "printed") {
      if (claim.table.empty()) value.fail("\"printed\" is a value of the claim's table, and it has none");
      continue;
    }
    const auto dot = name.find('.');
    if (dot == std::string::npos || !file.cases_of(claim, name.substr(0, dot)))
      value.fail(fmt::format(
          "\"{}\" is no name of cases with what is wanted of them, such as {}.time.seconds; there "
          "are the cases {}",
          cut(name, 60), known.empty() ? "map" : known.front(), shortened(known, names_told)));
  }
}

/// Refuses a sum of unlike quantities. Of counters, which the run describes, no unit is known here.
void require_units(const Expression& value) {
  std::vector<std::optional<UnitOfMeasure>> of_names;
  for (const auto& name : value.names()) {
    const std::string what = name.substr(name.find('.') + 1);
    auto unit = metric_names::unit_of(what);
    for (const auto& [always, its] : metric_names::all)
      if (what == always) unit = its;
    of_names.push_back(unit ? std::optional(UnitOfMeasure(*unit, value.where())) : std::nullopt);
  }
  unit_in(value, value.root(), of_names);
}

/// Whether a value can lie on both sides of 0: a difference or a rank correlation can, a time or a rate
/// cannot.
bool may_be_negative(const Expression& value) {
  const auto any = [&](const auto& self, std::size_t node) -> bool {
    using Op = Expression::Op;
    const auto& n = value[node];
    if (n.op == Op::number || n.op == Op::name) return false;
    if (n.op == Op::minus || n.op == Op::negate || (n.op == Op::call && n.text == "rank")) return true;
    return self(self, n.left) || (n.op != Op::call && self(self, n.right));
  };
  return any(any, value.root());
}

/// A trend that no measurement can contradict is none. `given`: by the file, not as a shape's usual 0.
void require_neutral_that_can_fail(PrintedClaim& claim, bool given, const std::string& where) {
  if (!claim.neutral || *claim.neutral != 0 || claim.kind == ClaimKind::exact) return;
  for (const auto& reading : claim.readings)
    if (!may_be_negative(reading.value)) {
      if (!given) return claim.neutral.reset();
      throw UsageError(
          fmt::format("{}/neutral: expected a number that \"{}\" can be on both sides of, or null; got 0, "
                      "which it never falls below",
                      where, cut(reading.value.text(), 60)));
    }
}

/// Those that are numbers or texts.
std::vector<Value> values_from(const Json& list) {
  std::vector<Value> values;
  for (const auto& value : list)
    if (value.is_number() || value.is_string()) values.push_back(value_from(value));
  return values;
}

void read_table(const Json& json, PrintedClaim& claim, const std::string& where) {
  claim.table_axes = json.at("axes").get<std::vector<std::string>>();
  for (const auto& row : json.at("rows")) {
    claim.table.push_back(values_from(row));
    const auto& values = claim.table.back();
    if (values.size() != row.size() || values.size() != claim.table_axes.size() + 1 ||
        !values.back().is_number())
      throw UsageError(fmt::format("{}/table/rows/{}: expected the values of {} and a number, got {}", where,
                                   claim.table.size() - 1, fmt::join(claim.table_axes, ", "), to_line(row)));
  }
}

std::vector<ClaimCases> cases_from(const Json& json) {
  std::vector<ClaimCases> cases;
  for (const auto& [key, of] : json.items()) {
    ClaimCases named{.name = key, .variant = of.value("variant", ""), .worker = of.value("worker", "")};
    named.axes = ObjectDocument(of).without({"variant", "worker"});
    cases.push_back(std::move(named));
  }
  return cases;
}

PrintedClaim claim_from(const Json& json, const ClaimFile& file, const std::string& where) {
  const auto text = [&](const char* key) { return json.value(key, std::string()); };
  if (text("id").find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.-") != std::string::npos)
    throw UsageError(fmt::format("{}/id: expected lower-case letters, digits and _ . -, got \"{}\"", where,
                                 cut(text("id"), 60)));
  PrintedClaim claim{.id = json.at("id"),
                     .place = json.at("in"),
                     .text = text("text"),
                     .says = json.at("says"),
                     .machine = text("machine"),
                     .unit = json.value("unit", "1"),
                     .note = text("note"),
                     .cannot = text("cannot"),
                     .depends_on = text("depends_on"),
                     .sweep = text("sweep"),
                     .derived = text("derived"),
                     .quotes = json.value("quotes", std::vector<std::string>{}),
                     .under = values_from(json.value("under", Json::array())),
                     .nth = json.value("nth", std::vector<int>{}),
                     .cases = cases_from(json.value("cases", Json::object())),
                     .kind = chosen(json, "kind", claim_kinds, ClaimKind::factor),
                     .bound = chosen(json, "bound", claim_bounds, ClaimBound::about),
                     .printed = json.at("printed"),
                     .readings = {},
                     .where = json.value("where", Json::object()),
                     .each = json.value("each", std::vector<std::string>{}),
                     .table_axes = {},
                     .table = {},
                     .needs = {}};
  // By a smaller one nothing can be divided.
  constexpr double least = 1e-100;
  if (claim.printed != 0 && std::fabs(claim.printed) < least)
    throw UsageError(fmt::format("{}/printed: expected 0, or a number of a size from {:g}, got {:g}", where,
                                 least, claim.printed));
  // A factor was measured on another machine: a quarter is what two machines of a kind may differ by.
  const bool near = claim.kind != ClaimKind::exact && claim.bound == ClaimBound::about;
  claim.tolerance = json.value("tolerance", near ? 0.25 : 0.0);
  if ((near || json.contains("neutral")) && !json.value("neutral", Json(0)).is_null())
    claim.neutral = json.value("neutral", claim.kind == ClaimKind::shape ? 0.0 : 1.0);
  if (claim.kind == ClaimKind::trend && (!claim.neutral || *claim.neutral == claim.printed))
    throw UsageError(fmt::format("{}/neutral: expected a number other than \"printed\" ({:g}), got {}", where,
                                 claim.printed,
                                 claim.neutral ? fmt::format("{:g}", *claim.neutral) : "none"));
  if (json.contains("table")) read_table(json.at("table"), claim, where);
  const Json needs = json.value("needs", Json::object());
  claim.needs = {.gpu = needs.value("gpu", ""),
                 .ranks = needs.value("ranks", 0),
                 .cores = needs.value("cores", 0),
                 .memory = needs.value("memory", 0.0)};
  const auto read = [&](const std::string& name, const Json& value, const std::string& place) {
    claim.readings.push_back({name, Expression(value, place, Expression::Kind::aggregate)});
    require_names(claim.readings.back().value, file, claim);
    require_units(claim.readings.back().value);
  };
  if (json.contains("value")) read("", json.at("value"), where + "/value");
  const Json readings = json.value("readings", Json::array());
  for (std::size_t i = 0; i < readings.size(); ++i)
    read(readings[i].at("name"), readings[i].at("value"), fmt::format("{}/readings/{}/value", where, i));
  const bool constant =
      std::ranges::all_of(claim.readings, [](const auto& each) { return each.value.names().empty(); });
  if (claim.cannot.empty() && (claim.readings.empty() || (claim.sweep.empty() && !constant)))
    throw UsageError(
        fmt::format("{}: neither a value with the sweep that measures it nor \"cannot\", which says why "
                    "there is none",
                    where));
  if (constant && !claim.readings.empty() && claim.kind != ClaimKind::exact)
    throw UsageError(
        fmt::format("{}/value: expected the name of a case, such as {}.time.seconds; got \"{}\", which "
                    "measures nothing (only a claim of kind \"exact\" may be arithmetic)",
                    where, file.cases.empty() ? "map" : file.cases.front().name,
                    cut(claim.readings.front().value.text(), 60)));
  require_neutral_that_can_fail(claim, json.contains("neutral"), where);
  if (!claim.sweep.empty() && !file.sweep_of(claim.sweep))
    throw UsageError(
        fmt::format("{}/sweep: expected one of the file's sweeps, got \"{}\"", where, claim.sweep));
  if (!claim.machine.empty() && !file.machines.contains(claim.machine))
    throw UsageError(
        fmt::format("{}/machine: expected one of the file's machines, got \"{}\"", where, claim.machine));
  return claim;
}

}  // namespace

const char* name_of(ClaimKind kind) {
  for (const auto& [name, value] : claim_kinds)
    if (value == kind) return name;
  return "factor";
}

std::string ClaimCases::text() const {
  std::string all = variant.empty() ? "any variant" : variant;
  for (const auto& axis : axes.names()) all += fmt::format(" {}:{}", axis, axes.text(axis));
  return worker.empty() ? all : fmt::format("{} in {}", all, worker);
}

const ClaimCases* ClaimFile::cases_of(const PrintedClaim& claim, const std::string& name) const {
  for (const auto* some : {&claim.cases, &cases})
    if (const auto found = std::ranges::find(*some, name, &ClaimCases::name); found != some->end())
      return &*found;
  return nullptr;
}

const ClaimSweep* ClaimFile::sweep_of(const std::string& name) const {
  const auto found = std::ranges::find(sweeps, name, &ClaimSweep::name);
  return found == sweeps.end() ? nullptr : &*found;
}

ClaimFile claims_from(const Json& json, const std::string& name) {
  ClaimFile file{.name = name.substr(0, name.find(".json")),
                 .title = json.at("title"),
                 .source = json.at("source"),
                 .about = json.value("about", ""),
                 .machines = json.value("machines", Json::object()),
                 .sweeps = {},
                 .cases = cases_from(json.value("cases", Json::object())),
                 .claims = {}};
  const Json sweeps = json.value("sweeps", Json::object());
  for (const auto& [key, sweep] : sweeps.items())
    file.sweeps.push_back({key, sweep.value("minutes", 0.0), sweep.at("here"), sweep.value("full", Json())});
  std::set<std::string> ids;
  const Json& claims = json.at("claims");
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const std::string where = fmt::format("{}: /claims/{}", name, i);
    for (const Json& claim : claims_of_rows(claims[i], where)) {
      file.claims.push_back(claim_from(claim, file, where));
      if (!ids.insert(file.claims.back().id).second)
        throw UsageError(fmt::format("{}/id: expected an id of its own, got \"{}\" a second time", where,
                                     file.claims.back().id));
    }
  }
  return file;
}

bool is_of(const PrintedClaim& claim, const std::string& figure) {
  return claim.id == figure || claim.place == figure || claim.place == "Fig. " + figure ||
         claim.place == "Table " + figure;
}

}  // namespace uotbench
