// A batch: items are problems with seeds of their own, each is judged alone, and who takes none says so.
#include <map>

#include "harness/worker/variant.hpp"
#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {
namespace {

constexpr std::size_t M = 7, N = 5;

class BatchTest : public UotTest {
 protected:
  static Point batch(std::int64_t B, Json changes = Json::object()) {
    Json values{{"M", M}, {"N", N}, {"B", B}};
    values.update(changes);
    return point(values);
  }
  /// What `item` has of an array of `items`.
  static std::vector<double> part(const std::vector<double>& all, std::size_t item, std::size_t items) {
    const auto size = static_cast<std::ptrdiff_t>(all.size() / items);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(item) * size;
    return {first, first + size};
  }
  /// Every item's plan and scalings, solved alone.
  void write_right(const Point& at, int iterations = 10) {
    const auto items = at.size("B");
    std::vector<float> plan, u, v;
    for (std::size_t item = 0; item < items; ++item) {
      const auto K = part(doubles(in / "K.npy"), item, items);
      const auto right = solve_as_pot(K, part(doubles(in / "a.npy"), item, items),
                                      part(doubles(in / "b.npy"), item, items), at.number("fi"), iterations);
      for (std::size_t i = 0; i < M; ++i)
        for (std::size_t j = 0; j < N; ++j)
          plan.push_back(static_cast<float>(right.u[i] * K[i * N + j] * right.v[j]));
      u.insert(u.end(), right.u.begin(), right.u.end());
      v.insert(v.end(), right.v.begin(), right.v.end());
    }
    write(out / "plan.npy", {items * M, N}, plan);
    write(out / "u.npy", {items * M}, u);
    write(out / "v.npy", {items * N}, v);
  }
};

TEST_F(BatchTest, ItemsAreTheProblemsOfTheSeedsThatFollow) {
  for (const char* data : {"uniform", "points"}) {
    const Json drawn{{"data", data}, {"seed", 4}};
    prepare(batch(3, drawn));
    std::map<std::string, std::vector<double>> all;
    for (const std::string name : {"K", "a", "b"}) all[name] = doubles(in / (name + ".npy"));
    EXPECT_EQ(NpyArray::open(in / "K.npy").shape(), (std::vector<std::size_t>{3 * M, N}));
    for (std::size_t item = 0; item < 3; ++item) {
      prepare(batch(1, {{"data", data}, {"seed", 4 + item}}));
      for (const auto& [name, values] : all)
        EXPECT_EQ(part(values, item, 3), doubles(in / (name + ".npy"))) << data << ' ' << name << ' ' << item;
    }
  }
}

TEST_F(BatchTest, IsRightWhereEveryItemIs) {
  const Point at = batch(3);
  prepare(at);
  for (const int iterations : {2, 10}) {
    write_right(at, iterations);
    const auto judgement = judge(at, {"plan", "u", "v"}, iterations);
    EXPECT_EQ(judgement.reason, "");
    EXPECT_GT(judgement.check.error, 0);
    EXPECT_LE(judgement.check.error, 1e-6);
    ASSERT_TRUE(judgement.check.items);
    EXPECT_EQ(judgement.check.items->count, 3);
  }
}

TEST_F(BatchTest, AWrongItemIsNamed) {
  const Point at = batch(16);
  prepare(at);
  write_right(at);
  set<float>("plan", 3 * M * N + 2 * N + 1, -1);
  auto judgement = judge(at);
  EXPECT_EQ(judgement.check.worst, "item 3");
  EXPECT_THAT(judgement.reason,
              testing::StartsWith("wrong: 1 of 16 items is wrong: 3; item 3: wrong: 1 of 35 cells"));
  EXPECT_THAT(judgement.reason, testing::HasSubstr("first plan[2,1] got -1"));

  write_right(at);
  set<float>("v", 15 * N + 4, NAN);
  EXPECT_EQ(judge(at).reason, "") << "nobody said that v was written";
  EXPECT_THAT(judge(at, {"plan", "v"}).reason, testing::HasSubstr("item 15: not finite: v[4]"));

  // The right plans, but of each other's problems.
  write_right(at);
  const auto plan = doubles(out / "plan.npy");
  for (std::size_t cell = 0; cell < M * N; ++cell) {
    set<float>("plan", cell, plan[M * N + cell]);
    set<float>("plan", M * N + cell, plan[cell]);
  }
  EXPECT_THAT(judge(at).reason, testing::StartsWith("wrong: 2 of 16 items are wrong: 0, 1; item 0: "));
}

TEST_F(BatchTest, IsRefusedWhereThereIsNone) {
  write_user(M, N, std::vector<double>(M * N, 1), std::vector<double>(M, 1), std::vector<double>(N, 1));
  const auto refusal = [](const Json& changes) { return error_of([&] { batch(2, changes); }); };
  EXPECT_EQ(refusal({{"data", "npy"}, {"path", user.string()}}),
            "data=npy gives one problem: B must be 1, not 2");
  EXPECT_EQ(refusal({{"data", "points"}, {"matrix", "never"}}),
            "matrix=never is for one problem: B must be 1, not 2");
  EXPECT_EQ(refusal({{"stop", "change"}}), "stop=change solves one problem: B must be 1, not 2");
  EXPECT_EQ(refusal({{"data", "moons"}, {"application", 5}}),
            "an application has one problem: B must be 1, not 2");
  EXPECT_EQ(refusal(Json::object()), "");
}

// An item without a plan is named, too: K underflows.
TEST_F(BatchTest, NamesTheItemThatNothingSolves) {
  EXPECT_THAT(error_of([&] {
                prepare(batch(2, {{"data", "points"}, {"reg", 1e-6}}));
              }),
              testing::StartsWith("item 0 of 2: row 0 of K is zero wherever b has mass"));
}

TEST_F(BatchTest, VariantsThatTakeOneProblemSaySo) {
  int takers = 0;
  for (const Variant* each : variants()) {
    if (!each->spec().name.starts_with("uot/")) continue;
    Point at = batch(2);
    for (const auto& axis : each->spec().axes) at.set(axis.name, axis.standard);
    const std::string refusal = each->refusal(at);
    takers += refusal.empty();
    if (!refusal.empty()) {
      EXPECT_EQ(refusal, each->spec().name + " takes one problem a call: B must be 1");
    }
  }
  EXPECT_EQ(takers, 1) << "uot/one_read_batch";
}

}  // namespace
}  // namespace uotbench::uot
