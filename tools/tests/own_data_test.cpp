// Every variant of a worker is right on a user's own points and on costs of which some are far from the
// others, or forbidden, or says why it refuses them.
#include <algorithm>

#include "harness/protocol/npy.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

class OwnData : public testing::Test {
 protected:
  static constexpr std::size_t n = 40;

  void save(const std::string& name, const std::vector<std::size_t>& shape,
            const std::vector<double>& values) {
    NpyArray array = NpyArray::create(folder_ / (name + ".npy"), "<f8", shape);
    std::ranges::copy(values, array.as_mutable<double>().begin());
  }
  void save_masses() {
    for (const char* name : {"a", "b"}) save(name, {n}, std::vector<double>(n, 1. / n));
  }
  /// Costs in [0, 1) but for one, or for most of them; a plan needs none of those.
  void save_costs(double far, bool many) {
    std::vector<double> C(n * n);
    for (std::size_t e = 0; e < C.size(); ++e) {
      C[e] = static_cast<double>(e * 7919 % 1009) / 1009;
      const bool free = e / n == e % n || (e / n + 1) % n == e % n;
      if (many ? !free && e % 5 != 0 : e == 1) C[e] = far;
    }
    save("C", {n, n}, C);
  }
  /// Clusters, a line, and points that are there twice.
  void save_points(const std::string& name, std::size_t d) {
    std::vector<double> points(n * d);
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t k = 0; k < d; ++k) {
        const double along = static_cast<double>((p * 37 + name[0]) % 101) / 101;
        points[p * d + k] = p % 5 == 4   ? points[(p - 1) * d + k]
                            : p % 2 == 0 ? along
                                         : (p % 3 == 0 ? .2 : .8) + along / 50;
      }
    save(name, {n, d}, points);
  }
  /// Runs what the patterns name; expects at least these to be right, and none to be wrong. Neither
  /// sizes nor the kind of costs are given.
  void expect_right(const std::vector<std::string>& patterns, const std::vector<std::string>& axes,
                    const std::vector<std::string>& names) {
    std::vector<std::string> arguments{"run"};
    arguments.insert(arguments.end(), patterns.begin(), patterns.end());
    arguments.insert(arguments.end(), {"-a", "data=npy", "-a", "path=" + folder_.path().string()});
    for (const auto& axis : axes) arguments.insert(arguments.end(), {"-a", axis});
    arguments.insert(arguments.end(), {"--worker", native_worker, "--verify-only", "--output", "o.jsonl"});
    fs::remove(folder_ / "o.jsonl");
    const Outcome outcome = uotbench(folder_.path(), arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const std::string text = text_of(folder_ / "o.jsonl");
    EXPECT_THAT(text, testing::Not(testing::HasSubstr("\"status\":\"failed\"")));
    for (const auto& name : names)
      EXPECT_THAT(text, testing::ContainsRegex("\"variant\":\"" + name + "\"[^\n]*\"status\":\"ok\""))
          << name;
  }

  /// Each plan is proved to cost as little as any, within its tolerance; so no two that are right differ by
  /// more.
  void expect_one_cost() const {
    std::vector<double> costs;
    double tolerance = 0;
    for (const auto& record : read_run(folder_ / "o.jsonl").records) {
      if (record.status != Status::ok || !record.check->found.contains("cost")) continue;
      costs.push_back(record.check->found.number("cost").value());
      tolerance += record.check->tolerance;
    }
    ASSERT_GE(costs.size(), 2u);
    const auto [least, most] = std::ranges::minmax(costs);
    EXPECT_LE(most - least, tolerance * most);
  }

  Folder folder_;
};

TEST_F(OwnData, FarAndForbiddenCosts) {
  save_masses();
  for (const double far : {1e6, 1e9, double(INFINITY)})
    for (const bool many : {false, true}) {
      save_costs(far, many);
      expect_right({"simplex/*"}, {}, {"simplex/dense", "simplex/colgen"});
      expect_one_cost();
      expect_right({"sinkhorn_log/*"}, {"dtype=f32,f64", "scheme=alternating,symmetric"},
                   {"sinkhorn_log/online", "sinkhorn_log/max_then_sum", "sinkhorn_log/gemm_shifted"});
    }
}

TEST_F(OwnData, PointsWithClustersLinesAndDuplicates) {
  save_masses();
  for (const std::size_t d : {2, 3}) {
    save_points("X", d);
    save_points("Y", d);
    const std::vector<std::string> solvers{"simplex/dense", "simplex/colgen", "simplex/warm"};
    expect_right(solvers, {}, solvers);
    for (const char* start : {"start=coarse", "start=entropic"})
      expect_right({"simplex/warm"}, {start}, {"simplex/warm"});
    expect_right({"sinkhorn_log/*"}, {"matrix=stored,never"}, {"sinkhorn_log/points"});
  }
}

}  // namespace
}  // namespace uotbench
