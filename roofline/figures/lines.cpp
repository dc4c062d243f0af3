#include "roofline/figures/lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "results/base/document.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/case_parts.hpp"
#include "roofline/draw/style.hpp"

namespace uotbench {
namespace {

/// Of a variant's first line: lighter is not seen on white.
constexpr double lightest_shade = 0.45;

/// What stands for several equal sizes; null: they are written out.
const char* power_of(std::size_t sizes) { return sizes == 2 ? "²" : sizes == 3 ? "³" : nullptr; }

}  // namespace

// Of 10^5 cases: nothing is looked up, or copied, for a case that was seen of the one before.
CaseAxes::CaseAxes(const std::vector<Shown>& shown) : shown_(&shown) {
  for (const auto& one : shown) roles_.try_emplace(one.view, one.view->run->header);
  const bool several_files = roles_.size() > 1;
  std::unordered_map<std::string_view, const RunView*> run_of;
  for (const auto& one : shown) {
    const Record& record = *one.member->record;
    const AxisRoles& roles = roles_.at(one.view);
    const std::string family = family_of(record);
    if (several_files) several_runs_ |= run_of.try_emplace(record.id, one.view).first->second != one.view;
    workers_[record.variant].insert(record.worker);
    ValuesByAxis& own = values_of_[record.variant];
    for (const auto& [axis, value] : record.point.json().items()) {
      values_[axis].add(value);
      own[axis].add(value);
      if (roles.is_setting(family, axis)) settings_.insert(axis);
    }
  }
}

void CaseAxes::Values::add(const Json& value) {
  if (!first) first = &value;
  several = several || (*first != value && value_text(*first) != value_text(value));
}

bool CaseAxes::varies(const std::string& axis) const { return values_.at(axis).several; }

bool CaseAxes::varies(const std::string& axis, const std::string& variant) const {
  return values_of_.at(variant).at(axis).several;
}

bool CaseAxes::is_problem(const Shown& shown, const std::string& axis) const {
  return roles_.at(shown.view).is_problem(family_of(*shown.member->record), axis);
}

bool CaseAxes::is_setting(const Shown& shown, const std::string& axis) const {
  return roles_.at(shown.view).is_setting(family_of(*shown.member->record), axis);
}

std::vector<std::string> CaseAxes::sizes(const Shown& shown) const {
  return roles_.at(shown.view).sizes(*shown.member->record);
}

std::string CaseAxes::text(const Shown& shown, const std::string& axis, const Json& value) const {
  return axis_text(axis, value, is_setting(shown, axis));
}

std::string CaseAxes::problem(const Shown& shown) const {
  const Record& record = *shown.member->record;
  std::vector<std::string> parts;
  const auto sizes = this->sizes(shown);
  const bool several = sizes.size() > 1;
  if (several) parts.push_back(sizes_text(record, sizes));
  for (const auto& [axis, value] : record.point.json().items()) {
    if (several && std::ranges::find(sizes, axis) != sizes.end()) continue;
    if (is_problem(shown, axis) && varies(axis)) parts.push_back(text(shown, axis, value));
  }
  return parts.empty() ? family_of(record) : fmt::format("{}", fmt::join(parts, " "));
}

std::string CaseAxes::kind(const Shown& shown) const {
  const auto sizes = this->sizes(shown);
  std::vector<std::string> parts;
  for (const auto& [axis, value] : shown.member->record->point.json().items())
    if (is_problem(shown, axis) && axis != "dtype" && varies(axis) &&
        std::ranges::find(sizes, axis) == sizes.end())
      parts.push_back(text(shown, axis, value));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::vector<std::string> CaseAxes::problem_parts(const Shown& shown) const {
  return roles_.at(shown.view).parts(*shown.member->record).problem;
}

std::vector<std::string> CaseAxes::varying(const std::string& variant) const {
  for (const auto& shown : *shown_) {
    if (shown.member->record->variant != variant) continue;
    std::vector<std::string> axes;
    for (const auto& [axis, value] : shown.member->record->point.json().items())
      if (!is_problem(shown, axis) && varies(axis, variant)) axes.push_back(axis);
    return axes;
  }
  return {};
}

std::string CaseAxes::own_text(const Shown& shown, const std::set<std::string>& along) const {
  const Record& record = *shown.member->record;
  std::vector<std::string> parts;
  for (const auto& [axis, value] : record.point.json().items()) {
    if (is_problem(shown, axis) || along.contains(axis)) continue;
    // On how many threads, and in which state, matters wherever it differs at all.
    if (is_setting(shown, axis) ? varies(axis) : varies(axis, record.variant))
      parts.push_back(text(shown, axis, value));
  }
  if (workers_.at(record.variant).size() > 1) parts.push_back(record.worker);
  if (several_runs_) parts.push_back(shown.view->run->path.stem().string());
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string CaseAxes::settings(const Shown& shown) const {
  std::vector<std::string> parts;
  for (const auto& [axis, value] : shown.member->record->point.json().items())
    if (is_setting(shown, axis) && varies(axis)) parts.push_back(text(shown, axis, value));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::set<std::string> CaseAxes::varying_settings() const {
  std::set<std::string> axes;
  for (const auto& axis : settings_)
    if (varies(axis)) axes.insert(axis);
  return axes;
}

std::vector<std::string> CaseAxes::number_settings() const {
  std::vector<std::string> axes;
  for (const auto& shown : *shown_)
    for (const auto& [axis, value] : shown.member->record->point.json().items())
      if (value.is_number() && is_setting(shown, axis) && std::ranges::find(axes, axis) == axes.end())
        axes.push_back(axis);
  return axes;
}

std::string CaseAxes::varying_number_setting() const {
  for (const auto& axis : number_settings())
    if (numbers(axis).size() > 1) return axis;
  return "";
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
  if (std::ranges::none_of(of_variant, [](const auto& entry) { return entry.second > 1; })) return lines;
  std::map<std::string, std::size_t> drawn;  // lines of a variant
  for (std::size_t i = 0; i < lines.size(); ++i) {
    lines[i].look = i;
    const auto& variant = lines[i].cases.front()->member->record->variant;
    const std::size_t of = of_variant[variant], number = ++drawn[variant];
    if (of_variant.size() == 1 && !spec.colours.contains(variant))
      lines[i].colour = look(i).colour;
    else if (of > 1)  // a variant keeps its colour: from a lighter shade, as of few threads, to itself
      lines[i].colour =
          tinted(lines[i].colour, lightest_shade + (1 - lightest_shade) * static_cast<double>(number - 1) /
                                                       static_cast<double>(of - 1));
  }
  return lines;
}

CaseGroups grouped(const std::vector<const Shown*>& cases,
                   const std::function<std::string(const Shown&)>& key) {
  CaseGroups groups;
  std::map<std::string, std::size_t> known;
  for (const auto* shown : cases) {
    const auto [place, fresh] = known.try_emplace(key(*shown), groups.size());
    if (fresh) groups.push_back({place->first, {}});
    groups[place->second].second.push_back(shown);
  }
  return groups;
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

std::string axis_text(const std::string& axis, const Json& value, bool is_setting) {
  if (!is_setting || !value.is_number()) return axis + " " + value_text(value);
  const bool one = value == 1 && axis.ends_with('s');
  return value_text(value) + " " + (one ? axis.substr(0, axis.size() - 1) : axis);
}

std::string sizes_text(const Record& record, const std::vector<std::string>& sizes) {
  std::vector<std::string> texts;
  for (const auto& axis : sizes) texts.push_back(value_text(record.point.json().at(axis)));
  const bool equal = std::ranges::adjacent_find(texts, std::not_equal_to()) == texts.end();
  const char* const power = power_of(texts.size());
  return equal && power ? texts.front() + power : fmt::format("{}", fmt::join(texts, "×"));
}

std::string exact(double value) { return fmt::format("{}", value); }

std::optional<double> number_at(const Shown& shown, const std::string& axis) {
  return shown.member->record->point.number(axis);
}

}  // namespace uotbench
