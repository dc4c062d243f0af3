// What the tests of every family's oracle begin with.
#pragma once

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/oracle/family.hpp"
#include "results/base/error.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {

inline const Family& family_named(const std::string& name) {
  for (const Family* each : families())
    if (each->spec().name == name) return *each;
  throw Error(name + " is not linked");
}

/// The family's defaults with changes.
inline Json defaults_with(const Family& family, const Json& changes) {
  Json values;
  for (const auto& axis : family.spec().axes) values[axis.name] = to_json(axis.standard);
  values.update(changes);
  return values;
}

template <class T>
void write(const std::filesystem::path& file, const std::vector<std::size_t>& shape,
           const std::vector<T>& values) {
  NpyArray array = NpyArray::create(file, npy_type<T>(), shape);
  std::ranges::copy(values, array.as_mutable<T>().begin());
}

/// What is thrown; empty: nothing.
inline std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace uotbench
