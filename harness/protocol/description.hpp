// What workers say of their variants, and the oracle of its families (docs/reference/protocol.md: "describe →
// described").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/protocol/measures.hpp"
#include "harness/protocol/point.hpp"
#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"

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
  /// Points that workers are checked at; the other axes have their defaults.
  std::vector<Document> checked = {};
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
  std::string code = {};  ///< a hash of its machine code before it was linked; empty: not reported
  Document kernels = {};  ///< a list, where the worker reports what its compiler made: registers, spills, …

  /// The only points that it has, each with values of some of its own axes; empty: any.
  std::vector<Document> points = {};
  std::optional<Measures> measures = {};  ///< of a ceiling
  std::string obstacle = {};              ///< why none of its cases can be right; empty: they may be

  /// The part before the last '/'.
  std::string family() const { return name.substr(0, name.rfind('/')); }
};

/// An entry of a worker's list: one that contradicts itself leaves the others as they are.
struct VariantEntry {
  VariantInfo variant;             ///< its name alone where it contradicts itself
  bool has_summary = false;        ///< said, be it empty
  std::string contradiction = {};  ///< what is wrong; empty: nothing
};

struct DescribedReply {
  std::vector<FamilyInfo> families = {};  ///< the worker's own
  std::vector<VariantEntry> variants = {};
};

// Of an answer that the protocol's schema accepts.
DescribedReply described_reply_from(const Json& json);
/// The oracle's. Throws Error for an axis that contradicts itself.
std::vector<FamilyInfo> families_from(const Json& json);

}  // namespace uotbench
