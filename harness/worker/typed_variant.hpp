// The common half of the families' Variant classes: a kernel written once, for float and double.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/worker/kernel_traits.hpp"
#include "harness/worker/variant.hpp"

namespace uotbench {

/// Bytes of an element of the point's dtype.
inline double width(const Point& at) { return at.text("dtype") == "f64" ? 8 : 4; }

/// Why a variant that is written for one dtype alone refuses a point; empty: it does not.
std::string unless_dtype(const char* only, const VariantSpec& spec, const Point& point);

/// Of the two kernels of a variant, of which one may be void, one that is there.
template <class F32, class F64>
using AnyKernel = std::conditional_t<std::is_void_v<F32>, F64, F32>;

/// A variant whose code is F32 or F64, chosen by the axis dtype; in practice Kernel<float> and
/// Kernel<double>, or void for the dtype that it then refuses. For Real = float or double that is a class
/// with
///   explicit Kernel(const Problem<Real>&)   copies what it iterates on; the problem outlives it
///   void iterate()                          one iteration, timed
///   void finish(Result<Real>&)              writes its result; untimed; may be called again, and iterate()
///                                           after it
/// and perhaps more, which it then declares (harness/worker/kernel_traits.hpp):
///   void begin()                            an untimed prologue
///   void restart()                          untimed: back to what it was constructed with, in its memory
///   std::int64_t lifetime() const           after this many iterations restart() and begin() are called,
///                                           between samples: later ones would cost something else
///   void part()                             what is timed instead of a whole iteration; of Unit::solve, all
///                                           there is: then it has no iterate()
///   std::optional<std::int64_t> iterations() const   of the last part(), where that was a solve
///   Work work() const                       what all iterations, parts or solves since the constructor did
///   Facts facts() const                     what the record should know
/// A family gives Problem<Real>(point, inputs, team) and Result<Real>(outputs), which has `written`: the
/// names of the arrays that are.
///
/// Types and not the template Kernel itself: g++ gives what it makes of a template argument from an unnamed
/// namespace external linkage, so that two files with a class of the same name would run one file's code.
template <template <class> class Problem, template <class> class Result, class F32, class F64>
class TypedVariant : public Variant {
  static_assert(!std::is_void_v<AnyKernel<F32, F64>>, "a variant has a kernel for f32, for f64 or for both");

 public:
  using Variant::Variant;

  Unit unit(const Point&) const override { return declares_of<AnyKernel<F32, F64>>.unit; }

  std::unique_ptr<Instance> load(const Point& point, Arrays& inputs, const Team& team) const override {
    if constexpr (std::is_void_v<F64>) {
      return std::make_unique<Running<float, F32>>(point, inputs, team);
    } else if constexpr (std::is_void_v<F32>) {
      return std::make_unique<Running<double, F64>>(point, inputs, team);
    } else {
      if (point.text("dtype") == "f64") return std::make_unique<Running<double, F64>>(point, inputs, team);
      return std::make_unique<Running<float, F32>>(point, inputs, team);
    }
  }

 protected:
  /// The dtype that it has no kernel for.
  std::string cannot(const Point& point) const override {
    if constexpr (std::is_void_v<F32> || std::is_void_v<F64>) {
      return unless_dtype(std::is_void_v<F32> ? "f64" : "f32", this->spec(), point);
    } else {
      return "";
    }
  }

 private:
  template <class Real, class Kernel>
  class Running final : public Instance {
   public:
    Running(const Point& point, Arrays& inputs, const Team& team)
        : problem_(point, inputs, team), kernel_(problem_) {}

    void begin() override {
      if constexpr (declared.begins) kernel_.begin();
    }
    void restart() override {
      if constexpr (declared.restarts) kernel_.restart();
    }
    bool restarts() const override { return declared.restarts; }
    std::optional<std::int64_t> lifetime() const override {
      if constexpr (declared.lifetime) return kernel_.lifetime();
      return {};
    }
    void iterate() override {
      if constexpr (declared.unit == Unit::solve)
        kernel_.part();
      else
        kernel_.iterate();
    }
    void timed() override {
      if constexpr (declared.unit != Unit::iteration)
        kernel_.part();
      else
        kernel_.iterate();
    }
    std::optional<std::int64_t> iterations() const override {
      if constexpr (declared.iterations) return kernel_.iterations();
      return {};
    }
    std::vector<std::string> finish(Arrays& outputs) override {
      Result<Real> result(outputs);
      kernel_.finish(result);
      return result.written;
    }
    std::optional<Work> work() const override {
      if constexpr (declared.work) return kernel_.work();
      return {};
    }
    Facts facts() const override {
      if constexpr (declared.facts) return kernel_.facts();
      return {};
    }

   private:
    static constexpr KernelTraits declared = AsDeclared<Kernel>::declared;

    Problem<Real> problem_;
    Kernel kernel_;
  };
};

}  // namespace uotbench
