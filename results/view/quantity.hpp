// The numbers and words of a case, each named once for all formats: tables for people, LaTeX, a page, CSV,
// JSON and Python. A new one is one entry of the list (results/view/quantities.cpp).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/base/value.hpp"
#include "results/view/table.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// Above it, relative, a case's spread is "> 100%", and exports for papers mark its numbers.
inline constexpr double told_noise = 1;

/// A format leaves out what has no name in it.
struct Quantity {
  /// Its place among a format's columns; equal ones are in the order of the list.
  enum class Order { leading, between, trailing };

  Value (*value)(const CaseView& member) = nullptr;  ///< in its base unit; none: not known
  const char* unit = "";                             ///< "s", "B", "B/s", "flop" or "1"; empty: words

  // CSV and Python
  const char* csv = nullptr;  ///< its column
  Order csv_order = Order::between;
  bool in_python = false;  ///< the package uotbench_runs computes it, from a record alone

  // JSON, in the order of the list
  const char* key = nullptr;
  bool is_optional_key = false;                    ///< without a value it has no key; else null
  Json (*json)(const CaseView& member) = nullptr;  ///< where JSON has more than the value

  // Tables for people
  const char* title = nullptr;  ///< of its column
  const char* about = "";       ///< what it means
  Order title_order = Order::between;
  /// Absent: as its unit is written. Empty: it is not shown. `usual_tolerance`: of the case's group.
  std::string (*text)(const Value& value, const CaseView& member, double usual_tolerance) = nullptr;
  bool (*is_rare)(const CaseView& member) = nullptr;  ///< the column is there only if a case has this
  /// Where its value is from, in words, as a page shows it.
  std::string (*source)(const CaseView& member, const RunView& view) = nullptr;

  // LaTeX
  const char* heading = nullptr;  ///< what a paper calls the column; absent: its title
  bool is_timing = false;         ///< a large spread makes it doubtful
  bool is_macro = false;          ///< its values are \newcommands, too
};

std::span<const Quantity> quantities();
/// The columns of a CSV file, and of a table for people, in their order.
std::vector<const Quantity*> csv_quantities();
std::vector<const Quantity*> shown_quantities();
/// Of a table's column; null: there is none.
const Quantity* quantity_titled(std::string_view title);

/// As a person reads it; empty: not known, or not shown.
std::string text_of(const Quantity& quantity, const CaseView& member, double usual_tolerance);
/// Null: not known, or no finite number.
Json json_of(const Quantity& quantity, const CaseView& member);

// A run as a table: a case's row as a person reads it, scaled and rounded, the same in every format.

/// Where a case's number in the column of this title is from, in words.
using SourceOf = std::function<std::string(const CaseView& member, std::string_view column)>;

/// Cases of a worker that cannot run here at all, which a note names.
enum class AbsentWorkers { shown, left_out };

/// Cases below their groups' titles; the view's notes. A column of roofs only where there are any, iterations
/// only with solves. The fastest of a group is strong, in label and median; an error has its tolerance
/// where that is larger than the group's usual one; the last column is the status, with the reason as its
/// detail.
Table run_table(const RunView& view, AbsentWorkers absent = AbsentWorkers::shown,
                const SourceOf& source_of = {});

/// The group's fastest, where it was faster than another; null where there is none, or some were timed per
/// part and others not. Iterations and solves together are compared by the iteration.
const CaseView* fastest(const GroupView& group);

}  // namespace uotbench

// Where a case's numbers are from: sentences on one line, empty where there is nothing to say.

namespace uotbench::quantity_sources {

std::string median(const CaseView& member, const RunView& view);
std::string iterations(const CaseView& member, const RunView& view);
std::string per_iteration(const CaseView& member, const RunView& view);
std::string spread(const CaseView& member, const RunView& view);
std::string bandwidth(const CaseView& member, const RunView& view);
std::string predicted(const CaseView& member, const RunView& view);
std::string of_predicted(const CaseView& member, const RunView& view);
std::string speedup(const CaseView& member, const RunView& view);
std::string error(const CaseView& member, const RunView& view);

}  // namespace uotbench::quantity_sources
