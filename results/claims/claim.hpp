// Claims: what a paper printed, where it is there, and how records measure the same. Data
// (configs/claims).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/expression/expression.hpp"

namespace uotbench {

/// Records that an expression calls by one name: those of a variant, a worker and some axes' values.
struct ClaimCases {
  std::string name = {}, variant = {}, worker = {};  ///< empty: any
  ObjectDocument axes = {};

  std::string text() const;
};

/// Kinds: an exact count; a factor that holds within a tolerance; an order or a sign; a shape (a rank
/// correlation with a printed table, the place of an optimum).
enum class ClaimKind { exact, factor, trend, shape };
const char* name_of(ClaimKind kind);

/// Whether the printed value is met near it, from it on, or up to it.
enum class ClaimBound { about, at_least, at_most };

/// A way to understand what was printed: "by POT's package", "by POT's order in C++".
struct ClaimReading {
  std::string name;  ///< empty where there is only one
  Expression value;
};

/// What a machine must have; 0 and empty: nothing special.
struct ClaimNeeds {
  std::string gpu;
  int ranks = 0, cores = 0;
  double memory = 0;  ///< bytes
};

struct PrintedClaim {
  std::string id, place, text, says, machine, unit = "1", note, cannot, depends_on, sweep;
  std::string derived;  ///< what `printed` is computed from, where the paper prints no such number
  std::vector<std::string> quotes;  ///< texts of a page of this project, which end with what is printed
  std::vector<Value> under;         ///< or are of a table's row: the head of the column, or its place from 1
  std::vector<int> nth;             ///< which number of a cell, from 1; empty: the first
  std::vector<ClaimCases> cases;    ///< its own; others are the file's
  ClaimKind kind = ClaimKind::factor;
  ClaimBound bound = ClaimBound::about;
  double printed = 0;
  double tolerance = 0;  ///< relative
  std::optional<double> neutral =
      {};  ///< the trend is the side of it on which a value is; absent: there is none
  std::vector<ClaimReading> readings;
  ObjectDocument where = {};      ///< axes' values, of all its cases
  std::vector<std::string> each;  ///< axes that identify a row; empty: those of the problem
  /// A printed table: the axes' values of each row, then what was printed. `printed` in an expression.
  std::vector<std::string> table_axes;
  std::vector<std::vector<Value>> table;
  ClaimNeeds needs;
};

/// One sweep of a claim file: what runs here, and what the paper ran.
struct ClaimSweep {
  std::string name;
  double minutes = 0;   ///< about, on two cores
  Document here, full;  ///< a sweep, or the name of one in configs/; null: there is none
};

struct ClaimFile {
  std::string name;  ///< of the file, without .json
  std::string title, source, about;
  ObjectDocument machines = {};
  std::vector<ClaimSweep> sweeps;
  std::vector<ClaimCases> cases;
  std::vector<PrintedClaim> claims;

  /// Null: none of this name. The claim's own come first.
  const ClaimCases* cases_of(const PrintedClaim& claim, const std::string& name) const;
  const ClaimSweep* sweep_of(const std::string& name) const;
};

/// Of JSON that configs/claims.schema.json accepts. Throws UsageError "NAME: /claims/3/value: …": an
/// expression that does not parse, names that no cases have, a sweep or a machine that is not described, an
/// id twice.
ClaimFile claims_from(const Json& json, const std::string& name);

/// Whether it is of this figure or table: "9", "Fig. 9", "Table 1", or its id.
bool is_of(const PrintedClaim& claim, const std::string& figure);

}  // namespace uotbench
