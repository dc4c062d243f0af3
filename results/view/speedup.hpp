// What a sweep's speedups are over, and which case that is for every case.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// The sweep's "speedup_over": {"variant": …, "worker": …, AXIS: value, …}, every key optional.
///
/// The reference of a case is the case of that variant (without `variant`: of its own variant, with the same
/// own axes) which has the named values, and equals it in all other problem axes, in the worker and in all
/// settings; in another worker, one with the same number of CPUs, in any number of processes. Which worker
/// that is where none is named: see References.
class Reference {
 public:
  Reference() = default;
  /// Null: there is none. Throws UsageError where it is something else than an object.
  explicit Reference(const Json& speedup_over);

  bool given() const { return !json_.is_null(); }
  /// As the sweep has it; null where there is none.
  const Document& document() const { return json_; }
  /// For a person: "uot/numpy_order threads:1", "itself threads:1".
  std::string text() const;
  /// Whether it says more than a variant's name.
  bool names_axes() const { return !axes_.empty() || !worker_.empty(); }
  bool names_worker() const { return !worker_.empty(); }
  /// Whether `record` is one that others can be held against.
  bool is(const Record& record) const;
  bool is_among(const std::vector<Record>& records) const;

  friend bool operator==(const Reference& a, const Reference& b) { return a.json_ == b.json_; }

 private:
  friend class References;

  Document json_;
  ObjectDocument axes_;
  std::string variant_, worker_;
};

/// Which cases of a run every case of it is held against: the one place that knows.
///
/// Where no worker is named, the reference is in the case's own worker, if that has cases of the variant;
/// else in the only worker that has. Where several others have it there is none: which would be meant?
class References {
 public:
  /// Keeps no reference to either.
  References(const Run& run, const Reference& over);

  /// One of `own` of a reference equals `sought` of the cases that it is for.
  struct Keys {
    std::vector<std::string> own;
    std::string sought;
  };
  /// `first`: the variant to be held against where the sweep names nothing at all.
  Keys keys_of(const Record& record, const std::string& first) const;

  /// The variant that a case is held against.
  const std::string& variant_for(const Record& record, const std::string& first) const;
  /// The workers that have cases of a variant which could run there, in the order of their names.
  std::vector<std::string> homes_of(const std::string& variant) const;
  /// Where a case's reference is looked for.
  const std::string& worker_for(const Record& record, const std::string& first) const;

 private:
  std::string context_of(const Record& record, bool sought, bool by_cpus) const;

  Reference over_;
  AxisRoles roles_;
  std::map<std::string, std::set<std::string>> homes_;  ///< of a variant: workers that did not skip it
};

}  // namespace uotbench
