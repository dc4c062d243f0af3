// What tells the cases of a figure apart: the lines that they form, the problems that they solve.
#pragma once

#include <functional>
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
  /// The sizes of a case's problem, in the order of its point.
  std::vector<std::string> sizes(const Shown& shown) const;
  /// "1024²", "1024×10240", "512² data colors": of the problem's axes the sizes, where there are several, and
  /// those that vary.
  std::string problem(const Shown& shown) const;
  /// "data colors": of the problem's axes those that vary, sizes and dtype left out; empty where none does.
  std::string kind(const Shown& shown) const;
  /// The parts of its problem that a case's id names.
  std::vector<std::string> problem_parts(const Shown& shown) const;
  /// Of a variant, its own axes with several values, in the order of its point.
  std::vector<std::string> varying(const std::string& variant) const;

  /// "2 threads", of the settings those that vary; empty where none does.
  std::string settings(const Shown& shown) const;
  /// The settings that vary.
  std::set<std::string> varying_settings() const;
  /// The settings that are numbers, such as threads, in the order of the first point that has them.
  std::vector<std::string> number_settings() const;
  /// Of those the first that varies; empty where none does.
  std::string varying_number_setting() const;
  /// The values of an axis among all cases, as numbers, ascending.
  std::vector<double> numbers(const std::string& axis) const;

  /// In the figure's order; `along`: own axes in which the cases of a line may differ.
  std::vector<Line> lines(const FigureSpec& spec, const std::set<std::string>& along = {}) const;
  /// What tells a line or a panel from its like, in words: own axes that vary, but those in `along`.
  std::string own_text(const Shown& shown, const std::set<std::string>& along) const;
  /// "2 threads", "rows 4"; `value` instead of the case's own.
  std::string text(const Shown& shown, const std::string& axis, const Json& value) const;

 private:
  bool is_setting(const Shown& shown, const std::string& axis) const;
  /// Whether an axis has several values among all cases, or among those of a variant.
  bool varies(const std::string& axis) const;
  bool varies(const std::string& axis, const std::string& variant) const;

  /// The values of an axis: the first of them, and whether there are others.
  struct Values {
    const Json* first = nullptr;
    bool several = false;
    void add(const Json& value);
  };
  using ValuesByAxis = std::map<std::string, Values>;

  const std::vector<Shown>* shown_;
  std::map<const RunView*, AxisRoles> roles_;
  std::set<std::string> settings_;
  ValuesByAxis values_;
  std::map<std::string, ValuesByAxis> values_of_;         ///< of a variant
  std::map<std::string, std::set<std::string>> workers_;  ///< of a variant
  bool several_runs_ = false;                             ///< hold the same case
};

/// The cases as panels or categories show them: in order of first appearance, under `key`.
using CaseGroups = std::vector<std::pair<std::string, std::vector<const Shown*>>>;
CaseGroups grouped(const std::vector<const Shown*>& cases,
                   const std::function<std::string(const Shown&)>& key);

std::vector<const Shown*> pointers(const std::vector<Shown>& shown);

/// The files of the runs, for messages: "a.jsonl, b.jsonl".
std::string files_of(const std::vector<const RunView*>& views);
/// The file of the case's run, without its folder: where a number is from.
std::string source_of(const Shown& shown);

/// A short name as `selected` gives it, of a variant that need not be shown.
std::string label_of(const FigureSpec& spec, const std::string& variant);
/// "2 threads" of a setting that is a number, "rows 4" of the rest.
std::string axis_text(const std::string& axis, const Json& value, bool is_setting);
/// "4096", "1024×10240", "1024²", "64³": the values of a case's sizes.
std::string sizes_text(const Record& record, const std::vector<std::string>& sizes);
/// A number of a table: shortest text that reads back equal.
std::string exact(double value);
/// An axis's value; absent where the case has no such axis or it is no number.
std::optional<double> number_at(const Shown& shown, const std::string& axis);

}  // namespace uotbench
