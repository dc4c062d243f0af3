#include "roofline/figures/lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results/record/case_parts.hpp"

namespace uotbench {
namespace {

std::string text_at(const Record& record, const std::string& axis) {
  return value_text(record.point.value(axis, Json()));
}

}  // namespace

CaseAxes::CaseAxes(const std::vector<Shown>& shown) : shown_(&shown) {
  for (const auto& one : shown) {
    const Record& record = *one.member->record;
    problem_.try_emplace(one.view, one.view->run->header);
    workers_[record.variant].insert(record.worker);
    auto& runs = runs_[record.id];
    runs.insert(one.view);
    several_runs_ |= runs.size() > 1;
    for (const auto& [axis, value] : record.point.items()) {
      values_[axis].insert(value_text(value));
      values_[record.variant + '/' + axis].insert(value_text(value));
    }
  }
}

bool CaseAxes::is_problem(const Shown& shown, const std::string& axis) const {
  return problem_.at(shown.view).contains(family_of(*shown.member->record), axis);
}

std::string CaseAxes::problem(const Shown& shown) const {
  const Record& record = *shown.member->record;
  std::vector<std::string> parts;
  const std::string M = text_at(record, "M"), N = text_at(record, "N");
  const bool matrix = record.point.contains("M") && record.point.contains("N");
  if (matrix) parts.push_back(M == N ? M + "²" : M + "×" + N);
  for (const auto& [axis, value] : record.point.items()) {
    if (matrix && (axis == "M" || axis == "N")) continue;
    if (is_problem(shown, axis) && values_.at(axis).size() > 1)
      parts.push_back(axis_text(axis, value_text(value)));
  }
  return parts.empty() ? family_of(record) : fmt::format("{}", fmt::join(parts, " "));
}

std::vector<std::string> CaseAxes::varying(const std::string& variant) const {
  for (const auto& shown : *shown_) {
    if (shown.member->record->variant != variant) continue;
    std::vector<std::string> axes;
    for (const auto& [axis, value] : shown.member->record->point.items())
      if (!is_problem(shown, axis) && values_.at(variant + '/' + axis).size() > 1) axes.push_back(axis);
    return axes;
  }
  return {};
}

std::string CaseAxes::own_text(const Shown& shown, const std::set<std::string>& along) const {
  const Record& record = *shown.member->record;
  std::vector<std::string> parts;
  for (const auto& [axis, value] : record.point.items()) {
    if (is_problem(shown, axis) || along.contains(axis)) continue;
    // On how many threads, and in which state, matters wherever it differs at all.
    if (values_.at(is_setting(axis) ? axis : record.variant + '/' + axis).size() > 1)
      parts.push_back(axis_text(axis, value_text(value)));
  }
  if (workers_.at(record.variant).size() > 1) parts.push_back(record.worker);
  if (several_runs_) parts.push_back(shown.view->run->path.stem().string());
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string CaseAxes::settings(const Shown& shown) const {
  std::vector<std::string> parts;
  for (const auto& [axis, value] : shown.member->record->point.items())
    if (is_setting(axis) && values_.at(axis).size() > 1) parts.push_back(axis_text(axis, value_text(value)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::set<std::string> CaseAxes::varying_settings() const {
  std::set<std::string> axes;
  for (const auto& [axis, values] : values_)
    if (is_setting(axis) && values.size() > 1) axes.insert(axis);
  return axes;
}

std::vector<double> CaseAxes::numbers(const std::string& axis) const {
  std::set<double> numbers;
  for (const auto& shown : *shown_)
    if (const auto number = number_at(shown, axis)) numbers.insert(*number);
  return {numbers.begin(), numbers.end()};
}

std::vector<Line> CaseAxes::lines(const FigureSpec& spec, const std::set<std::string>& along) const {
  std::vector<Line> lines;
  std::map<std::string, std::size_t> known, of_variant;
  for (const auto& shown : *shown_) {
    const std::string own = own_text(shown, along);
    const auto [place, fresh] = known.try_emplace(shown.member->record->variant + '\n' + own, lines.size());
    if (fresh) {
      lines.push_back({.label = own.empty() ? shown.label : shown.label + ", " + own,
                       .colour = shown.colour,
                       .look = shown.series,
                       .cases = {}});
      ++of_variant[shown.member->record->variant];
    }
    lines[place->second].cases.push_back(&shown);
  }
  // `selected` gives looks to variants: several lines of one need looks of their own.
  std::ranges::stable_sort(lines, {}, [](const Line& line) { return line.cases.front()->series; });
  if (std::ranges::any_of(of_variant, [](const auto& entry) { return entry.second > 1; }))
    for (std::size_t i = 0; i < lines.size(); ++i) {
      lines[i].look = i;
      const auto& variant = lines[i].cases.front()->member->record->variant;
      if (!spec.colours.contains(variant)) lines[i].colour = look(i).colour;
    }
  return lines;
}

std::vector<const Shown*> pointers(const std::vector<Shown>& shown) {
  std::vector<const Shown*> cases;
  for (const auto& one : shown) cases.push_back(&one);
  return cases;
}

std::string files_of(const std::vector<const RunView*>& views) {
  std::vector<std::string> files;
  for (const auto* view : views) files.push_back(view->run->path.string());
  return fmt::format("{}", fmt::join(files, ", "));
}

std::string source_of(const Shown& shown) { return shown.view->run->path.filename().string(); }

std::string label_of(const FigureSpec& spec, const std::string& variant) {
  const auto label = spec.labels.find(variant);
  return label != spec.labels.end() ? label->second : variant.substr(variant.rfind('/') + 1);
}

std::string axis_text(const std::string& axis, const std::string& value) {
  if (axis == "threads") return value == "1" ? "1 thread" : value + " threads";
  return axis + " " + value;
}

std::optional<double> number_at(const Shown& shown, const std::string& axis) {
  const Json& point = shown.member->record->point;
  if (!point.contains(axis) || !point.at(axis).is_number()) return std::nullopt;
  return point.at(axis).get<double>();
}

}  // namespace uotbench
