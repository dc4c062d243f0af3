// Newton's steps by a coarse Hessian are worth several over-relaxed ones, or end.
#include "kernels/uot/problem.hpp"
#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {
namespace {

class NewtonTest : public UotTest {
 protected:
  std::int64_t iterations(const std::string& name, const Json& changes) {
    const Point at = point(changes);
    prepare(at);
    Json values = to_json(at);
    const uotbench::Variant& variant = variant_named(name);
    for (const auto& axis : variant.spec().axes)
      if (!values.contains(axis.name)) values[axis.name] = to_json(axis.standard);
    Arrays arrays(in, true);
    const Team team(1, {});
    const Point its = point_from(values);
    const auto instance = variant.load(its, arrays, team);
    instance->iterate();
    return *instance->iterations();
  }
};

const Json solve{{"M", 450},         {"N", 610},   {"threads", 1},     {"dtype", "f64"},
                 {"data", "points"}, {"reg_m", 5}, {"reg_type", "kl"}, {"stop", "change"}};

TEST_F(NewtonTest, TakesFewerIterations) {
  EXPECT_LE(3 * iterations("uot/multiscale_newton", solve), iterations("uot/multiscale", solve));
}

// K read or computed: the iterations are the same.
TEST_F(NewtonTest, TakesAsManyWithoutAMatrix) {
  for (const char* reg_type : {"kl", "entropy"}) {
    Json either = solve;
    either["reg_type"] = reg_type;
    EXPECT_EQ(iterations("uot/multiscale_free", either), iterations("uot/multiscale_newton", either));
  }
}

// A quarter as many points do not tell what K of a small reg tells apart.
TEST_F(NewtonTest, EndsWhereStepsDoNotPay) {
  Json hard = solve;
  hard["reg"] = .001;
  EXPECT_LE(static_cast<double>(iterations("uot/multiscale_newton", hard)),
            1.1 * static_cast<double>(iterations("uot/multiscale", hard)));
}

}  // namespace
}  // namespace uotbench::uot
