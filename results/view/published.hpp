// What others published of the variants of a sweep (its key "published"), compared with what a run has of
// them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/counters.hpp"
#include "results/view/view.hpp"

namespace uotbench {

/// What one multiprocessor of a GPU holds at a time.
struct Multiprocessor {
  int count = 1;  ///< in the GPU
  int threads = 0, blocks = 0;
  double shared_bytes = 0;
};

struct PublishedMachine {
  std::string key;   ///< as values name it
  std::string name;  ///< as people do
  std::optional<Multiprocessor> multiprocessor = {};
};

/// Of one variant on one machine; what was not published is absent.
struct PublishedValue {
  std::string variant;
  std::size_t machine = 0;     ///< in Published::machines
  std::optional<double> time;  ///< seconds, of the published problem
  std::vector<std::pair<std::string, double>> counters = {};
  std::optional<double> theoretical_occupancy = {}, achieved_occupancy = {};
};

struct Published {
  std::string source;
  double flops = 0;  ///< of the published problem
  std::vector<PublishedMachine> machines;
  std::vector<PublishedValue> values;

  /// The variants with values, each once, as the sweep has them.
  std::vector<std::string> variants() const;
  /// The counters that some variant has a value of, each once.
  std::vector<std::string> counters() const;
};

/// Of a sweep's key; `where` is that for errors: "ladder.json: /published". Throws UsageError: a machine that
/// is not described, two values for one variant and machine, a key of the wrong type.
Published published_from(const Json& json, const std::string& where);
/// Of a run's first line; absent where its sweep has none. Throws UsageError as `published_from`.
std::optional<Published> published_of(const RunHeader& header);

/// Flops of the work model over the median time; absent where there is none of either.
std::optional<double> flop_rate(const CaseView& member);

/// What a counter of a case is multiplied by to be that of a problem of `flops`, if it grows as the flops do.
/// Absent: the variant declares no work.
std::optional<double> scale_to(double flops, const Record& record);

/// Of several cases of a variant the ok one with the highest flop rate; null: none was timed.
const CaseView* fastest_by_rate(const std::vector<const CaseView*>& cases);
/// The one with a value of this counter whose flops are the nearest to `flops`, of equal ones the first;
/// null: none has one.
const CaseView* nearest_counted(const std::vector<const CaseView*>& cases, const std::string& counter,
                                double flops);

/// A published quantity and ours.
struct PublishedRow {
  std::string variant;
  std::size_t machine = 0;  ///< in Published::machines
  std::string quantity;     ///< "flop rate", or a counter's name
  std::string unit;         ///< flops/seconds, or the counter's; 1 where none of ours has one
  double published = 0;
  int digits = 1;                  ///< that it was published with; of a rate: those of its time
  const CaseView* ours = nullptr;  ///< the case that `value` is from; null: there is none
  std::optional<double> value = {};
  double scale = 1;         ///< by which the case's count was multiplied; rates never are
  std::string source = {};  ///< who measured or counted `value`
  std::string reason = {};  ///< why there is no `value`
  std::optional<double> ratio() const { return value ? std::optional(*value / published) : std::nullopt; }
};
inline constexpr const char* flop_rate_name = "flop rate";

/// Times become flop rates, so that problems of different sizes can be compared; counters are scaled.
/// Of variants that have a case in the view, in the published order.
std::vector<PublishedRow> published_rows(const RunView& view, const Published& published);

/// The digits that a published number was written with, at least: 1.6e9 has 2, 9143582932 has 10.
int digits_of(double value);

}  // namespace uotbench
