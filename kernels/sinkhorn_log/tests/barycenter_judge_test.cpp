// The judge passes right barycenters, and says which are wrong and why; what makes no sound problem of
// barycenters is refused in one line.
#include <numeric>

#include "kernels/sinkhorn_log/oracle/barycenters.hpp"
#include "kernels/sinkhorn_log/tests/fixture.hpp"

namespace uotbench::sinkhorn_log {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class BarycenterJudgeTest : public SinkhornLogTest {
 protected:
  static Json mixed(const Json& changes) {
    Json all{{"task", "barycenter"}, {"B", 4}};
    all.update(changes);
    return all;
  }
  /// A problem and its right outputs, after 10 iterations or where rows are off by `tol`, as Real.
  template <class Real = double>
  Point right(const Json& changes = Json::object(), double tol = 1e-9) {
    Json all = mixed(changes);
    all["dtype"] = sizeof(Real) == 4 ? "f32" : "f64";
    const Point at = point(all);
    fs::remove_all(in);
    fs::create_directories(in);
    family().prepare(at, in);
    poison(family(), at, out);
    Arrays arrays(in, false);
    const LogKernel<Real> kernel(at, arrays);
    const Mixture mixture = mixture_in<Real>(at, arrays);
    Barycenters state = start_of(mixture, kernel.N);
    const bool solved = at.text("stop") != "iterations";
    for (int k = 0; k < (solved ? 100000 : 10); ++k)
      if (iterate(kernel, mixture, state) < tol && solved) break;
    const auto save = [&](const char* name, const double* from) {
      auto array = NpyArray::open(out / (std::string(name) + ".npy"), true);
      std::ranges::transform(from, from + array.template as<Real>().size(),
                             array.template as_mutable<Real>().begin(),
                             [](double x) { return static_cast<Real>(x); });
    };
    save("barycenter", state.masses().data());
    save("log_us", state.log_u.data());
    save("log_vs", state.log_v.data());
    std::vector<double> loss;
    for (std::size_t b = 0; b < 4; ++b) loss.push_back(dual_value(mixture, kernel.reg, state, b));
    save("loss", loss.data());
    return at;
  }
  void add(const std::string& name, std::size_t index, double value) {
    NpyArray::open(out / (name + ".npy"), true).as_mutable<double>()[index] += value;
  }
  Judgement judge(const Point& at,
                  std::vector<std::string> outputs = {"barycenter", "log_us", "log_vs", "loss"}) {
    const int iterations = at.text("stop") == "iterations" ? 10 : 1;
    return family().judge(at, in, out, {"sinkhorn_log/test", std::move(outputs), iterations, {}});
  }
  std::string refused(const Json& changes) {
    return error_of([&] { family().prepare(point(mixed(changes)), in); });
  }
};

const Json solve{{"stop", "marginal"}, {"tol", 1e-6}};

TEST_F(BarycenterJudgeTest, PassesWhatIsRight) {
  for (const Json& changes :
       {Json::object(), Json{{"masses", "zeros"}, {"histograms", 3}, {"weights", "equal"}},
        Json{{"M", 9}, {"N", 9}, {"cost", "grid2d"}, {"matrix", "never"}}, solve}) {
    EXPECT_EQ(judge(right(changes)).reason, "") << changes;
    EXPECT_EQ(judge(right(changes), {"barycenter"}).reason, "") << "potentials may be left out";
    EXPECT_EQ(judge(right<float>(changes)).reason, "") << changes;
  }
}

TEST_F(BarycenterJudgeTest, NamesTheItemsThatAreWrong) {
  const Point at = right();
  add("barycenter", 1 * 5 + 2, .01);
  add("log_us", (3 * 2 + 1) * 7 + 4, .1);
  const Judgement judgement = judge(at);
  EXPECT_THAT(judgement.reason, StartsWith("wrong: 2 of 4 items are wrong: 1, 3; item 1: barycenter[2] is "));
  ASSERT_TRUE(judgement.check.items);
  EXPECT_EQ(judgement.check.items->first, (std::vector<std::int64_t>{1, 3}));
  right();
  add("log_us", (3 * 2 + 1) * 7 + 4, .1);
  EXPECT_THAT(judge(at).reason, HasSubstr("item 3: log_us[1][4] is "));
  right();
  add("loss", 2, 1e-3);
  EXPECT_THAT(judge(at).reason, HasSubstr("1 of 4 items is wrong: 2; item 2: loss[0] is "));
}

TEST_F(BarycenterJudgeTest, FindsNaNAndWhatIsUntouched) {
  const Point at = right();
  add("barycenter", 0, NAN);
  EXPECT_THAT(judge(at).reason, HasSubstr("item 0: barycenter[0] is nan; expected "));
  const Point solved = right(solve);
  add("barycenter", 0, NAN);
  EXPECT_THAT(judge(solved, {"barycenter"}).reason, HasSubstr("1 of 4 items is wrong: 0; "));
  right(solve);
  add("log_vs", 7 * 5, INFINITY);
  EXPECT_THAT(judge(solved).reason, HasSubstr("item 3: log_vs[1][0] is inf; expected a number"));
  poison(family(), at, out);
  EXPECT_EQ(judge(at).reason, "outputs untouched: nothing was written to barycenter");
  EXPECT_EQ(judge(at, {"loss"}).reason, "outputs untouched: nothing was written to barycenter");
}

TEST_F(BarycenterJudgeTest, HoldsSolutionsAgainstTheFixedPoint) {
  const Judgement judgement = judge(right(solve, 1e-6));
  EXPECT_EQ(judgement.reason, "") << "a solve that stops where the reference would";
  EXPECT_GT(judgement.check.error, 0);
  // Stopped too early, with and without potentials.
  const Point early = right(solve, 1e-3);
  EXPECT_THAT(judge(early).reason, HasSubstr("the sums of its plans' rows are off by "));
  EXPECT_THAT(judge(early, {"barycenter"}).reason, HasSubstr("away from the fixed point; expected at most "));
  // Potentials that are a solution's of other weights: what is missing shows in their balance alone.
  const Point at = right(solve);
  for (std::size_t j = 0; j < 5; ++j) add("log_vs", (2 * 2 + 1) * 5 + j, 1e-3);
  for (std::size_t i = 0; i < 7; ++i) add("log_us", (2 * 2 + 1) * 7 + i, -1e-3);
  EXPECT_THAT(judge(at).reason, HasSubstr("item 2: the weighted sum of its log_vs is "));
}

TEST_F(BarycenterJudgeTest, WeightsSumToOneAndLeadFromTheFirstToTheLast) {
  const auto weights = [&](const Json& changes) {
    family().prepare(point(mixed(changes)), in);
    const auto array = NpyArray::open(in / "weights.npy");
    return std::vector<double>(array.as<double>().begin(), array.as<double>().end());
  };
  EXPECT_EQ(weights({{"B", 3}}), (std::vector<double>{1, 0, .5, .5, 0, 1}));
  EXPECT_EQ(weights({{"B", 1}}), (std::vector<double>{.5, .5}));
  EXPECT_EQ(weights({{"B", 3}, {"histograms", 3}}), (std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(weights({{"B", 1}, {"histograms", 4}, {"weights", "equal"}}), std::vector<double>(4, .25));
  const auto drawn = weights({{"histograms", 3}, {"weights", "drawn"}});
  for (std::size_t b = 0; b < 4; ++b)
    EXPECT_NEAR(std::accumulate(&drawn[3 * b], &drawn[3 * b] + 3, 0.), 1, 1e-15);
}

TEST_F(BarycenterJudgeTest, RefusesBadWeightsAndHistogramsInOneLine) {
  const Json weights{{"weights", "npy"}, {"path", user.string()}};
  const auto with_weights = [&](const std::vector<double>& values) {
    write(user / "weights.npy", {4, 2}, values);
    return refused(weights);
  };
  const std::string file = (user / "weights.npy").string();
  EXPECT_EQ(with_weights({.5, .5, 0, 1, 1, 0, .25, .75}), "");
  EXPECT_EQ(with_weights({.5, .5, 0, 1, 1, 0, -.25, 1.25}),
            file + ": weights[3,0] is -0.25; it cannot be negative");
  EXPECT_EQ(with_weights({.5, .5, 0, 1, .5, .25, .25, .75}), file + ": weights[2] sum to 0.75; expected 1");
  EXPECT_EQ(with_weights({.5, NAN, 0, 1, 1, 0, .25, .75}),
            file + ": weights[0,1] is nan; expected a finite number");
  write(user / "weights.npy", {4, 3}, std::vector<double>(12));
  EXPECT_EQ(refused(weights), file + ": shape (4, 3); expected (4, 2) for B=4, histograms=2");

  const Json masses{{"M", 2}, {"masses", "npy"}, {"path", user.string()}};
  const auto with_masses = [&](const std::vector<double>& values) {
    write(user / "mu.npy", {2, 2}, values);
    return refused(masses);
  };
  const std::string mu = (user / "mu.npy").string();
  EXPECT_EQ(with_masses({.5, .5, 0, 1}), "");
  EXPECT_EQ(with_masses({.5, .5, .5, 1}),
            mu + ": mu[0] sums to 1 and mu[1] to 1.5; a barycenter needs equal sums");
  EXPECT_EQ(with_masses({0, 0, 0, 0}), mu + ": mu[0] sums to 0; expected a sum above 0");
  EXPECT_EQ(with_masses({.5, .5, -1, 2}), mu + ": mu[1,0] is -1; it cannot be negative");
}

TEST_F(BarycenterJudgeTest, RefusesWhatBarycentersHaveNot) {
  EXPECT_EQ(refused({{"scheme", "symmetric"}}), "scheme is for task=transport; task is barycenter");
  EXPECT_EQ(refused({{"ragged", "yes"}}), "ragged is for task=transport; task is barycenter");
  EXPECT_EQ(refused({{"warm", "neighbour"}}), "warm is for task=transport; task is barycenter");
  EXPECT_EQ(refused({{"source", "one"}}), "source is for task=transport; task is barycenter");
  EXPECT_EQ(refused({{"task", "transport"}, {"weights", "equal"}}),
            "weights is for task=barycenter; task is transport");
  EXPECT_EQ(refused({{"task", "transport"}, {"histograms", 3}}),
            "histograms is for task=barycenter; task is transport");
  EXPECT_EQ(refused({{"cost", "own"}}), "task=barycenter has one cost for all items: cost cannot be own");
  EXPECT_EQ(refused({{"masses", "images"}}),
            "masses=images are of squares of pixels: M must be a square, not 7");
  EXPECT_EQ(refused({{"weights", "npy"}}), "weights=npy needs path: the folder that holds weights.npy");
}

}  // namespace
}  // namespace uotbench::sinkhorn_log
