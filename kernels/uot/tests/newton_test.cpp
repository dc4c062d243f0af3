// Newton's steps by a coarse Hessian are worth several over-relaxed ones; the judge says that they end right.
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
    const auto instance = variant.load(point_from(values), arrays, team);
    instance->iterate();
    return *instance->iterations();
  }
};

TEST_F(NewtonTest, TakesFewerIterations) {
  Json solve{{"M", 450},         {"N", 610},   {"threads", 1},     {"dtype", "f64"},
             {"data", "points"}, {"reg_m", 5}, {"reg_type", "kl"}, {"stop", "change"}};
  for (const double reg : {.05, .005}) {
    solve["reg"] = reg;
    const auto relaxed = iterations("uot/multiscale", solve),
               newton = iterations("uot/multiscale_newton", solve);
    EXPECT_LE(3 * newton, relaxed) << reg;
  }
}

}  // namespace
}  // namespace uotbench::uot
