// What a sweep's speedups are over, and which case that is for every case.
#pragma once

#include <string>
#include <vector>

#include "results/base/json.hpp"
#include "results/record/case_parts.hpp"
#include "results/record/record.hpp"

namespace uotbench {

/// The sweep's "speedup_over": {"variant": …, "worker": …, AXIS: value, …}, every key optional.
///
/// The reference of a case is the case of that variant (without `variant`: of its own variant, with the same
/// own axes) which has the named values, and equals it in all other problem axes, in the worker and in all
/// settings; in another worker, one that has as many CPUs, in however many processes.
class Reference {
 public:
  Reference() = default;
  /// Null: there is none. Throws UsageError where it is something else than an object.
  explicit Reference(const Json& speedup_over);

  bool given() const { return !json_.is_null(); }
  /// As the sweep has it; null where there is none.
  const Json& json() const { return json_; }
  /// For a person: "uot/numpy_order threads:1", "itself threads:1".
  std::string text() const;
  /// Whether it says more than a variant's name.
  bool names_axes() const { return !axes_.empty() || !worker_.empty(); }
  /// Whether `record` is one that others can be held against.
  bool is(const Record& record) const;

  /// One of `own` of a reference equals `sought` of the cases that it is for.
  struct Keys {
    std::vector<std::string> own;
    std::string sought;
  };
  /// `first`: the variant to be held against where the sweep names nothing at all.
  Keys keys_of(const Record& record, const AxisRoles& roles, const std::string& first) const;

 private:
  std::string context_of(const Record& record, const AxisRoles& roles, bool sought, bool by_cpus) const;

  Json json_;
  Json axes_ = Json::object();
  std::string variant_, worker_;
};

}  // namespace uotbench
