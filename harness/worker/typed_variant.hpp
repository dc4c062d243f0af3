// The common half of the families' Variant classes: a kernel written once, for float and double.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/worker/variant.hpp"

namespace uotbench {

/// Bytes of an element of the point's dtype.
inline double width(const Point& at) { return at.text("dtype") == "f64" ? 8 : 4; }

/// A variant whose code is F32 or F64, chosen by the axis dtype; in practice Kernel<float> and
/// Kernel<double>, or void for a variant that refuses f64. For Real = float or double that is a class with
///   explicit Kernel(const Problem<Real>&)   copies what it iterates on; the problem outlives it
///   void begin()                            optional: an untimed prologue
///   void iterate()                          one iteration, timed
///   void part()                             optional: what is timed instead of a whole iteration
///   void finish(Result<Real>&)              writes its result; untimed
///   std::optional<std::int64_t> iterations() const   optional: of the last part(), where that was a solve
///   Facts facts() const                     optional: what the record should know
/// A family gives Problem<Real>(point, inputs, team) and Result<Real>(outputs), which has `written`: the
/// names of the arrays that are.
///
/// Types and not the template Kernel itself: g++ gives what it makes of a template argument from an unnamed
/// namespace external linkage, so that two files with a class of the same name would run one file's code.
template <template <class> class Problem, template <class> class Result, class F32, class F64>
class TypedVariant : public Variant {
 public:
  using Variant::Variant;

  std::unique_ptr<Instance> load(const Point& point, Arrays& inputs, const Team& team) const final {
    if constexpr (!std::is_void_v<F64>)
      if (point.text("dtype") == "f64") return std::make_unique<Running<double, F64>>(point, inputs, team);
    return std::make_unique<Running<float, F32>>(point, inputs, team);
  }

 private:
  template <class Real, class Kernel>
  class Running final : public Instance {
   public:
    Running(const Point& point, Arrays& inputs, const Team& team)
        : problem_(point, inputs, team), kernel_(problem_) {}

    void begin() override {
      if constexpr (requires { kernel_.begin(); }) kernel_.begin();
    }
    void iterate() override { kernel_.iterate(); }
    void timed() override {
      if constexpr (requires { kernel_.part(); })
        kernel_.part();
      else
        kernel_.iterate();
    }
    std::optional<std::int64_t> iterations() const override {
      if constexpr (requires { kernel_.iterations(); }) return kernel_.iterations();
      return {};
    }
    std::vector<std::string> finish(Arrays& outputs) override {
      Result<Real> result(outputs);
      kernel_.finish(result);
      return result.written;
    }
    Facts facts() const override {
      if constexpr (requires { kernel_.facts(); }) return kernel_.facts();
      return {};
    }

   private:
    Problem<Real> problem_;
    Kernel kernel_;
  };
};

}  // namespace uotbench
