// Problems that are split over the processes of an MPI launch: rank 0 reads the inputs and writes the result,
// each process works on its block. The kernels count iterations; none goes to a solution. Of an application
// rank 0 does all but the scaling, while the others wait.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/worker/phases.hpp"
#include "kernels/uot/problem.hpp"
#include "kernels/uot/shared/applications/application.hpp"
#include "kernels/uot/timed/ranks/rank_blocks.hpp"

namespace uotbench::uot {

/// The phase of what is timed in which vectors are exchanged: sending, receiving, and waiting for the others.
inline constexpr const char* exchange = "exchange";

/// Adds up over all processes of `comm` what each has in `values`, and gives each the sums.
template <class Real>
void add_up(Real* values, std::size_t count, MPI_Comm comm = MPI_COMM_WORLD) {
  const Region region(exchange);
  MPI_Allreduce(MPI_IN_PLACE, values, static_cast<int>(count), mpi_type<Real>(), MPI_SUM, comm);
}

/// The axis of a variant that splits columns, too: into how many blocks. Its default is all in one.
inline constexpr const char* columns_over = "columns_over";

/// The part of a problem that this process has; `mine` is for kernels' parts that know of no others.
template <class Real>
class RankProblem {
 public:
  RankProblem(const Point& point, Arrays& inputs, const Team& team)
      : RankProblem(point, team, given(inputs, "K"), given(inputs, "a"), given(inputs, "b")) {}
  /// Of what rank 0 has; the others give nothing.
  RankProblem(const Point& point, const Team& team, std::span<const Real> K, std::span<const Real> a,
              std::span<const Real> b)
      : blocks(point.size("M"), point.size("N"),
               point.has(columns_over) ? static_cast<int>(point.integer(columns_over)) : 1),
        a_(sent(a, point.size("M"), blocks.rows())),
        b_(sent(b, point.size("N"), blocks.columns())),
        K_(blocks.cells()),
        mine(point, team, K_.view(), a_, b_) {
    // Pages belong to the thread that touches them first, not to the one that receives.
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < mine.M; ++i) std::fill_n(K_.data() + i * mine.N, mine.N, Real(0));
    blocks.scatter(K.data(), K_.data());
  }

  RankBlocks blocks;

 private:
  static std::span<const Real> given(Arrays& inputs, const char* name) {
    return my_rank() == 0 ? inputs[name].template as<Real>() : std::span<const Real>();
  }
  /// A part of a vector that all are sent.
  static std::vector<Real> sent(std::span<const Real> of_rank0, std::size_t size, Range part) {
    std::vector<Real> all(size);
    std::ranges::copy(of_rank0, all.begin());
    MPI_Bcast(all.data(), static_cast<int>(size), mpi_type<Real>(), 0, MPI_COMM_WORLD);
    return {all.begin() + static_cast<std::ptrdiff_t>(part.first),
            all.begin() + static_cast<std::ptrdiff_t>(part.last)};
  }

  std::vector<Real> a_, b_;
  Buffer<Real> K_;

 public:
  const Problem<Real> mine;
};

/// Rank 0's outputs, which the others have not even mapped.
template <class Real>
struct RankResult {
  explicit RankResult(Arrays& outputs) {
    if (my_rank() == 0) whole.emplace(outputs);
    if (whole) written = whole->written;
  }
  /// In rank 0's memory; the others give nothing.
  RankResult(std::span<Real> plan, std::span<Real> u, std::span<Real> v) {
    if (my_rank() == 0) whole.emplace(plan, u, v);
  }

  /// Each rank's block of the plan.
  void write_plan(const RankProblem<Real>& problem, const Real* block) {
    problem.blocks.gather(block, whole ? whole->plan.data() : nullptr);
  }
  /// The plan of all ranks' scalings, and these.
  void write(const RankProblem<Real>& problem, std::span<const Real> u, std::span<const Real> v) {
    const Problem<Real>& mine = problem.mine;
    Buffer<Real> plan(mine.M * mine.N);
    for (std::size_t i = 0; i < mine.M; ++i)
      for (std::size_t j = 0; j < mine.N; ++j) plan[i * mine.N + j] = u[i] * mine.row(i)[j] * v[j];
    write_plan(problem, plan.data());
  }

  std::optional<Result<Real>> whole;
  std::vector<std::string> written;
};

/// A case's processes.
inline double ranks_of(const Point& at) { return at.has("ranks") ? at.number("ranks") : 1; }

/// An application (applications/application.hpp) whose scaling is `Kernel`'s.
template <class Real, class Kernel>
class RankApplicationRun final : public Instance {
 public:
  /// `outside`: VariantSpec's.
  RankApplicationRun(const Point& point, Arrays& inputs, const Team& team, int outside)
      : at_(point), team_(team), outside_(outside) {
    if (my_rank() > 0) return;
    application_ = Application<Real>::make(point, inputs);
    plan_.emplace(point.size("M") * point.size("N"));
    u_.resize(point.size("M"));
    v_.resize(point.size("N"));
  }

  void iterate() override {
    const auto K = application_ ? application_->kernel() : std::span<const Real>();
    std::optional<RankProblem<Real>> problem;
    std::optional<Kernel> kernel;
    {
      const Region region("load");
      if (application_)
        problem.emplace(at_, team_, K, application_->a, application_->b);
      else
        problem.emplace(at_, team_, K, K, K);
      kernel.emplace(*problem);
    }
    {
      const Region region("scaling");
      if constexpr (declares_of<Kernel>.begins) kernel->begin();
      for (auto left = application_of(at_) - outside_; left > 0; --left) kernel->iterate();
    }
    {
      const Region region("plan");
      RankResult<Real> result(plan_ ? std::span(plan_->data(), plan_->size()) : std::span<Real>(), u_, v_);
      kernel->finish(result);
    }
    if (application_) application_->use(*plan_);
  }

  std::optional<std::int64_t> iterations() const override { return application_of(at_); }
  std::vector<std::string> finish(Arrays& outputs) override {
    return application_ ? application_->finish(outputs) : std::vector<std::string>();
  }

 private:
  const Point& at_;
  const Team& team_;
  int outside_;
  std::unique_ptr<Application<Real>> application_;  ///< rank 0's, as all that follows
  std::optional<Buffer<Real>> plan_;
  std::vector<Real> u_, v_;
};

/// A variant of this kind: with Kernel<float> and Kernel<double> as Variant has them, which take a
/// RankProblem and write to a RankResult.
template <class F32, class F64>
class RankVariant final : public TypedVariant<RankProblem, RankResult, F32, F64> {
  using Base = TypedVariant<RankProblem, RankResult, F32, F64>;

 public:
  using Base::Base;

  Unit unit(const Point& at) const override { return application_of(at) > 0 ? Unit::solve : Base::unit(at); }
  const std::vector<std::string>& phases(const Point& at) const override {
    if (application_of(at) == 0) return Base::phases(at);
    static std::map<std::vector<std::string>, std::vector<std::string>> with_exchange;
    auto& phases = with_exchange[application_phases(at)];
    if (phases.empty()) {
      phases = application_phases(at);
      phases.emplace_back(exchange);
    }
    return phases;
  }

  std::unique_ptr<Instance> load(const Point& at, Arrays& inputs, const Team& team) const override {
    if (application_of(at) == 0) return Base::load(at, inputs, team);
    const int outside = this->spec().outside;
    if (at.text("dtype") == "f64")
      return std::make_unique<RankApplicationRun<double, F64>>(at, inputs, team, outside);
    return std::make_unique<RankApplicationRun<float, F32>>(at, inputs, team, outside);
  }

  /// Of all processes: every one has vectors of its own. An application has its K and plan, too.
  double memory(const Point& at) const override {
    const double M = at.number("M"), N = at.number("N"), ranks = ranks_of(at);
    const double matrices = this->spec().matrices + (application_of(at) > 0 ? 2 : 0);
    return width(at) * (matrices * M * N + ranks * (3 + at.number("threads")) * (M + N));
  }

 protected:
  std::string cannot(const Point& at) const override {
    const std::string& name = this->spec().name;
    if (const std::string reason = Base::cannot(at); !reason.empty()) return reason;
    if (const std::string reason = no_batches(name, at); !reason.empty()) return reason;
    if (const std::string reason = no_start(name, at); !reason.empty()) return reason;
    if (at.text("matrix") == "never") return name + " reads K, which matrix=never does not make";
    if (application_of(at) > 0 && !Application<float>::make)
      return "this worker is built without applications: application must be 0";
    if (at.text("stop") == "change")
      return name + " counts iterations and has no stopping test: stop must be iterations";
    if (std::max(at.number("M"), at.number("N")) > std::numeric_limits<int>::max())
      return "MPI takes sizes below 2^31";
    return "";
  }
};

/// `work` and the exchange of one sum of `count` numbers over all processes, in this number of calls of each.
inline Work with_exchange(Work work, const Point& at, double count, double calls = 1) {
  work.operations = {{"messages", calls * ranks_of(at)}, {"bytes_sent", width(at) * count * ranks_of(at)}};
  return work;
}

}  // namespace uotbench::uot
