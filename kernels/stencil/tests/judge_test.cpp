// The judge passes what is right and catches what is not: a folded sum, a step too few, one cell, a wall.
#include <cmath>

#include "kernels/stencil/oracle/data.hpp"
#include "kernels/stencil/oracle/reference.hpp"
#include "kernels/stencil/oracle/spec.hpp"
#include "kernels/stencil/tests/fixture.hpp"

namespace uotbench::stencil {
namespace {

using testing::HasSubstr;

class StencilJudgeTest : public StencilTest {
 protected:
  /// A problem, and in its outputs what a kernel without fault leaves after `steps` steps.
  Point right(const Json& changes, int steps = 10) {
    const Point at = point(changes);
    prepare(at);
    std::vector<Field> inputs;
    for (const auto& name : input_names(at.text("model"))) {
      const auto array = NpyArray::open(folder / (name + ".npy"));
      inputs.emplace_back(array.as<double>().begin(), array.as<double>().end());
    }
    const auto all = after(at, inputs, steps);
    for (std::size_t f = 0; f < all.size(); ++f) set(output_names(at.text("model"))[f], all[f]);
    return at;
  }
  void set(const std::string& name, const Field& values) {
    std::ranges::copy(values, NpyArray::open(folder / (name + ".npy"), true).as_mutable<double>().begin());
  }
  void add(const std::string& name, std::size_t k, double value) {
    NpyArray::open(folder / (name + ".npy"), true).as_mutable<double>()[k] += value;
  }
  std::string judge(const Point& at, int iterations = 10) {
    return family()
        .judge(at, folder, folder, {"stencil/test", output_names(at.text("model")), iterations, {}})
        .reason;
  }
};

TEST_F(StencilJudgeTest, PassesTheReference) {
  EXPECT_EQ(judge(right({{"model", "heat1d"}, {"nx", 1}})), "");
  EXPECT_EQ(judge(right({{"model", "axpy"}})), "");
  for (const char* model : {"heat2d", "ns2d", "predictor", "corrector"})
    EXPECT_EQ(judge(right({{"model", model}})), "") << model;
}

TEST_F(StencilJudgeTest, AStepTooFewIsTold) {
  for (const char* model : {"axpy", "heat2d", "ns2d", "corrector"})
    EXPECT_THAT(judge(right({{"model", model}}, 9)), HasSubstr("wrong: ")) << model;
}

TEST_F(StencilJudgeTest, OneCellAndAWallAreTold) {
  const Point at = right({{"model", "ns2d"}});
  add("V", 3 * 13 + 4, 1e-6);
  EXPECT_THAT(judge(at), HasSubstr("V[3,4] got "));
  const Point other = right({{"model", "ns2d"}});
  add("P", 5, .01);
  EXPECT_THAT(judge(other), HasSubstr("P[0,5] got "));
}

TEST_F(StencilJudgeTest, AnotherRIsTold) {
  right({{"model", "heat2d"}, {"r", .2001}});
  EXPECT_THAT(judge(point({{"model", "heat2d"}})), HasSubstr("wrong"));
}

/// Y + X - X + X - X ... is Y for whoever folds it; in floating point it is Y with fewer digits.
TEST_F(StencilJudgeTest, AFoldedSumIsTold) {
  for (const int terms : {2, 6, 12, 20}) {
    const Point at = point({{"model", "xpxpyn"}, {"terms", terms}});
    prepare(at);
    const auto x_file = NpyArray::open(folder / "X.npy"), y_file = NpyArray::open(folder / "Y0.npy");
    const auto x = x_file.as<double>(), y = y_file.as<double>();
    const Field folded(y.begin(), y.end());
    Field rounded = folded;
    for (std::size_t k = 0; k < rounded.size(); ++k) {
      volatile double sum = folded[k];
      for (int term = 0; term < 10 * terms; ++term) sum = term % 2 == 0 ? sum + x[k] : sum - x[k];
      rounded[k] = sum;
    }
    const auto judged = [&](const Field& values) {
      set("Y", values);
      return judge(at);
    };
    EXPECT_EQ(judged(rounded), "") << terms;
    EXPECT_THAT(judged(folded), HasSubstr("wrong: ")) << terms;
  }
}

/// A fluid that has hardly begun to move is as far from the settled one as the profiles are from zero.
TEST_F(StencilJudgeTest, ACavityIsToldBesideGhias) {
  const Json cavity{{"model", "ns2d"}, {"nx", 9}, {"ny", 9}, {"data", "cavity"}};
  const auto found = [&](Json changes) {
    changes.update(cavity);
    const Point at = right(changes);
    return family().judge(at, folder, folder, {"stencil/test", {"U", "V", "P"}, 10, {}}).check.found.json();
  };
  const Json at_100 = found({{"Re", 100}}), at_1000 = found({{"Re", 1000}});
  EXPECT_NEAR(at_100.at("u_off_ghia"), .5, .3);
  EXPECT_NEAR(at_100.at("v_off_ghia"), .24533, .03);
  EXPECT_NEAR(at_1000.at("v_off_ghia"), .51550, .03);
  EXPECT_NEAR(at_100.at("flow_seconds"), 10 * .2 / 8 / 10, 1e-12);
  EXPECT_EQ(found({{"Re", 400}}), Json::object());
}

TEST_F(StencilJudgeTest, WhatIsUntouchedIsTold) {
  const Point at = point({{"model", "ns2d"}});
  prepare(at);
  EXPECT_EQ(judge(at), "outputs untouched: nothing was written to U");
  EXPECT_EQ(family().judge(at, folder, folder, {"stencil/test", {"U", "V"}, 10, {}}).reason,
            "outputs untouched: nothing was written to P");
}

TEST(StencilPage, IsTrue) {
  expect_page_is_true(family(), {{{"nx", 4}, {"ny", 5}, {"model", "copy"}},
                                 {{"nx", 4}, {"ny", 5}, {"model", "xpxpyn"}, {"dtype", "f64"}},
                                 {{"nx", 4}, {"ny", 5}},
                                 {{"nx", 4}, {"ny", 5}, {"model", "corrector"}}});
}

TEST(StencilProblems, WhatMakesNoneIsRefusedInALine) {
  const auto refusal = [](const Json& changes) { return error_of([&] { family().derive(point(changes)); }); };
  EXPECT_EQ(refusal({{"model", "heat1d"}}), "heat1d is of one row: nx must be 1, not 7");
  EXPECT_EQ(refusal({{"model", "heat1d"}, {"nx", 1}, {"ny", 2}}),
            "heat1d has no inner cell: ny must be at least 3, not 2");
  EXPECT_EQ(refusal({{"model", "heat1d"}, {"nx", 1}, {"ny", 1}}),
            "heat1d has no inner cell: ny must be at least 3, not 1");
  EXPECT_EQ(refusal({{"nx", 1}}), "heat2d has no inner cell: nx must be at least 3, not 1");
  EXPECT_EQ(refusal({{"nx", 2}, {"ny", 2}}), "heat2d has no inner cell: ny must be at least 3, not 2");
  EXPECT_EQ(refusal({{"model", "ns2d"}, {"nx", 1}, {"ny", 1}}),
            "ns2d has no inner cell: ny must be at least 3, not 1");
  EXPECT_EQ(refusal({{"model", "ns2d"}, {"ny", 2}}), "ns2d has no inner cell: ny must be at least 3, not 2");
  EXPECT_EQ(refusal({{"r", .26}}), "heat2d is unstable with r=0.26: r must be at most 0.25");
  EXPECT_EQ(refusal({{"model", "heat1d"}, {"nx", 1}, {"r", .51}}),
            "heat1d is unstable with r=0.51: r must be at most 0.5");
  EXPECT_EQ(refusal({{"model", "ns2d"}, {"courant", .7}}),
            "ns2d is unstable with courant=0.7: courant must be at most 0.6");
  EXPECT_EQ(refusal({{"data", "cavity"}}), "data=cavity is for ns2d; model is heat2d");
  EXPECT_EQ(refusal({{"terms", 7}}), "terms is for xpxpyn; model is heat2d");
  EXPECT_EQ(refusal({{"model", "copy"}, {"nx", 1}, {"ny", 1}}), "");
  EXPECT_EQ(refusal({{"model", "heat1d"}, {"nx", 1}, {"ny", 3}, {"r", .5}}), "");
}

}  // namespace
}  // namespace uotbench::stencil
