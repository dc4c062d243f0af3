#include "kernels/uot/shared/application_run.hpp"

#include <span>

#include "harness/worker/buffer.hpp"
#include "kernels/uot/problem.hpp"
#include "kernels/uot/shared/applications/application.hpp"
#include "kernels/uot/shared/applications/picture_files.hpp"

namespace uotbench::uot {

const std::vector<std::string>& application_phases(const Point& at) {
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

namespace {

template <class Real>
class ApplicationRun final : public Instance {
 public:
  ApplicationRun(const Point& point, Arrays& inputs, const Team& team, Scaler<Real> scaler, int outside,
                 bool library)
      : at_(point),
        team_(team),
        scaler_(scaler),
        outside_(outside),
        application_(Application<Real>::make(point, inputs)),
        plan_(point.size("M") * point.size("N")),
        u_(point.size("M")),
        v_(point.size("N")),
        one_(point, team, cell_, cell_, cell_) {
    if (library) keeper_ = scaler_.load(one_);
  }

  void iterate() override {
    const Problem<Real> problem(at_, team_, application_->kernel(), application_->a, application_->b);
    Result<Real> result(std::span(plan_.data(), plan_.size()), u_, v_);
    facts_ = scaler_.scale(problem, application_of(at_) - outside_, result);
    application_->use(plan_);
  }

  std::optional<std::int64_t> iterations() const override { return application_of(at_); }
  std::vector<std::string> finish(Arrays& outputs) override { return application_->finish(outputs); }
  Facts facts() const override { return facts_; }

 private:
  const Point& at_;
  const Team& team_;
  Scaler<Real> scaler_;
  int outside_;
  std::unique_ptr<Application<Real>> application_;
  Buffer<Real> plan_;
  std::vector<Real> u_, v_;
  Facts facts_;
  const Real cell_[1] = {1};
  const Problem<Real> one_;
  std::shared_ptr<const void> keeper_;
};

}  // namespace

template <class Real>
std::unique_ptr<Instance> application_run(const Point& at, Arrays& inputs, const Team& team,
                                          Scaler<Real> scaler, int outside, bool library) {
  return std::make_unique<ApplicationRun<Real>>(at, inputs, team, scaler, outside, library);
}
template std::unique_ptr<Instance> application_run(const Point&, Arrays&, const Team&, Scaler<float>, int,
                                                   bool);
template std::unique_ptr<Instance> application_run(const Point&, Arrays&, const Team&, Scaler<double>, int,
                                                   bool);

}  // namespace uotbench::uot
