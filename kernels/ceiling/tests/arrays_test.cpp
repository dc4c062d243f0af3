// Every ceiling gives what its formula says, for any N and number of threads; one that leaves out half of the
// array, or one pass of many, does not get past the judge.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/worker/oracle/family.hpp"
#include "harness/worker/tests/family_fixture.hpp"
#include "harness/worker/variant.hpp"
#include "kernels/ceiling/shared/passes.hpp"
#include "kernels/ceiling/timed/loads.hpp"
#include "kernels/ceiling/timed/random_bits.hpp"
#include "kernels/ceiling/timed/streams.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string variant;
  int N;
  std::string dtype;
  int threads;
  int repeat;
};

std::string text_of(const Case& one) {
  const auto& [variant, N, dtype, threads, repeat] = one;
  return fmt::format("{}_{}{}_{}{}", variant.substr(8), N, dtype, threads, repeat > 1 ? "_repeated" : "");
}

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const Variant* each : variants())
    if (each->spec().name != "ceiling/spin") names.push_back(each->spec().name);
  return names;
}

bool can_repeat(const std::string& variant) {
  return std::ranges::any_of(variant_named(variant).spec().axes,
                             [](const Axis& axis) { return axis.name == "repeat"; });
}

std::vector<Case> cases_of(const std::string& variant) {
  std::vector<Case> all;
  for (const int N : {1, 7, 4097})
    for (const char* dtype : {"f32", "f64"})
      for (const int threads : {1, 2})
        for (const int repeat : {1, 3})
          if ((threads == 1 || !variant_named(variant).spec().serial) && (repeat == 1 || can_repeat(variant)))
            all.push_back({variant, N, dtype, threads, repeat});
  return all;
}

/// A ceiling on one of its problems, in a folder of its own.
class Solved {
 public:
  explicit Solved(const Case& one) : case_(one) { fs::create_directories(folder_); }
  ~Solved() { fs::remove_all(folder_); }

  std::string refusal() const { return variant_.refusal(point_); }
  void solve(int iterations) {
    family().prepare(point_, folder_);
    poison(family(), point_, folder_);
    Arrays arrays(folder_, true);
    const auto instance = variant_.load(point_, arrays, Team(case_.threads, {}));
    for (int i = 0; i < iterations; ++i) instance->iterate();
    EXPECT_EQ(instance->finish(arrays), std::vector<std::string>{"y"});
  }
  Judgement judge() { return family().judge(point_, folder_, folder_, {case_.variant, {"y"}, 2, {}}); }
  void change_last(double by) { case_.dtype == "f64" ? change<double>(by) : change<float>(by); }

 private:
  static const Family& family() {
    for (const Family* each : families())
      if (each->spec().name == "ceiling") return *each;
    throw Error("ceiling is not linked");
  }
  template <class Real>
  void change(double by) {
    auto array = NpyArray::open(folder_ / "y.npy", true);
    array.as_mutable<Real>().back() *= static_cast<Real>(by);
  }

  const Case case_;
  const fs::path folder_ = fs::temp_directory_path() / ("ceiling_" + std::to_string(::getpid()));
  const Variant& variant_ = variant_named(case_.variant);
  const Point point_{{"N", case_.N},
                     {"dtype", case_.dtype},
                     {"seed", 1},
                     {"form", "scalar"},
                     {"set", 300 * 1024 + 64},
                     {"threads", case_.threads},
                     {"load", 0},
                     {"lines", "ordered"},
                     {"ahead", 0},
                     {"repeat", case_.repeat}};
};

class CeilingTest : public testing::TestWithParam<std::string> {
 protected:
  /// Calls test(Solved&) for each problem that the ceiling takes.
  template <class Test>
  void for_each_case(Test test) {
    std::string refusal;
    int taken = 0;
    for (const Case& one : cases_of(GetParam())) {
      SCOPED_TRACE(text_of(one));
      Solved solved(one);
      if (!solved.refusal().empty()) {
        refusal = solved.refusal();
        continue;
      }
      ++taken;
      test(solved);
    }
    if (taken == 0) GTEST_SKIP() << refusal;
  }
};

TEST_P(CeilingTest, GivesWhatItsFormulaSays) {
  for_each_case([](Solved& solved) {
    solved.solve(2);
    const auto judgement = solved.judge();
    EXPECT_EQ(judgement.reason, "");
    EXPECT_LE(judgement.check.error, judgement.check.tolerance);
  });
}

TEST_P(CeilingTest, MayLeaveOutNoIteration) {
  for_each_case([](Solved& solved) {
    solved.solve(1);
    EXPECT_NE(solved.judge().reason, "");
  });
}

TEST_P(CeilingTest, EveryElementIsLookedAt) {
  if (GetParam().ends_with("read")) GTEST_SKIP() << "its result is one number";
  for_each_case([](Solved& solved) {
    solved.solve(2);
    solved.change_last(1.0001);
    EXPECT_NE(solved.judge().reason, "");
  });
}

INSTANTIATE_TEST_SUITE_P(All, CeilingTest, testing::ValuesIn(kernels()),
                         [](const auto& info) { return info.param.substr(8); });

/// What the judge says of a y that faulty kernels would leave, 100 elements in one thread.
class FaultyTest : public testing::Test {
 protected:
  FaultyTest() { fs::create_directories(folder); }
  ~FaultyTest() override { fs::remove_all(folder); }

  /// y[i] = value(x[i], i); what a kernel leaves out stays as it was.
  template <class Value>
  std::string verdict(const char* variant, const Value& value, std::size_t count = N) {
    const Family& family =
        **std::ranges::find_if(families(), [](const Family* each) { return each->spec().name == "ceiling"; });
    family.prepare(point, folder);
    poison(family, point, folder);
    const auto x = NpyArray::open(folder / "x.npy");
    auto y = NpyArray::open(folder / "y.npy", true);
    for (std::size_t i = 0; i < count; ++i) y.as_mutable<double>()[i] = value(x.as<double>()[i], i);
    return family.judge(point, folder, folder, {variant, {"y"}, 2, {}}).reason;
  }
  double passes(int arrays) const { return static_cast<double>(2 * ceiling::passes(point, arrays)); }

  static constexpr std::size_t N = 100;
  const fs::path folder = fs::temp_directory_path() / ("faulty_" + std::to_string(::getpid()));
  const Point point{{"N", N}, {"dtype", "f64"}, {"seed", 1}, {"threads", 1}};
};

TEST_F(FaultyTest, HalfOfTheArrayIsNotAllOfIt) {
  const auto written = [&](double, std::size_t i) { return i < N / 2 ? passes(1) : 0; };
  EXPECT_EQ(
      verdict("ceiling/write", written),
      fmt::format(
          "wrong: y has 50 of 100 elements wrong, exactly elements 50-99; first y[50]: got 0, want {:.9g}",
          passes(1)));
  const auto copied = [&](double x, std::size_t i) { return i == 0 ? passes(2) : x; };
  EXPECT_EQ(verdict("ceiling/copy", copied), "");
  EXPECT_NE(verdict("ceiling/copy", copied, N / 2), "");
}

// A kernel that stays in the first of many repetitions would measure a cache and be called memory.
TEST_F(FaultyTest, ARepetitionLeftOutIsNoNumber) {
  const Point repeated{{"N", N}, {"dtype", "f64"}, {"seed", 1}, {"threads", 1}, {"repeat", 3}};
  const Family& family =
      **std::ranges::find_if(families(), [](const Family* each) { return each->spec().name == "ceiling"; });
  family.prepare(repeated, folder);
  Arrays inputs(folder, true);
  const Team team(1, {});
  const ceiling::Problem<double> problem(repeated, inputs, team);
  ceiling::Streams<double> streams(problem, 1, [&](int, std::size_t i) { return problem.x[i]; });
  std::vector<double> y(N);
  streams.gather(0, y);
  EXPECT_EQ(y, std::vector<double>(problem.x.begin(), problem.x.end()));
  streams.iterate([](auto& part, std::int64_t pass) { part[0][1] = static_cast<double>(pass); });
  streams.gather(0, y);
  EXPECT_TRUE(std::isnan(y[1]));
  EXPECT_EQ(y[2], problem.x[2]);
}

TEST_F(FaultyTest, APassLessIsNotEnough) {
  EXPECT_NE(verdict("ceiling/write_nt", [&](double, std::size_t) { return passes(1) - 1; }), "");
  EXPECT_NE(verdict("ceiling/copy_nt", [&](double x, std::size_t i) { return i == 0 ? passes(2) - 1 : x; }),
            "");
  EXPECT_NE(verdict("ceiling/triad", [&](double x, std::size_t) { return x + (passes(3) - 1) * (1 - x); }),
            "");
  EXPECT_EQ(verdict("ceiling/triad", [&](double x, std::size_t) { return x + passes(3) * (1 - x); }), "");
}

/// A pass in the middle that nobody made: all later ones have the factors that they should.
TEST_F(FaultyTest, APassLeftOutOfRmwShowsInTheEnd) {
  const auto after = [&](std::int64_t left_out) {
    return [this, left_out](double x, std::size_t) {
      for (std::int64_t pass = 1; pass <= static_cast<std::int64_t>(passes(1)); ++pass)
        if (pass != left_out) x *= (pass - 1) / 32 % 2 == 0 ? 2 : .5;
      return x;
    };
  };
  EXPECT_EQ(verdict("ceiling/rmw", after(0)), "");
  EXPECT_NE(verdict("ceiling/rmw", after(7)), "");
  EXPECT_NE(verdict("ceiling/rmw", after(50)), "");
}

/// Of a hundred thousand steps.
TEST_F(FaultyTest, AStepLessIsNotEnough) {
  const double steps = 2 * static_cast<double>(ceiling::fma_steps);
  EXPECT_EQ(verdict("ceiling/fma", [&](double, std::size_t) { return steps; }), "");
  EXPECT_NE(verdict("ceiling/fma", [&](double, std::size_t i) { return i == 17 ? steps - 1 : steps; }), "");
}

TEST_F(FaultyTest, AMissedOneIsFound) {
  std::size_t ones = 0;
  for (const unsigned char byte : ceiling::random_bytes())
    ones += static_cast<std::size_t>(std::popcount(byte));
  EXPECT_NEAR(static_cast<double>(ones), ceiling::bits_tested / 2., ceiling::bits_tested / 200.);
  const auto y = [&](std::size_t missed) {
    return [&, missed](double, std::size_t) {
      return static_cast<double>((2 * ones - missed) % ceiling::ones_modulo);
    };
  };
  EXPECT_EQ(verdict("ceiling/misprediction", y(0)), "");
  EXPECT_NE(verdict("ceiling/misprediction", y(1)), "");
}

TEST_F(FaultyTest, AChaseThatLeavesOutALoadEndsElsewhere) {
  const Point chase{{"N", N}, {"dtype", "f64"}, {"seed", 1}, {"threads", 1}, {"set", 640}};
  const auto verdict_of = [&](std::size_t loads) {
    const Family& family =
        **std::ranges::find_if(families(), [](const Family* each) { return each->spec().name == "ceiling"; });
    family.prepare(chase, folder);
    poison(family, chase, folder);
    auto y = NpyArray::open(folder / "y.npy", true);
    std::ranges::fill(y.as_mutable<double>(), static_cast<double>(loads % 10));
    return family.judge(chase, folder, folder, {"ceiling/chase", {"y"}, 2, {}}).reason;
  };
  EXPECT_EQ(verdict_of(2 * ceiling::chase_steps), "");
  EXPECT_NE(verdict_of(2 * ceiling::chase_steps - 1), "");
  EXPECT_NE(verdict_of(ceiling::chase_steps), "");
}

/// A chain is closed and whole: after as many loads as it has lines it is where it began, and not before.
TEST(Chase, GoesOverEveryLineOnce) {
  // 131 lines and 16381 loads: an iteration goes on by 6 lines, 131 of them by whole rounds.
  const fs::path folder = fs::temp_directory_path() / ("chase_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const Point point{{"N", 1}, {"dtype", "f64"}, {"seed", 7}, {"threads", 1}, {"set", 131 * 64}};
  const Family& family =
      **std::ranges::find_if(families(), [](const Family* each) { return each->spec().name == "ceiling"; });
  family.prepare(point, folder);
  poison(family, point, folder);
  Arrays arrays(folder, true);
  const auto instance = variant_named("ceiling/chase").load(point, arrays, Team(1, {}));
  std::vector<bool> seen(131);
  for (int i = 0; i < 131; ++i) {
    instance->iterate();
    instance->finish(arrays);
    const auto place = static_cast<std::size_t>(arrays["y"].as_mutable<double>()[0]);
    ASSERT_LT(place, seen.size());
    EXPECT_FALSE(seen[place]) << place;
    seen[place] = true;
  }
  fs::remove_all(folder);
}

/// Narrow loads, and lines in no order, add up to the same; what is left out shows.
TEST(Read, ByLoadsOfAnyWidthInAnyOrder) {
  const fs::path folder = fs::temp_directory_path() / ("read_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const Family& family =
      **std::ranges::find_if(families(), [](const Family* each) { return each->spec().name == "ceiling"; });
  const Variant& read = variant_named("ceiling/read");
  int done = 0;
  for (const char* dtype : {"f32", "f64"})
    for (const int N : {1, 16, 4097})
      for (const int load : {0, 4, 8, 16, 32, 64})
        for (const char* lines : {"ordered", "no_order"}) {
          const Point point{{"N", N},       {"dtype", dtype}, {"seed", 1},     {"threads", 2},
                            {"load", load}, {"ahead", 0},     {"lines", lines}};
          if (!read.refusal(point).empty()) continue;
          family.prepare(point, folder);
          poison(family, point, folder);
          Arrays arrays(folder, true);
          const auto instance = read.load(point, arrays, Team(2, {}));
          for (int i = 0; i < 2; ++i) instance->iterate();
          instance->finish(arrays);
          EXPECT_EQ(family.judge(point, folder, folder, {"ceiling/read", {"y"}, 2, {}}).reason, "")
              << dtype << " " << N << " " << load << " " << lines;
          ++done;
        }
  EXPECT_GE(done, 2 * 3 * 2 * 3);
  EXPECT_TRUE(
      read
          .refusal(Point{
              {"N", 1}, {"dtype", "f64"}, {"threads", 1}, {"ahead", 0}, {"load", 4}, {"lines", "ordered"}})
          .starts_with("load=4: this build loads 8 to "));
  fs::remove_all(folder);
}

TEST(Read, NoOrderHasEveryNumberOnce) {
  for (const std::size_t count : {0, 1, 2, 3, 1000, 1024}) {
    std::vector<int> seen(count);
    std::size_t after = 0, before = count;  // numbers that follow their predecessor
    ceiling::NoOrder(count).each([&](std::size_t number) {
      ASSERT_LT(number, count);
      ++seen[number];
      after += number == before + 1;
      before = number;
    });
    EXPECT_TRUE(std::ranges::all_of(seen, [](int times) { return times == 1; })) << count;
    EXPECT_LE(after, count / 20 + 1) << count;
  }
}

/// Bytes and flops as STREAM counts them: an iteration's passes are all in it.
TEST(CeilingWork, CountsEveryPass) {
  const Point point{{"N", 1024},    {"dtype", "f32"}, {"seed", 1},  {"form", "vector"},
                    {"threads", 2}, {"load", 0},      {"ahead", 0}, {"lines", "ordered"}};
  const auto work = [&](const char* name) { return variant_named(name).spec().work(point); };
  const double array = 4096;
  const auto times = [&](int arrays) { return static_cast<double>(ceiling::passes(point, arrays)); };
  EXPECT_EQ(times(1), 2 * (32 << 20) / array + 1);
  EXPECT_EQ(work("ceiling/read").bytes(), times(1) * array);
  EXPECT_EQ(work("ceiling/rmw").bytes(), 2 * times(1) * array);
  EXPECT_EQ(work("ceiling/rmw").write_allocate, 0);
  EXPECT_EQ(work("ceiling/copy").bytes(), 2 * times(2) * array);
  EXPECT_EQ(work("ceiling/copy").write_allocate, times(2) * array);
  EXPECT_EQ(work("ceiling/copy_nt").write_allocate, 0);
  EXPECT_EQ(work("ceiling/copy_nt").bytes_nontemporal, times(2) * array);
  EXPECT_EQ(work("ceiling/write_nt").bytes_nontemporal, times(1) * array);
  EXPECT_EQ(work("ceiling/copy").bytes_nontemporal, 0);
  EXPECT_EQ(*work("ceiling/copy").working_set, 2 * array);
  for (const auto& [strided, ordered] :
       {std::pair("strided_read", "read"), {"strided_rmw", "rmw"}, {"strided_copy", "copy"}}) {
    const Work by_columns = work(fmt::format("ceiling/{}", strided).c_str());
    const Work in_order = work(fmt::format("ceiling/{}", ordered).c_str());
    EXPECT_EQ(by_columns.bytes(), in_order.bytes()) << strided;
    EXPECT_EQ(by_columns.write_allocate, in_order.write_allocate) << strided;
    EXPECT_FALSE(by_columns.element) << strided;
  }
  EXPECT_EQ(*work("ceiling/triad").working_set, 3 * array);
  const Point repeated{{"N", 1024}, {"dtype", "f32"}, {"seed", 1}, {"threads", 2}, {"repeat", 4}};
  const Work copied = variant_named("ceiling/copy").spec().work(repeated);
  EXPECT_EQ(*copied.working_set, 2 * 4 * array);
  EXPECT_EQ(copied.bytes(), static_cast<double>(ceiling::passes(repeated, 2)) * 2 * 4 * array);
  EXPECT_EQ(work("ceiling/fma").bytes(), 0);
  EXPECT_GT(work("ceiling/fma").flops, 2. * 12 * static_cast<double>(ceiling::fma_steps));
}

TEST(FamilyPage, OfCeilingIsTrue) {
  expect_page_is_true(family_named("ceiling"), {{{"N", 5}}, {{"N", 5}, {"dtype", "f64"}}});
}

}  // namespace
}  // namespace uotbench
