// A point: one value for every axis; and the text of it that names a case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/protocol/axis.hpp"
#include "results/case_parts.hpp"
#include "results/json.hpp"

namespace uotbench {

class Point {
 public:
  Point() = default;
  /// `values` is an object of scalars.
  explicit Point(Json values) : values_(std::move(values)) {}

  /// Each throws Error naming the axis where it is missing or of another type.
  std::size_t size(const char* axis) const { return static_cast<std::size_t>(integer(axis)); }
  std::int64_t integer(const char* axis) const;
  double number(const char* axis) const;
  std::string text(const char* axis) const;

  bool has(const std::string& axis) const { return values_.contains(axis) && !values_[axis].is_null(); }
  const Json& values() const { return values_; }

 private:
  const Json& at(const char* axis) const;

  Json values_ = Json::object();
};

/// The points that a `plan` request asks about: what it says in `common`, and each of `points` says besides.
std::vector<Json> planned_points(const Json& request);

/// uot/map_uot/M:4096/N:4096/threads:2@native-v4: the variant, sizes always, then every axis that differs
/// from its default alphabetically, values percent-encoded outside [A-Za-z0-9_.+-], then the worker.
/// `axes` are in declaration order; `point` holds effective values and `derived` what the family derived.
std::string case_id(std::string_view variant, const std::vector<Axis>& axes, const Json& point,
                    const Json& derived, std::string_view worker);

/// What an id names, before anybody has said which axes there are: values are texts.
struct CaseName {
  std::string variant;
  std::vector<std::pair<std::string, std::string>> axes;  ///< in the order of the id
  std::string worker;
};

/// The inverse of `case_id`. Throws Error naming what is wrong.
CaseName parse_case_id(std::string_view id);

}  // namespace uotbench
