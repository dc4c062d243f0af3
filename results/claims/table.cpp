#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/claims/claims.hpp"
#include "results/view/metrics.hpp"

namespace uotbench {
namespace {

Style claim_style(ClaimOutcome outcome) {
  switch (outcome) {
    case ClaimOutcome::reproduced:
    case ClaimOutcome::consistent:
      return Style::good;
    case ClaimOutcome::contradicted:
      return Style::bad;
    case ClaimOutcome::near:
    case ClaimOutcome::trend_only:
    case ClaimOutcome::differs:
    case ClaimOutcome::undecided:
    case ClaimOutcome::depends:
      return Style::warning;
    default:
      return Style::faint;
  }
}

std::string valued(double value, const PrintedClaim& claim) {
  return claim.unit == "%" ? fmt::format("{:.4g}%", 100 * value) : text_in_unit(value, claim.unit);
}

/// What stands in the place of a number where the paper printed none: the side of a trend's `neutral`, unless
/// a page's text ends with the number, or the order of a table. Empty: the number is printed.
std::string relation_of(const PrintedClaim& claim) {
  if (claim.kind == ClaimKind::trend && claim.quotes.empty())
    return (claim.printed > *claim.neutral ? "> " : "< ") + valued(*claim.neutral, claim);
  return claim.kind == ClaimKind::shape && !claim.table.empty() ? "its table's order" : "";
}

std::string printed_text(const PrintedClaim& claim) {
  if (const std::string relation = relation_of(claim); !relation.empty()) return relation;
  const char* const bound = claim.bound == ClaimBound::at_least  ? ">= "
                            : claim.bound == ClaimBound::at_most ? "<= "
                                                                 : "";
  return bound + valued(claim.printed, claim) + (claim.derived.empty() ? "" : " (derived)");
}

/// A row of a claim, or of the reading `says` names.
Table::Row row_of(const ClaimResult& result, const ClaimValue* measured, const ClaimVerdict& verdict,
                  const std::string& says) {
  const PrintedClaim& claim = *result.claim;
  Table::Cell name(claim.id), printed(printed_text(claim)), ours("-"), interval("-"), ratio("-");
  const bool number = relation_of(claim).empty();
  if (number) printed.value = claim.printed;
  printed.source = claim.text;
  if (measured && measured->value) {
    ours.text = valued(*measured->value, claim);
    ours.value = measured->value;
    ours.source = claim.readings[static_cast<std::size_t>(measured - result.readings.data())].value.text();
    if (measured->interval)
      interval.text = fmt::format("{} to {}", valued(measured->interval->low, claim),
                                  valued(measured->interval->high, claim));
    if (number && claim.printed != 0) {
      ratio.value = *measured->value / claim.printed;
      ratio.text = fmt::format("{:.3g}", *ratio.value);
    }
  }
  return {
      name, says, printed, ours, interval, ratio, Table::Cell(verdict.text(), claim_style(verdict.outcome))};
}

/// A note is written once, after the ids of the claims that have it.
class Notes {
 public:
  void add(const std::string& id, const std::string& note) {
    const auto found = std::ranges::find(notes_, note, &std::pair<std::string, std::string>::first);
    if (found == notes_.end())
      notes_.emplace_back(note, id);
    else if (!found->second.ends_with(id))
      found->second += ", " + id;
  }

  void write(Table& table) const {
    for (const auto& [note, ids] : notes_) table.notes.push_back(fmt::format("{}: {}", ids, note));
  }

 private:
  std::vector<std::pair<std::string, std::string>> notes_;  ///< a note and its ids
};

/// What a reader should know of one that is not simply reproduced; and where its records are.
void add_notes(Notes& notes, const ClaimResult& result) {
  const PrintedClaim& claim = *result.claim;
  const bool measured = !result.readings.empty();
  if (measured && result.verdict.outcome != ClaimOutcome::reproduced && !claim.note.empty())
    notes.add(claim.id, claim.note);
  if (!claim.derived.empty()) notes.add(claim.id, "derived: " + claim.derived);
  std::set<std::string> handicaps;
  for (const auto& reading : result.readings)
    for (const auto* record : reading.records)
      if (const auto why = handicap_of(*record); !why.empty())
        handicaps.insert(fmt::format("baseline handicapped: {}: {}", record->id, why));
  for (const auto& handicap : handicaps) notes.add(claim.id, handicap);
  for (const auto& reading : result.readings)
    if (!reading.left_out.empty())
      notes.add(
          claim.id,
          fmt::format("{} problem{} left out, because a case is missing or not ok (--format json lists them)",
                      reading.left_out.size(), reading.left_out.size() == 1 ? "" : "s"));
}

std::string tally(const std::vector<ClaimResult>& results) {
  std::map<ClaimOutcome, std::size_t> counts;
  for (const auto& result : results) ++counts[result.verdict.outcome];
  std::string text;
  for (const auto& [outcome, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(outcome));
  return text;
}

}  // namespace

Table claims_table(const ClaimFile& file, const std::vector<ClaimResult>& results) {
  Table table{.title = file.title, .about = fmt::format("printed: {}", file.source)};
  table.columns = {{"claim"},
                   {"says"},
                   {"printed", Table::Holds::numbers},
                   {"ours", Table::Holds::numbers},
                   {"interval", Table::Holds::words, "over rounds, in which the cases took turns"},
                   {"ours/printed", Table::Holds::numbers},
                   {"verdict"}};
  std::string place;
  Notes notes;
  for (const auto& result : results) {
    const PrintedClaim& claim = *result.claim;
    if (claim.place != place) {
      place = claim.place;
      table.heading(place);
    }
    const bool several = result.readings.size() > 1;
    if (several || result.readings.empty()) table.row(row_of(result, nullptr, result.verdict, claim.says));
    for (std::size_t i = 0; i < result.readings.size(); ++i)
      table.row(row_of(result, &result.readings[i], result.verdicts[i],
                       several ? "- " + claim.readings[i].name : claim.says));
    add_notes(notes, result);
  }
  notes.write(table);
  std::map<std::string, std::string> runs;
  for (const auto& result : results)
    if (!result.run.empty()) runs[result.run] += (runs[result.run].empty() ? "" : ", ") + result.claim->id;
  for (const auto& [run, ids] : runs) table.notes.push_back(fmt::format("{}: uotbench show {}", ids, run));
  table.notes.push_back(fmt::format("{} claims: {}", results.size(), tally(results)));
  return table;
}

Json claims_json(const ClaimFile& file, const std::vector<ClaimResult>& results) {
  Json rows = Json::array();
  for (const auto& result : results) {
    const PrintedClaim& claim = *result.claim;
    const std::string relation = relation_of(claim);
    Json row{{"id", claim.id},
             {"in", claim.place},
             {"text", claim.text},
             {"says", claim.says},
             {"kind", name_of(claim.kind)},
             {"printed", relation.empty() ? Json(claim.printed) : Json()},
             {"relation", relation.empty() ? Json() : Json(relation)},
             {"derived", claim.derived.empty() ? Json() : Json(claim.derived)},
             {"unit", claim.unit},
             {"machine", claim.machine.empty() ? Json() : file.machines.json().at(claim.machine)},
             {"verdict", result.verdict.text()},
             {"run", result.run.empty() ? Json() : Json(result.run)},
             {"note", claim.note}};
    row["readings"] = Json::array();
    for (std::size_t i = 0; i < result.readings.size(); ++i) {
      const ClaimValue& measured = result.readings[i];
      Json ids = Json::array();
      for (const auto* record : measured.records) ids.push_back(record->id);
      Json interval;
      if (measured.interval)
        interval = {{"low", measured.interval->low},
                    {"high", measured.interval->high},
                    {"coverage", measured.interval->coverage}};
      row["readings"].push_back({{"name", claim.readings[i].name},
                                 {"value", claim.readings[i].value.text()},
                                 {"ours", measured.value ? Json(*measured.value) : Json()},
                                 {"interval", interval},
                                 {"verdict", result.verdicts[i].text()},
                                 {"records", ids},
                                 {"left_out", measured.left_out}});
    }
    rows.push_back(std::move(row));
  }
  return {{"claims", rows}, {"paper", file.name}, {"title", file.title}, {"source", file.source}};
}

}  // namespace uotbench
