// Kernels' half steps are the plain iteration's also where sums underflow: those are found, made again, and
// counted.
#include <type_traits>

#include "kernels/sinkhorn_log/parts/few_items.hpp"
#include "kernels/sinkhorn_log/parts/half_steps.hpp"
#include "kernels/sinkhorn_log/parts/many_items.hpp"
#include "kernels/sinkhorn_log/parts/max_sum_steps.hpp"
#include "kernels/sinkhorn_log/parts/online_steps.hpp"
#include "kernels/sinkhorn_log/parts/packed_costs.hpp"
#include "kernels/sinkhorn_log/parts/point_costs.hpp"
#include "kernels/sinkhorn_log/tests/fixture.hpp"

namespace uotbench::sinkhorn_log {
namespace {

constexpr int iterations = 4;

class StepsTest : public SinkhornLogTest {
 protected:
  /// Runs the kernel for some iterations, holds it to the reference, and returns what it counted of sums made
  /// again; of those by the maximum, the share.
  template <class Kernel>
  double counted(const Json& changes) {
    Json all{{"M", 37}, {"N", 53}, {"masses", "zeros"}};
    all.update(changes);
    const Given given = this->given(all);
    const Point at = point(all);
    Reference want = given.start;
    const double reg = at.number("reg");
    iterate(given.costs, given.masses, reg, at.text("scheme") == "symmetric", iterations, 0, want);

    Arrays inputs(in, false), outputs(out, true);
    const Team team(1, {});
    const Problem<double> problem(at, inputs, team);
    Kernel kernel(problem);
    double count = 0;
    for (int k = 0; k < iterations; ++k) {
      if constexpr (std::is_void_v<decltype(kernel.iterate())>)
        kernel.iterate();
      else
        count += static_cast<double>(kernel.iterate().sums);
    }
    Result<double> result(outputs);
    kernel.finish(result);
    expect_same(result.log_u, want.log_u, reg);
    expect_same(result.log_v, want.log_v, reg);
    if constexpr (requires { kernel.facts(); }) return to_json(kernel.facts()).at("sums_by_maximum");
    return count;
  }

 private:
  static void expect_same(std::span<const double> got, const Batch& want, double reg) {
    ASSERT_EQ(static_cast<Eigen::Index>(got.size()), want.size());
    double worst = 0;
    for (std::size_t k = 0; k < got.size(); ++k) {
      const double wanted = want.data()[k];
      const double off = wanted == got[k] ? 0 : std::abs(got[k] - wanted);
      worst = off <= worst ? worst : std::isnan(off) ? INFINITY : off;
    }
    EXPECT_LT(worst, 1e-13 / reg);
  }
};

// The points of the unit square at reg 1e-5 have terms of 2^-140000.
const std::vector<Json> far{{{"reg", 1e-5}, {"B", 1}},
                            {{"reg", 1e-5}, {"B", 3}, {"scheme", "symmetric"}},
                            {{"reg", 1e-5}, {"B", 1}, {"d", 5}}};
const std::vector<Json> near_each_other{{{"reg", .2}, {"B", 1}},
                                        {{"reg", .2}, {"B", 19}, {"scheme", "symmetric"}},
                                        {{"reg", .2}, {"B", 1}, {"d", 5}}};

template <class Kernel>
class ShiftedStepsTest : public StepsTest {};
using Shifted =
    testing::Types<ShiftedSteps<double, PackedCosts<double>>, ShiftedSteps<double, PointCosts<double>>>;
TYPED_TEST_SUITE(ShiftedStepsTest, Shifted);

TYPED_TEST(ShiftedStepsTest, OnlyTheFirstIterationNeedsTheMaximum) {
  for (const Json& changes : near_each_other)
    EXPECT_EQ(this->template counted<TypeParam>(changes), 1. / iterations) << changes.dump();
}

TYPED_TEST(ShiftedStepsTest, SumsThatUnderflowAreMadeByTheMaximum) {
  for (const Json& changes : far) {
    const double share = this->template counted<TypeParam>(changes);
    EXPECT_GT(share, 1. / iterations) << changes.dump();
    EXPECT_LE(share, 1) << changes.dump();
  }
}

template <class Kernel>
class ProductsTest : public StepsTest {};
using Products = testing::Types<FewItems<double>, ManyItems<double>>;
TYPED_TEST_SUITE(ProductsTest, Products);

TYPED_TEST(ProductsTest, NoSumIsMadeAgainWhereNoneUnderflows) {
  for (const Json& changes : near_each_other)
    EXPECT_EQ(this->template counted<TypeParam>(changes), 0) << changes.dump();
}

TYPED_TEST(ProductsTest, SumsThatUnderflowAreMadeAgain) {
  for (const Json& changes : far) EXPECT_GT(this->template counted<TypeParam>(changes), 0) << changes.dump();
}

template <class Kernel>
class MaximumStepsTest : public StepsTest {};
using ByMaximum = testing::Types<OnlineSteps<double, Maxima::each>, OnlineSteps<double, Maxima::shared>,
                                 MaxSumSteps<double>>;
TYPED_TEST_SUITE(MaximumStepsTest, ByMaximum);

// At reg 1e-5 nearly every row has terms that lead the first by more than the type's range.
TYPED_TEST(MaximumStepsTest, FindAMaximumThatComesLate) {
  for (const auto* problems : {&far, &near_each_other})
    for (const Json& changes : *problems) this->template counted<TypeParam>(changes);
}

// More lines than a thread has in work at a time, and than are added one by one.
TYPED_TEST(MaximumStepsTest, GoOnWhereLinesAreMany) {
  this->template counted<TypeParam>({{"reg", .2}, {"B", 2}, {"M", 700}, {"N", 290}});
}

// A thread writes the potentials of the sums that it made: of all lines of a group, and no other thread's.
TEST(Blocks, GiveEachSumToOneThread) {
  for (const std::size_t lines : {1, 7, 16, 129})
    for (const std::size_t at_once : {1, 4, 8})
      for (const std::size_t groups : {1, 3})
        for (const int threads : {1, 2, 5}) {
          const std::size_t padded = padded_lines(lines, at_once);
          std::vector<int> made(groups * padded), written(made.size());
#pragma omp parallel num_threads(threads)
          {
            const Blocks mine(lines, at_once, groups);
#pragma omp critical
            {
              for (std::size_t k = mine.first; k < mine.last; ++k)
                for (std::size_t j = 0; j < at_once; ++j) ++made[mine[k].group * padded + mine[k].line + j];
              for (std::size_t group = 0; group < groups; ++group) {
                const auto [first, last] = mine.lines_of(group);
                for (std::size_t j = first; j < last; ++j) ++written[group * padded + j];
              }
            }
          }
          EXPECT_EQ(made, std::vector<int>(made.size(), 1)) << lines << ' ' << at_once << ' ' << groups;
          EXPECT_EQ(written, made) << lines << ' ' << at_once << ' ' << groups;
        }
}

}  // namespace
}  // namespace uotbench::sinkhorn_log
