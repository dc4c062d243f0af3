// A variant: one way to compute what its family computes. A variant file defines one constant object of a
// family's own class derived from this one; the object registers itself.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/protocol/point.hpp"
#include "harness/worker/arrays.hpp"
#include "harness/worker/team.hpp"
#include "results/record/work.hpp"

namespace uotbench {

/// One problem being solved by one variant.
class Instance {
 public:
  virtual ~Instance() = default;
  /// Untimed: brings fresh inputs to where iterate() can be called again and again.
  virtual void begin() {}
  /// Untimed: back to the inputs as they were loaded, in the same memory; begin() follows. Asked for only of
  /// an instance that restarts().
  virtual void restart() {}
  virtual bool restarts() const { return false; }
  /// How many iterations may follow begin() before restart() has to; absent: any number.
  virtual std::optional<std::int64_t> lifetime() const { return {}; }
  /// One steady-state iteration, or the number that VariantSpec::steps says.
  virtual void iterate() = 0;
  /// What is timed and counted, again and again: an iteration, or the part of one that the variant is about.
  virtual void timed() { iterate(); }
  /// Where timed() is a whole solve: how many iterations the last one took.
  virtual std::optional<std::int64_t> iterations() const { return {}; }
  /// What everything since load() did, in all: where a variant knows its work only afterwards. What a record
  /// then has is the mean of the timed units.
  virtual std::optional<Work> work() const { return {}; }
  /// Untimed: forms the outputs. Returns the names of those it wrote.
  virtual std::vector<std::string> finish(Arrays& outputs) = 0;
  /// What the record should know of how it ran, e.g. {"blas_core": "Zen"}.
  virtual Facts facts() const { return {}; }
};

struct VariantSpec {
  /// `FAMILY/FILE`.
  std::string name;
  /// One line for `uotbench list`.
  std::string summary;
  /// Tunable parameters. `threads`, `place`, `cache` and, on a CPU, `denormals` are added.
  std::vector<Axis> axes = {};
  /// A function: the work of one call of what is timed, of a solve that of one of its iterations. Without it
  /// the member `work()` may have it.
  Work (*work)(const Point&) = nullptr;
  /// A function: why a point cannot run, in one line; an empty text if it can.
  std::string (*refuse)(const Point&) = nullptr;
  /// At most one thread.
  bool serial = false;
  /// CUDA: runs on a GPU, or thread by thread on the CPU.
  bool device = false;
  /// A function: number of iterations that one `iterate()` makes at a point (temporal blocking), by which
  /// times, work and counts are divided. Results are verified after a multiple of it.
  std::int64_t (*steps)(const Point&) = nullptr;
  /// Names of the regions that the kernel marks with `Region`, for `show` and profilers.
  std::vector<std::string> phases = {};
  /// Iterations of different cost repeat after this number: a sample has a multiple of it.
  std::int64_t period = 1;
  /// Number of iterations that `begin()` and `finish()` make together: n iterations are `begin()`, n -
  /// outside times `iterate()`, `finish()`.
  int outside = 0;
  /// Largest relative error, if the family's is too strict for the kernel's number format.
  std::optional<double> tolerance = {};
  /// Number of arrays of the size of the family's matrix that the kernel holds; 0: it does not even read it.
  double matrices = 1;
  /// Of a ceiling: `uotbench machine` measures every variant that has it.
  std::optional<Measures> measures = {};
  /// A function: code at a point whose memory accesses a trace build does not see, such as "OpenBLAS"; an
  /// empty text if there is none.
  std::string (*foreign_code)(const Point&) = nullptr;
};

class Variant {
 public:
  /// Registers itself. Throws Error on a second variant of the same name.
  explicit Variant(VariantSpec&& spec);
  virtual ~Variant();
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;

  const VariantSpec& spec() const { return spec_; }
  std::string refusal(const Point& point) const;
  /// VariantSpec::steps at this point. Throws Error where that is less than 1.
  std::int64_t steps(const Point& point) const;
  /// VariantSpec::phases, where the point makes no difference to them.
  virtual const std::vector<std::string>& phases(const Point&) const { return spec_.phases; }
  /// What timed() is at this point.
  virtual Unit unit(const Point&) const { return Unit::iteration; }

  /// Copies the inputs it iterates on into private memory. The instance refers to `point` and `team`, which
  /// therefore have to outlive it; `inputs` it may refer to, too.
  virtual std::unique_ptr<Instance> load(const Point& point, Arrays& inputs, const Team& team) const = 0;
  /// Bytes of private memory that load() takes.
  virtual double memory(const Point& point) const = 0;

 protected:
  /// What no variant of its family, or none of its kind, can do: refuses after what is said above.
  virtual std::string cannot(const Point&) const { return ""; }

 private:
  VariantSpec spec_;
};

/// All variants linked into this worker, by name.
const std::vector<const Variant*>& variants();
/// Throws Error naming the variants there are.
const Variant& variant_named(const std::string& name);

}  // namespace uotbench
