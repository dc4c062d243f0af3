// The ceilings of a run as its cases see them. What memory gives on a shared machine changes within minutes:
// of a bandwidth that a run measured several times a case is held against the one nearest in time.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/record/run_file/run_file.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

/// A bandwidth at one working set that a run measured at least twice.
struct CeilingOverTime {
  /// Measured because these cases exceeded it.
  struct Exceeded {
    std::vector<std::string> ids;
    Roof roof;
  };

  const Ceilings* its = nullptr;  ///< of which machine
  std::size_t place = 0;          ///< in its roofs
  std::vector<Roof> measured = {};
  std::vector<Exceeded> exceeded = {};

  /// That nearest in time to a case; for one that exceeded it what was measured then, where it is higher.
  const Roof& for_case(const Record& record, double when) const;
  /// Bytes per second of those in `measured`.
  double lowest() const;
  double highest() const;
};

class CeilingsInTime {
 public:
  /// `instead`: these and not the run's own, at any time; empty: the run's own.
  explicit CeilingsInTime(const Run& run, const std::vector<Ceilings>& instead = {});
  explicit CeilingsInTime(Run&&, const std::vector<Ceilings>& = {}) = delete;
  CeilingsInTime(const CeilingsInTime&) = delete;
  CeilingsInTime& operator=(const CeilingsInTime&) = delete;

  /// ceilings_of the run, or those instead of them.
  const std::vector<Ceilings>& all() const { return all_; }
  /// The element of `all` that a record stands under; null: there is none.
  const Ceilings* at_any_time(const Record& record) const;
  /// The same with the bandwidths nearest in time to the record's processes. Where their starts are not
  /// known, or nothing was measured twice, at_any_time. It lives as long as this object.
  const Ceilings* of(const Record& record) const;

  /// What the run measured at least twice, at known times.
  const std::vector<CeilingOverTime>& repeated() const { return repeated_; }
  /// Whether a ceiling that `record` measured is among them.
  bool is_repeated(const Roof& roof, const Record& record) const;

 private:
  using Chosen = std::pair<const Ceilings*, std::vector<const Roof*>>;  ///< of each in `repeated` of these

  void find_repeated();
  CeilingOverTime* series_of(const Roof& roof, const Ceilings* its);

  const Run& run_;
  std::vector<Ceilings> all_;
  std::vector<CeilingOverTime> repeated_;
  mutable std::map<Chosen, Ceilings> nearest_;  ///< made when first asked for
};

}  // namespace uotbench
