// An application (application.hpp) with the scaling by one of this family's kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/phases.hpp"
#include "harness/worker/typed_variant.hpp"
#include "kernels/uot/parts/applications/application.hpp"
#include "kernels/uot/parts/applications/picture_files.hpp"

namespace uotbench::uot {

/// Iterations of the application; 0: there is none at this point.
inline std::int64_t application_of(const Point& at) {
  return at.has("application") ? at.integer("application") : 0;
}

/// `load` is the copy of K that a kernel makes, `plan` what it makes of its result.
inline const std::vector<std::string>& application_phases(const Point& at) {
  static const std::vector<std::string> of_pixels{"sample",  "cost", "kernel", "load",
                                                  "scaling", "plan", "map",    "write"};
  static const std::vector<std::string> of_files{"read",    "sample", "cost", "kernel", "load",
                                                 "scaling", "plan",   "map",  "write"};
  static const std::vector<std::string> of_points{"cost", "kernel", "load", "scaling", "plan", "map"};
  static const std::vector<std::string> of_table{"kernel", "load", "scaling", "plan", "map"};
  const std::string data = at.text("data");
  if (data == "colors" && (is_png_file(at.text("source")) || is_png_file(at.text("target")))) return of_files;
  return data == "colors" ? of_pixels : data == "likelihood" ? of_table : of_points;
}

template <class Real>
struct Problem;
template <class Real>
struct Result;
// A build that counts scales for no application (parts/applications/application.cpp says why).
#if defined(UOTBENCH_COUNTED) || defined(__SANITIZE_THREAD__)
inline constexpr bool sources_apply = false;
#else
inline constexpr bool sources_apply = true;
#endif

/// An application whose scaling is `Kernel`'s.
template <class Real, class Kernel>
class ApplicationRun final : public Instance {
 public:
  /// `outside`: VariantSpec's. `library`: the kernel loads one, which a program loads once: a kernel of one
  /// cell keeps it.
  ApplicationRun(const Point& point, Arrays& inputs, const Team& team, int outside, bool library)
      : at_(point),
        team_(team),
        outside_(outside),
        application_(Application<Real>::make(point, inputs)),
        plan_(point.size("M") * point.size("N")),
        u_(point.size("M")),
        v_(point.size("N")),
        one_(point, team, cell_, cell_, cell_) {
    if (library) keeper_.emplace(one_);
  }

  void iterate() override {
    const Problem<Real> problem(at_, team_, application_->kernel(), application_->a, application_->b);
    std::optional<Kernel> kernel;
    {
      const Region region("load");
      kernel.emplace(problem);
    }
    {
      const Region region("scaling");
      if constexpr (declares_of<Kernel>.begins) kernel->begin();
      for (auto left = application_of(at_) - outside_; left > 0; --left) kernel->iterate();
    }
    {
      const Region region("plan");
      Result<Real> result(std::span(plan_.data(), plan_.size()), u_, v_);
      kernel->finish(result);
    }
    if constexpr (declares_of<Kernel>.facts) facts_ = kernel->facts();
    application_->use(plan_);
  }

  std::optional<std::int64_t> iterations() const override { return application_of(at_); }
  std::vector<std::string> finish(Arrays& outputs) override { return application_->finish(outputs); }
  Facts facts() const override { return facts_; }

 private:
  const Point& at_;
  const Team& team_;
  int outside_;
  std::unique_ptr<Application<Real>> application_;
  Buffer<Real> plan_;
  std::vector<Real> u_, v_;
  Facts facts_;
  const Real cell_[1] = {1};
  const Problem<Real> one_;
  std::optional<Kernel> keeper_;
};

}  // namespace uotbench::uot
