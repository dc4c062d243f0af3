// What tells the cases of a figure apart: the lines that they form, the problems that they solve.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "roofline/figures/figure.hpp"

namespace uotbench {

/// Cases that differ only in where on the line they stand.
struct Line {
  std::string label;  ///< for a key: "Ours, 2 threads"
  std::string colour;
  std::size_t look = 0;  ///< chooses shape, dash and pattern
  std::vector<const Shown*> cases;
};

/// Axes of the shown cases. Keeps pointers to them.
class CaseAxes {
 public:
  explicit CaseAxes(const std::vector<Shown>& shown);

  /// True for the axes that say what is computed.
  bool is_problem(const Shown& shown, const std::string& axis) const;
  /// "1024²", "1024×10240", "512² data colors": of the problem's axes the sizes and those that vary.
  std::string problem(const Shown& shown) const;
  /// Of a variant, its own axes with several values, in the order of its point.
  std::vector<std::string> varying(const std::string& variant) const;

  /// "2 threads", of threads, cache and place those that vary; empty where none does.
  std::string settings(const Shown& shown) const;
  /// The settings that vary.
  std::set<std::string> varying_settings() const;
  /// The values of an axis among all cases, as numbers, ascending.
  std::vector<double> numbers(const std::string& axis) const;

  /// In the figure's order; `along`: own axes in which the cases of a line may differ.
  std::vector<Line> lines(const FigureSpec& spec, const std::set<std::string>& along = {}) const;
  /// What tells a line or a panel from its like, in words: own axes that vary, but those in `along`.
  std::string own_text(const Shown& shown, const std::set<std::string>& along) const;

 private:
  const std::vector<Shown>* shown_;
  std::map<const RunView*, ProblemAxes> problem_;
  std::map<std::string, std::set<std::string>> values_;   ///< of "axis", and of "variant/axis"
  std::map<std::string, std::set<std::string>> workers_;  ///< of a variant
  std::map<std::string, std::set<const RunView*>> runs_;  ///< that hold an id
  bool several_runs_ = false;                             ///< hold the same case
};

/// The cases as panels or categories show them: in order of first appearance, under `key`.
template <class Key>
std::vector<std::pair<std::string, std::vector<const Shown*>>> grouped(const std::vector<const Shown*>& cases,
                                                                       const Key& key) {
  std::vector<std::pair<std::string, std::vector<const Shown*>>> groups;
  std::map<std::string, std::size_t> known;
  for (const auto* shown : cases) {
    const auto [place, fresh] = known.try_emplace(key(*shown), groups.size());
    if (fresh) groups.push_back({place->first, {}});
    groups[place->second].second.push_back(shown);
  }
  return groups;
}

std::vector<const Shown*> pointers(const std::vector<Shown>& shown);

/// The files of the runs, for messages: "a.jsonl, b.jsonl".
std::string files_of(const std::vector<const RunView*>& views);
/// The file of the case's run, without its folder: where a number is from.
std::string source_of(const Shown& shown);

/// A short name as `selected` gives it, of a variant that need not be shown.
std::string label_of(const FigureSpec& spec, const std::string& variant);
/// "2 threads", "rows 4".
std::string axis_text(const std::string& axis, const std::string& value);
/// An axis's value; absent where the case has no such axis or it is no number.
std::optional<double> number_at(const Shown& shown, const std::string& axis);

}  // namespace uotbench
