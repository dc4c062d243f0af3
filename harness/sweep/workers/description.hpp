// What workers say of their variants, and the judge of its families: read, and found to make sense together.
// A run and check-worker have the same rules.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/protocol/axis.hpp"
#include "harness/protocol/measures.hpp"
#include "results/base/json.hpp"

namespace uotbench {

/// A file of a problem.
struct ArrayInfo {
  std::string name, shape, type, about;
  bool output = false;
};

/// What the oracle says of a family; or a worker, of one of its own.
struct FamilyInfo {
  std::string name;
  std::string summary;
  std::vector<Axis> axes;  ///< the Problem axes
  int iterations = 10;
  std::vector<Json> checked = {};  ///< points that workers are checked at; the other axes have their defaults
  /// The largest tolerance that a variant may declare: with a larger one nearly every result would pass.
  double loosest = 0.1;
  bool memoryless = false;                    ///< an iteration's result depends on the inputs alone
  std::vector<std::string> mathematics = {};  ///< for people: what is computed, a paragraph each
  std::vector<ArrayInfo> arrays = {};         ///< for people: the files of a problem
  bool oracle = true;                         ///< false: a worker's own, which no oracle verifies
};

/// What a worker says of a variant.
struct VariantInfo {
  std::string name;
  std::string summary;
  std::vector<Axis> axes;  ///< its own; the family's come first in a case
  std::optional<double> tolerance;
  std::string code =
      {};  ///< a hash of its machine code before it was linked; empty: the worker does not tell
  Json kernels = nullptr;  ///< a list, where the worker tells what its compiler made: registers, spills, …

  /// The only points that it has, each with values of some of its own axes; empty: any.
  std::vector<Json> points = {};
  std::optional<Measures> measures = {};  ///< of a ceiling
  std::string obstacle = {};              ///< why none of its cases can be right; empty: they may be

  /// The part before the last '/'.
  std::string family() const { return name.substr(0, name.rfind('/')); }
};

/// Of an answer to `describe` that the protocol's schema accepts. Throws Error for an axis that contradicts
/// itself.
FamilyInfo family_from(const Json& told);
/// One that a worker describes as its own.
FamilyInfo own_family_from(const Json& told);
VariantInfo variant_from(const Json& told);

/// What is wrong, and what was expected.
struct Misdescription {
  std::string found, accepted;
};

/// Why the description cannot be true, of whatever family the variant is; `others`: the names before it.
/// Absent: it may be.
std::optional<Misdescription> misdescription(const VariantInfo& variant, const std::set<std::string>& others);
/// Likewise, beside what its family is.
std::optional<Misdescription> misdescription(const VariantInfo& variant, const FamilyInfo& family);
/// A tolerance with which the family judges nothing.
std::optional<Misdescription> loose_tolerance(const VariantInfo& variant, const FamilyInfo& family);

}  // namespace uotbench
