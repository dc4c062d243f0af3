#include "roofline/report/rows.hpp"

#include <cmath>

#include "results/base/error.hpp"
#include "roofline/report/sources.hpp"

namespace uotbench {
namespace {

/// What a column of `columns_of` means, what it is sorted by, and where a cell's number is from.
struct Detail {
  std::string Cells::*text;
  const char* about;
  std::optional<double> (*value)(const CaseView& member);
  std::string (Sources::*source)(const CaseView& member) const;
};

const Detail details[] = {
    {&Cells::label, "variant, the axes that tell it from its group, worker", nullptr, &Sources::label},
    {&Cells::median, "seconds of one unit (iteration, solve or part): the median of the processes' medians",
     [](const CaseView& m) { return m.time ? std::optional(m.time->median) : std::nullopt; },
     &Sources::median},
    {&Cells::iterations, "of a solve: how many it took",
     [](const CaseView& m) {
       const bool told = m.time && m.record->time->iterations;
       return told ? std::optional(static_cast<double>(*m.record->time->iterations)) : std::nullopt;
     },
     &Sources::iterations},
    {&Cells::per_iteration,
     "seconds of an iteration; of a solve, its time, what it begins and ends with included, over its "
     "iterations",
     [](const CaseView& m) { return m.per_iteration; }, &Sources::per_iteration},
    {&Cells::noise, "half the distance between the fastest and the slowest process, relative to the median",
     [](const CaseView& m) { return m.time ? m.time->noise : std::nullopt; }, &Sources::noise},
    {&Cells::bandwidth, "bytes that the variant's work model says a unit moves, over the median",
     [](const CaseView& m) { return m.bandwidth; }, &Sources::bandwidth},
    {&Cells::roof,
     "the least time that the machine's limits allow over the median; where the working set lives",
     [](const CaseView& m) { return m.roof ? std::optional(m.roof->fraction) : std::nullopt; },
     &Sources::roof},
    {&Cells::speedup,
     "the time of its reference over its own; an iteration's where one of the two is a solve",
     [](const CaseView& m) { return m.speedup; }, &Sources::speedup},
    {&Cells::error, "relative, as the judge found it; with the tolerance where that is larger than usual",
     [](const CaseView& m) {
       const auto& check = m.record->check;
       return check ? std::optional(check->error) : std::nullopt;
     },
     &Sources::error},
    {&Cells::status, "ok, skipped (cannot run here), failed (wrong), crashed, timeout or interrupted",
     nullptr, &Sources::status}};

const Detail* detail_of(const CellColumn& column) {
  for (const auto& detail : details)
    if (detail.text == column.text) return &detail;
  return nullptr;
}

}  // namespace

std::size_t Sentences::number_of(const std::string& sentence) {
  const auto [place, fresh] = numbers_.emplace(sentence, all_.size());
  if (fresh) all_.push_back(sentence);
  return place->second;
}

std::string meaning_of(const CellColumn& column) {
  const Detail* const detail = detail_of(column);
  return detail ? detail->about : "";
}

Json table_data(const RunView& view, Sentences& sentences) {
  const auto columns = columns_of(view);
  const Sources sources(view);
  Json shown = Json::array(), groups = Json::array(), rows = Json::array();
  for (const auto& column : columns) shown.push_back({{"number", column.number}});
  for (const auto& group : view.groups) {
    const double usual = usual_tolerance(group);
    const CaseView* const best = fastest(group);
    for (const auto& member : group.cases) {
      const Cells cells = cells_of(member, usual);
      Json row = Json::array({groups.size(), name_of(member.record->status), &member == best});
      for (const auto& column : columns) {
        const Detail* const detail = detail_of(column);
        const std::string source = detail ? (sources.*detail->source)(member) : "";
        Json cell = Json::array({on_one_line(cells.*column.text), sentences.number_of(source)});
        if (column.number) {
          const auto value = detail && detail->value ? detail->value(member) : std::nullopt;
          cell.push_back(value && std::isfinite(*value) ? Json(*value) : Json(nullptr));
        }
        row.push_back(std::move(cell));
      }
      rows.push_back(std::move(row));
    }
    groups.push_back(on_one_line(group.title));
  }
  return {{"columns", std::move(shown)}, {"groups", std::move(groups)}, {"rows", std::move(rows)}};
}

}  // namespace uotbench
