// Every variant does every model that it has, on grids that no vector, block or band divides; and the counted
// work is that of the publication's Table 1.
#include <set>

#include "kernels/stencil/problem.hpp"
#include "kernels/stencil/tests/fixture.hpp"
#include "kernels/stencil/timed/layer_condition.hpp"

namespace uotbench::stencil {
namespace {

/// A variant's own axes with their defaults, and changes.
Point tuned(const uotbench::Variant& variant, const Json& changes) {
  Json values = changes;
  for (const auto& axis : variant.spec().axes)
    if (!values.contains(axis.name)) values[axis.name] = to_json(axis.standard);
  return point(values);
}

struct Shape {
  int nx, ny;
};

/// The last ones are worth a team of threads.
std::vector<Shape> shapes_of(const std::string& model) {
  if (model == "heat1d") return {{1, 3}, {1, 4}, {1, 9001}, {1, 70001}};
  if (model == "copy" || model == "scale" || model == "axpy" || model == "xpxpyn")
    return {{1, 1}, {2, 7}, {37, 2053}};
  if (model == "predictor" || model == "corrector") return {{3, 3}, {41, 67}};
  return {{3, 3}, {3, 37}, {37, 3}, {41, 67}, {257, 260}};
}

class EveryVariantTest : public StencilTest {
 protected:
  void expect_right(const std::string& model, const Json& changes = Json::object()) {
    for (const auto& [nx, ny] : shapes_of(model))
      for (const char* dtype : {"f32", "f64"}) {
        const bool team = nx * ny >= 60000;
        if (team && dtype == std::string("f64")) continue;
        Json values{{"model", model}, {"nx", nx}, {"ny", ny}, {"dtype", dtype}};
        values.update(changes);
        prepare(point(values));
        for (const uotbench::Variant* variant : variants()) {
          values["threads"] = variant->spec().serial || !team ? 1 : 2;
          const Point at = tuned(*variant, values);
          if (!variant->refusal(at).empty()) continue;
          done.insert(variant->spec().name);
          EXPECT_EQ(verdict(*variant, at, 3), "")
              << variant->spec().name << " " << model << " " << nx << " " << ny << " " << dtype;
        }
      }
  }
  std::set<std::string> done;
};

TEST_F(EveryVariantTest, CopiesScalesAndAdds) {
  for (const char* model : {"copy", "scale", "axpy"}) expect_right(model);
  EXPECT_GE(done.size(), 7u);
}

TEST_F(EveryVariantTest, FoldsNoTerm) {
  for (const int terms : {2, 7, 20}) expect_right("xpxpyn", {{"terms", terms}});
  EXPECT_TRUE(done.contains("stencil/nofold"));
}

TEST_F(EveryVariantTest, ConductsHeat) {
  expect_right("heat1d", {{"r", .4}});
  expect_right("heat2d");
  EXPECT_TRUE(done.contains("stencil/temporal"));
}

TEST_F(EveryVariantTest, MovesAFluid) {
  for (const char* model : {"ns2d", "predictor", "corrector"}) expect_right(model);
}

/// Bands, wedges and depths that do not divide each other: more steps than a band has lines, odd ones.
TEST_F(EveryVariantTest, JoinsAnyNumberOfSteps) {
  const auto& temporal = variant_named("stencil/temporal");
  for (const char* model : {"heat1d", "heat2d", "ns2d"}) {
    const bool rod = model == std::string("heat1d");
    Json values{{"model", model}, {"nx", rod ? 1 : 301}, {"ny", rod ? 100001 : 70}};
    prepare(point(values));
    for (const auto& [depth, threads] : {std::pair(1, 2), {2, 1}, {3, 2}, {7, 3}, {32, 2}}) {
      values["depth"] = depth;
      values["threads"] = threads;
      EXPECT_EQ(verdict(temporal, tuned(temporal, values)), "") << model << " " << depth << " " << threads;
    }
  }
}

TEST_F(EveryVariantTest, BlocksOfAnySize) {
  const auto& blocked = variant_named("stencil/blocked");
  Json values{{"model", "ns2d"}, {"nx", 41}, {"ny", 67}};
  prepare(point(values));
  for (const auto& [bx, by] : {std::pair(1, 1), {3, 5}, {1000, 7}, {7, 1000}}) {
    values["bx"] = bx;
    values["by"] = by;
    EXPECT_EQ(verdict(blocked, tuned(blocked, values)), "") << bx << " " << by;
  }
}

TEST_F(EveryVariantTest, AModelThatAVariantLacksIsRefusedInALine) {
  const auto& temporal = variant_named("stencil/temporal");
  EXPECT_EQ(temporal.refusal(tuned(temporal, {{"model", "copy"}})),
            "stencil/temporal has no copy: it has heat1d, heat2d, ns2d");
}

/// What no memory holds is told as it is, for the plan to skip it.
TEST_F(EveryVariantTest, SizesBeyondAllMemoryOverflowNothing) {
  const auto& simd = variant_named("stencil/simd");
  const std::int64_t most = 2147483647;
  EXPECT_NEAR(simd.memory(tuned(simd, {{"nx", most}, {"ny", most}})) / (16. * most * most), 1, 1e-9);
}

/// Where it began: restart() after some steps, and as many steps again.
TEST_F(EveryVariantTest, StartsAnew) {
  for (const char* name : {"stencil/simd", "stencil/temporal"})
    for (const char* model : {"heat2d", "ns2d"}) {
      const auto& variant = variant_named(name);
      const Point at = tuned(variant, {{"model", model}, {"nx", 41}});
      prepare(at);
      Arrays arrays(folder, true);
      const Team team(1, {});
      const auto instance = variant.load(at, arrays, team);
      instance->iterate();
      instance->restart();
      instance->iterate();
      const auto written = instance->finish(arrays);
      EXPECT_EQ(
          family()
              .judge(at, folder, folder, {"stencil/test", written, static_cast<int>(variant.steps(at)), {}})
              .reason,
          "");
    }
}

struct Row {
  const char* model;
  double alpha, inputs, outputs, low, high;
};

/// X. He 2023, Table 1, and the text of sections 4.1 and 5.8; NS2D is the sum of its substeps.
TEST(WorkTable, IsThePublications) {
  for (const auto& row : {Row{"copy", 0, 1, 1, 2, 0}, Row{"scale", 1, 1, 1, 2, 0}, Row{"axpy", 2, 2, 1, 3, 0},
                          Row{"xpxpyn", 6, 2, 1, 3, 0}, Row{"heat1d", 6, 1, 1, 2, 2},
                          Row{"heat2d", 8, 1, 1, 2, 4}, Row{"predictor", 46, 3, 3, 6, 10},
                          Row{"corrector", 52, 6, 3, 9, 10}, Row{"ns2d", 98, 9, 6, 15, 20}}) {
    const Point at = point({{"model", row.model}, {"nx", 100}, {"ny", 100}});
    const Counts counts = counts_of(at);
    EXPECT_EQ(alpha_of(at, counts), row.alpha) << row.model;
    EXPECT_EQ(counts.inputs, row.inputs) << row.model;
    EXPECT_EQ(counts.outputs, row.outputs) << row.model;
    EXPECT_EQ(counts.low(), row.low) << row.model;
    EXPECT_EQ(counts.high(), row.high) << row.model;
    const Work work = sweep_work(at);
    EXPECT_EQ(work.bytes(), row.low * 8 * 1e4) << row.model;
    EXPECT_EQ(work.element->memory, row.low) << row.model;
  }
  EXPECT_EQ(sweep_work(point({{"model", "heat2d"}, {"nx", 100}, {"ny", 100}})).write_allocate, 8e4);
  EXPECT_EQ(sweep_work(point({{"model", "axpy"}, {"nx", 100}, {"ny", 100}})).write_allocate, 0);
  EXPECT_EQ(sweep_work(point({{"model", "ns2d"}, {"nx", 100}, {"ny", 100}})).write_allocate, 3 * 8e4);
}

/// A sum of five cells and two products: one array each, none of them free before the last is computed.
TEST(WorkTable, HasTheTemporaryArraysOfSplitInItsWorkingSet) {
  for (const auto& [model, temporaries] : {std::pair("copy", 0), {"axpy", 2}, {"heat2d", 6}}) {
    const Point at = point({{"model", model}, {"nx", 100}, {"ny", 100}});
    EXPECT_EQ(*variant_named("stencil/split").spec().work(at).working_set,
              *sweep_work(at).working_set + temporaries * 8e4)
        << model;
  }
}

/// Lines that are only written are fetched by ordinary stores, and bypass the caches by non-temporal ones.
TEST(WorkTable, SaysWhatBypassesTheCaches) {
  for (const auto& [model, arrays] : {std::pair("heat2d", 1), {"axpy", 0}, {"ns2d", 3}}) {
    const Point at = point({{"model", model}, {"nx", 100}, {"ny", 100}});
    const Work past = variant_named("stencil/nontemporal").spec().work(at);
    EXPECT_EQ(past.bytes_nontemporal, arrays * 8e4) << model;
    EXPECT_EQ(past.write_allocate, 0) << model;
    const Work ordinary = variant_named("stencil/openmp").spec().work(at);
    EXPECT_EQ(ordinary.bytes_nontemporal, 0) << model;
    EXPECT_EQ(ordinary.write_allocate, arrays * 8e4) << model;
    EXPECT_EQ(past.bytes(), ordinary.bytes()) << model;
  }
}

}  // namespace
}  // namespace uotbench::stencil
