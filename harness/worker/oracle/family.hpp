// A family: kernels that compute the same thing, and the problem they solve. Its object lives in the oracle,
// which makes the inputs and judges the outputs; nothing here is linked into a worker that holds kernels.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/protocol/point.hpp"
#include "harness/worker/arrays.hpp"
#include "results/record/record.hpp"

namespace uotbench {

struct ArraySpec {
  std::string name;
  std::string type;  ///< as NPY spells it: <f4, <f8
  std::vector<std::size_t> shape;
};

/// A file of a problem, as the family's page describes it.
struct ArrayAbout {
  std::string name;
  std::string shape;  ///< axes, or numbers: "M,N"
  std::string type;   ///< "dtype": <f4 or <f8 as that axis says; else as NPY spells it
  bool output = false;
  std::string about = {};  ///< what it holds, and which problems have it where not all do
};

struct FamilySpec {
  std::string name;
  std::string summary;
  /// Of the problem: cases that agree in all of them are a group. Sizes have that role, the others get the
  /// role `problem`.
  std::vector<Axis> axes;
  int iterations = 10;  ///< a result is judged after this many, and after 2
  /// Iterations leave nothing to each other: what the last one left is judged, however many there were.
  bool memoryless = false;
  double loosest = 0.1;  ///< the largest tolerance that a variant may declare
  /// What `check-worker` has a variant compute: sizes that no vector and no tile divides, one that is thin,
  /// and every value of an axis that changes the code. What a point leaves out has its default. None: some
  /// primes as sizes, and then small ones.
  std::vector<Point> checked = {};
  /// `uotbench list NAME` prints these two: all that a worker in another language is written from.
  std::vector<std::string> mathematics = {};  ///< what is computed, with formulas; a paragraph each
  std::vector<ArrayAbout> arrays = {};
};

/// What is judged in addition to the arrays.
struct Claim {
  std::string variant;
  std::vector<std::string> outputs;  ///< the arrays the variant says it wrote
  int iterations;
  std::optional<double> tolerance = {};  ///< the variant's own, where it declares one
  int threads = 1;                       ///< of the case: what is wrong may be one's share
};

struct Judgement {
  Check check;
  std::string reason;  ///< what is wrong and where, in one line; empty: the result is right
};

class Family {
 public:
  /// Registers itself.
  explicit Family(FamilySpec spec);
  virtual ~Family() = default;
  Family(const Family&) = delete;
  Family& operator=(const Family&) = delete;

  const FamilySpec& spec() const { return spec_; }

  /// Values for derived axes that the point leaves null. Throws Error where no such problem exists (a file
  /// is missing, shapes disagree): a sweep that asks for it is refused with that reason.
  virtual Point derive(const Point&) const { return {}; }
  /// The arrays a variant may write; those it must write first.
  virtual std::vector<ArraySpec> outputs(const Point& point) const = 0;
  /// After how many iterations results of this problem are judged, in this order; the first judgement is the
  /// record's. A problem that is solved to its end, however many iterations that takes, is judged once: {1}.
  virtual std::vector<int> judged_after(const Point&) const { return {spec_.iterations, 2}; }
  /// Bytes of the input arrays.
  virtual double input_bytes(const Point& point) const = 0;
  /// Writes the inputs, rounded to the point's dtype, as NAME.npy into `folder`. Throws Error where the
  /// data make no sound problem.
  virtual void prepare(const Point& point, const std::filesystem::path& folder) const = 0;
  /// Compares with the family's own reference, computed in double from the inputs as written.
  virtual Judgement judge(const Point& point, const std::filesystem::path& inputs,
                          const std::filesystem::path& outputs, const Claim& claim) const = 0;
  /// What may be added to the point of a caller's arrays (harness/call) so that fewer inputs are made, for a
  /// variant that does not refuse it.
  struct Spared {
    std::string name;
    Value value;
    bool verified = false;  ///< the oracle reads what is spared: it is made before a result is verified
  };
  virtual std::vector<Spared> spared(const Point&) const { return {}; }
  /// Inputs that may be a caller's own memory: prepare() writes them by convert() alone, and no kernel finds
  /// an address by their values, which may change at any time.
  virtual std::vector<std::string> lendable(const Point&) const { return {}; }
  /// Outputs that a variant leaves out where there is no such array.
  virtual std::vector<std::string> on_request(const Point&) const { return {}; }
  /// What was computed for the last judgements is not kept for the next: it is of another problem.
  virtual void forget() const {}

 protected:
  /// The problem's axes alone: the point without those of a variant, which change nothing about it.
  Point problem_of(const Point& point) const;

 private:
  FamilySpec spec_;
};

/// All families linked into this oracle.
const std::vector<const Family*>& families();

/// Makes every output array, filled with 0xFF bytes: NaN in every float format, so a kernel that writes
/// nothing, or not everything, cannot pass.
void poison(const Family& family, const Point& point, const std::filesystem::path& folder);
/// True where every byte is still 0xFF.
bool is_untouched(NpyArray& array);

// A batch judged item by item: how many are wrong, which, and the worst of them. One wrong item is a wrong
// result, however right the others are.

/// What was found of one item.
struct ItemJudged {
  double error = 0;        ///< relative, as the family defines it; not finite: wrong
  std::string fault = {};  ///< what is wrong with it, in one line; empty: it is right
};

/// Judges items 0 to `count` - 1, which OpenMP threads share. The check's error is that of the worst item,
/// and the reason has the first wrong item's fault: "3 of 4096 items are wrong: 7, 12, 4001; item 7: …".
Judgement judge_items(std::int64_t count, double tolerance, const std::string& oracle,
                      const std::function<ItemJudged(std::int64_t index)>& judge);

}  // namespace uotbench
