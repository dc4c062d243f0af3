// An axis: a named parameter with a frozen default. Families and variants declare them, workers describe
// them, sweeps give them values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/json.hpp"

namespace uotbench {

/// Sizes are integers 1..2^31 and always part of a case's id.
inline constexpr std::int64_t largest_size = std::int64_t{1} << 31;

struct Axis {
  enum class Kind { size, integer, number, text };

  std::string name;
  Kind kind = Kind::integer;
  /// Frozen: changing it means renaming the axis, or stored ids would change their meaning. null: a value
  /// must be given, or the family derives it from the other axes (`derived`).
  Json standard = nullptr;
  std::vector<Json> values = {};     ///< accepted values; empty: any of the kind
  std::optional<double> least = {};  ///< smallest accepted number
  std::optional<double> most = {};   ///< largest accepted number
  bool derived = false;              ///< null means: ask the family
  std::string about = {};            ///< one line for `list`
};

Json to_json(const Axis& axis);
/// Throws Error for a malformed description.
Axis axis_from(const Json& json);

/// 4096, 0.05, or the text itself ("nan" and "inf" are texts): a value of which only the text is known.
Json scalar_from(const std::string& text);
/// A value that somebody wrote as text, as the axis takes it; the text itself where it is none of the kind
/// (`objection` then says so).
Json value_from(const Axis& axis, const std::string& text);

/// Why `value` is not one of the axis's, e.g. `"f16" is not one of f32, f64`; empty: it is.
std::string objection(const Axis& axis, const Json& value);
/// What the axis accepts, in words: "f32, f64", "an integer >= 1".
std::string accepted(const Axis& axis);

}  // namespace uotbench
