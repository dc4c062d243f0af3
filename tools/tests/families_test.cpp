// Families of kernels as a user runs them: on data of one's own, as whole applications with their phases, in
// CUDA without a GPU, and on what is no problem of theirs.
#include <gmock/gmock.h>

#include <algorithm>

#include "harness/protocol/npy.hpp"
#include "results/record/timing.hpp"
#include "tools/tests/awkward.hpp"
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

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Applications : public ::testing::Test {
 protected:
  std::vector<Record> ran(std::vector<std::string> what) {
    what.insert(what.begin(), "run");
    for (const char* more : {"-a", "M,N=300,200", "--rounds", "1", "--max-time", "20ms", "--output",
                             "run.jsonl", "--force", "--worker"})
      what.emplace_back(more);
    what.push_back(native_worker);
    EXPECT_EQ(uotbench(folder_.path(), what).code, 0);
    return read_run(folder_ / "run.jsonl").records;
  }

  Folder folder_;
};

TEST_F(Applications, TellThePhasesOfASolve) {
  // One whose iterations begin and end outside of what is timed, and one that loads a library.
  for (const char* variant : {"uot/map_uot", "uot/numpy_order"}) {
    const auto records = ran({variant, "-a", "data=moons,likelihood", "-a", "application=7"});
    ASSERT_EQ(records.size(), 2u);
    for (const auto& record : records) {
      SCOPED_TRACE(record.id);
      EXPECT_EQ(verdict(record), "ok");
      ASSERT_TRUE(record.time);
      EXPECT_EQ(record.time->per, Unit::solve);
      EXPECT_EQ(record.time->iterations, 7);
      std::vector<std::string> names;
      for (const auto& phase : phase_shares(*record.time)) {
        names.push_back(phase.name);
        if (phase.name == "scaling") {
          EXPECT_GT(phase.share, 0);
          EXPECT_EQ(phase.entered, 1);
        }
      }
      if (record.point.json().at("data") == "moons")
        EXPECT_THAT(names, ElementsAre("cost", "kernel", "load", "scaling", "plan", "map", "other"));
      else
        EXPECT_THAT(names, ElementsAre("kernel", "load", "scaling", "plan", "map", "other"));
      double known = 0;  // of the sample that waited least for a CPU between its phases
      for (const auto& process : record.time->processes)
        for (std::size_t i = 0; i < process.samples.size(); ++i) {
          double sum = 0;  // of one sample: medians of phases may add up to more than the median of all
          for (const auto& phase : process.phases) sum += phase.seconds.at(i);
          EXPECT_LE(sum, process.samples[i] * (1 + 1e-9));
          known = std::max(known, sum / process.samples[i]);
        }
      EXPECT_GT(known, .5) << "nothing large is left out";
    }
  }
}

TEST_F(Applications, AreNotOfKernelsThatScaleNoMatrix) {
  const auto records = ran({"uot/matrix_free", "-a", "data=moons", "-a", "application=7"});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_THAT(verdict(records.front()), HasSubstr("application must be 0"));
}

class Awkward : public testing::TestWithParam<std::string> {};

TEST_P(Awkward, VariantsAreRight) {
  const Folder folder;
  expect_all_right(judged_at_awkward_sizes(folder.path(), GetParam(), "@" + native_worker + "$"), 75, 4);
}

INSTANTIATE_TEST_SUITE_P(Of, Awkward, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

class CudaAwkward : public testing::TestWithParam<std::string> {};

TEST_P(CudaAwkward, VariantsAreRightInAShuffledOrderOfThreads) {
  expect_right_on_simt(GetParam(), "order:shuffled.*@simt$", 1);
}

INSTANTIATE_TEST_SUITE_P(Of, CudaAwkward, testing::ValuesIn(awkward_families()),
                         [](const auto& info) { return info.param; });

class Match : public testing::Test {
 protected:
  Folder folder_;
};

TEST_F(Match, RowsThatAreNoVectorsOfFourAreNoProblem) {
  if (!fs::exists(bin + "/uotbench-worker-native-v3")) GTEST_SKIP() << "no worker native-v3";
  const Outcome outcome =
      uotbench(folder_.path(), {"run", "match/cpu*", "-a", "N=3", "-a", "D=6,8", "--worker", "native-v3"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.err, "uotbench: command line: match: D=6: expected a multiple of 4, such as 4 or 8\n");
}

}  // namespace
}  // namespace uotbench
