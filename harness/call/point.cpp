#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/call/problem.hpp"
#include "harness/protocol/point_json.hpp"
#include "results/base/document.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

const Axis* axis_named(const std::vector<Axis>& axes, const std::string& name) {
  const auto found = std::ranges::find(axes, name, &Axis::name);
  return found == axes.end() ? nullptr : &*found;
}

const std::string& name_of_axis(const Axis* axis) { return axis->name; }

const GivenArray* array_named(const std::vector<GivenArray>& arrays, const std::string& name) {
  const auto found = std::ranges::find(arrays, name, &GivenArray::name);
  return found == arrays.end() ? nullptr : &*found;
}

void require_accepted(const Axis& axis, const Value& value) {
  if (const std::string wrong = value_violation(axis, value); !wrong.empty())
    throw Error(fmt::format("{}: {}", axis.name, wrong));
}

/// f32 where all arrays of floats are, else f64: no digit of the caller's is lost.
std::string dtype_of(const std::vector<GivenArray>& arrays) {
  bool single = false;
  for (const auto& [name, array] : arrays) {
    if (array.type.ends_with("f4")) single = true;
    if (array.type.ends_with("f8")) return "f64";
  }
  return single ? "f32" : "f64";
}

/// What the arrays say of an axis; none: nothing.
Value said_by_arrays(const Axis& axis, const std::vector<GivenArray>& arrays, const std::string& folder) {
  if (arrays.empty()) return {};
  const auto lists = [&](const Value& value) {
    return std::ranges::any_of(axis.values, [&](const Value& one) { return one == value; });
  };
  if (axis.name == "path") return folder;
  if (lists("npy") && (axis.name == "data" || array_named(arrays, axis.name))) return "npy";
  if (axis.name == "warm" && lists("given") && array_named(arrays, "log_u0")) return "given";
  if (axis.name == "dtype" && lists(dtype_of(arrays))) return dtype_of(arrays);
  if (axis.name == "cost" && lists("matrix") && array_named(arrays, "C")) return "matrix";
  const GivenArray* const X = array_named(arrays, "X");
  if ((axis.name == "k" || axis.name == "d") && !axis.derived && X && X->array.shape.size() == 2)
    return static_cast<std::int64_t>(X->array.shape[1]);
  return {};
}

}  // namespace

bool reads_arrays(const Family& family) {
  return axis_named(family.spec().axes, "path") && axis_named(family.spec().axes, "data");
}

Point point_of_call(const Variant& variant, const Family& family, const std::vector<GivenArray>& arrays,
                    const GivenSettings& settings, const std::string& folder) {
  std::vector<const Axis*> axes;
  for (const auto* const its : {&family.spec().axes, &variant.spec().axes})
    for (const auto& axis : *its) axes.push_back(&axis);
  std::ranges::sort(axes, {}, name_of_axis);  // as a point has them: each is put at its end
  const bool is_read = reads_arrays(family);
  Point point;
  for (const Axis* const axis : axes) {
    Value said = is_read ? said_by_arrays(*axis, arrays, folder) : Value();
    // A family that goes to a solution does: a caller wants one.
    if (said.is_none() && !axis->derived)
      said = axis->name == "stop" && axis->values.size() > 1 ? axis->values[1] : axis->standard;
    point.set(axis->name, std::move(said));
  }
  for (const auto& [name, text] : settings) {
    const auto axis = std::ranges::find(axes, name, name_of_axis);
    if (axis == axes.end()) {
      if (std::ranges::count(family.spec().arrays, name, &ArrayAbout::name) > 0)
        throw Error(fmt::format("{}: expected an array, got {}", name, text));
      std::vector<std::string> names;
      for (const Axis* const one : axes) names.push_back(one->name);
      throw Error(fmt::format("{}: no setting or array of {}{}", name, variant.spec().name,
                              did_you_mean(name, names)));
    }
    const Value value = value_from(**axis, text);
    require_accepted(**axis, value);
    point.set(name, value);
  }
  return point;
}

Point derived_point(const Family& family, Point point) {
  Point wanting;  // a family asks what is missing by has(), for which a value that is none is none
  for (const auto& [axis, value] : point.values())
    if (!value.is_none()) wanting.set(axis, value);
  const Point derived = family.derive(wanting);
  for (const auto& [axis, value] : derived.values())
    if (!wanting.has(axis)) wanting.set(axis, value);
  for (const auto& axis : family.spec().axes) {
    if (wanting.has(axis.name))
      require_accepted(axis, wanting.value(axis.name));
    else
      throw Error(fmt::format("{}: not given; expected {}", axis.name, accepted(axis)));
  }
  return wanting;
}

}  // namespace uotbench
