// A sweep: what is to be run and how it is to be measured, from a file, from the command line, or both.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"
#include "results/base/value.hpp"
#include "results/expression/expression.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {

// The conditions of a sweep, such as "Tx*Ty <= 1024 && M % rows == 0": which combinations of axis values are
// meant. The grammar is that of results/expression/expression.hpp; nothing is executed.

class Condition {
 public:
  /// Throws UsageError "WHERE: TEXT: what is wrong" (position, what was found, what is accepted).
  Condition(std::string text, std::string where);

  /// The axes it names, each once.
  const std::vector<std::string>& axes() const { return expression_.names(); }
  const std::string& text() const { return expression_.text(); }
  /// Where it stands, e.g. tiling.json: /cases/0/where/1.
  const std::string& where() const { return expression_.where(); }

  /// Whether it holds for these values of `axes()`, numbers or texts. Numbers are doubles; / is exact
  /// division, % wants integers. Throws UsageError for what has no answer: 1/0, 3 % 0, 0.5 % 2, 'f32' < 3.
  bool holds(std::span<const Value* const> values) const;

 private:
  class Axes;
  struct Operand {
    bool is_text = false;
    double number = 0;
    std::string_view text = {};
  };

  bool truth(std::size_t node, const Axes& axes) const;
  Operand operand(std::size_t node, const Axes& axes) const;

  Expression expression_;
};

struct MeasureOptions {
  int rounds = 3;
  int min_samples = 5;       ///< of a case, over its rounds
  double max_noise = 0.02;   ///< relative
  double max_time = 2;       ///< seconds, of a case, shared by its rounds
  double case_timeout = 60;  ///< seconds, of one process
  /// What of the judge's findings solves are to reach, and the targets: {"gap", 1e-4}.
  std::vector<std::pair<std::string, double>> reach = {};
  std::string caches =
      {};  ///< that simulators are given, as parse_cache_shapes reads it; empty: this machine's
};

/// Names and the values that they take together, in the order of the file: {"M","N"} and [[512,512],…].
struct AxisValues {
  std::vector<std::string> names;
  std::vector<std::vector<Value>> tuples;
};

struct CaseGroup {
  std::vector<std::string> variants;  ///< may hold "uot/*"
  std::vector<std::string> workers;   ///< empty: the sweep's
  std::vector<AxisValues> axes;
  std::vector<Condition> conditions;  ///< combinations for which one does not hold are left out
  std::string pointer;                ///< to it in the file, for errors
};

struct Sweep {
  std::string name = "run";
  MeasureOptions measure;
  std::vector<std::string> workers;    ///< empty: the best native one
  std::vector<std::string> counters;   ///< as plan_counters reads them
  Document speedup_over;               ///< {"variant", "worker", axes…}, all optional; null: not said
  std::vector<std::string> published;  ///< the variants that others published values of
  std::vector<CaseGroup> cases;
  SweepDocument document;  ///< the whole, as it stands in the run file
  std::string source;      ///< the file's name, for errors
};

/// An `-a` argument: "M,N=4096,4096;512,512", "threads=1,2", or with a value as in a sweep file:
/// N={"pow2":[9,12]}, path=["a,b"].
struct AxisOverride {
  std::vector<std::string> names;
  Document value;  ///< as a sweep file has it
  std::string text;
};

/// Throws UsageError.
AxisOverride parse_axis_override(const std::string& text);

/// What a command line says of a sweep: it beats the file. Absent and empty: as the file has it.
struct SweepOverrides {
  std::vector<AxisOverride> axes = {};  ///< in every case, in place of the values that it has
  std::optional<int> rounds = {}, min_samples = {};
  std::string max_noise = {}, max_time = {}, case_timeout = {}, caches = {};  ///< spelled as in a file
  std::vector<std::string> counters = {};
  std::vector<std::string> workers = {};  ///< of all cases
  Document speedup_over = {};             ///< null: as the file has it
};

/// Validates and reads a sweep, `overrides` included. Throws UsageError naming the JSON pointer, what was
/// found and what is accepted; and where one half of a tied axis is overridden, or an axis twice.
Sweep sweep_from(Json json, const Json& schema, const std::string& source,
                 const SweepOverrides& overrides = {});

/// Likewise a sweep whose cases are not known yet: it has none.
Sweep sweep_without_cases(const Json& schema, const std::string& source, const SweepOverrides& overrides);

/// Adds cases to a sweep and to its document.
void add_cases(Sweep& sweep, const std::vector<CaseGroup>& groups);

/// A sweep that this program makes itself, of its name, cases, options, workers and counters: completed with
/// its JSON for the run file, and with the places that errors name. `about`: one line.
Sweep made_sweep(Sweep sweep, const std::string& source, const std::string& about = "");

/// The JSON of a sweep of these variants, on the values that their axes have by default.
Json sweep_json(const std::vector<std::string>& variants);

}  // namespace uotbench
