// What a kernel declares is what its instance does.
#include "harness/worker/typed_variant.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace uotbench {
namespace {

/// A family without arrays: its kernels write what they did into a text.
std::string log_of_calls;

template <class Real>
struct Nothing {
  Nothing(const Point&, Arrays&, const Team&) {}
};
template <class Real>
struct Written {
  explicit Written(Arrays&) {}
  std::vector<std::string> written{sizeof(Real) == 8 ? "f64" : "f32"};
};

template <class F32, class F64>
class Made final : public TypedVariant<Nothing, Written, F32, F64> {
 public:
  using TypedVariant<Nothing, Written, F32, F64>::TypedVariant;
  double memory(const Point&) const override { return 0; }
};

template <class Real>
struct Plain {
  explicit Plain(const Nothing<Real>&) { log_of_calls.clear(); }
  void iterate() { log_of_calls += "iterate "; }
  void finish(Written<Real>&) { log_of_calls += "finish "; }
};

template <class Real>
struct Whole : Plain<Real> {
  static constexpr KernelTraits declares{.unit = Unit::part,
                                         .begins = true,
                                         .restarts = true,
                                         .lifetime = true,
                                         .iterations = true,
                                         .facts = true};

  using Plain<Real>::Plain;
  void begin() { log_of_calls += "begin "; }
  void restart() { log_of_calls += "restart "; }
  std::int64_t lifetime() const { return 5; }
  void part() { log_of_calls += "part "; }
  std::optional<std::int64_t> iterations() const { return 7; }
  Facts facts() const { return {{"colour", "blue"}}; }
};

/// Everything a worker calls, at a point of this dtype.
struct Called {
  std::string calls, written;
  std::optional<std::int64_t> lifetime, iterations;
  Facts facts;
};
Called called(const Variant& variant, const std::string& dtype) {
  const Point point{{"dtype", dtype}, {"threads", 1}, {"cache", "warm"}};
  const Team team(1, {});
  Arrays none(std::filesystem::temp_directory_path().string(), false);
  const auto instance = variant.load(point, none, team);
  instance->begin();
  instance->timed();
  instance->restart();
  const auto written = instance->finish(none);
  return {log_of_calls, written.at(0), instance->lifetime(), instance->iterations(), instance->facts()};
}

Work no_work(const Point&) { return {}; }

TEST(TypedVariant, OfAKernelThatDeclaresNothingIteratesAndFinishes) {
  static const Made<Plain<float>, Plain<double>> variant{
      {.name = "made/plain", .summary = "", .work = no_work}};
  const Called plain = called(variant, "f32");
  EXPECT_EQ(plain.calls, "iterate finish ");
  EXPECT_FALSE(plain.lifetime);
  EXPECT_FALSE(plain.iterations);
  EXPECT_EQ(plain.facts, Facts());
  EXPECT_EQ(variant.unit({}), Unit::iteration);
}

TEST(TypedVariant, CallsWhatIsDeclared) {
  static const Made<Whole<float>, Whole<double>> variant{
      {.name = "made/whole", .summary = "", .work = no_work}};
  const Called whole = called(variant, "f64");
  EXPECT_EQ(whole.calls, "begin part restart finish ");
  EXPECT_EQ(whole.lifetime, 5);
  EXPECT_EQ(whole.iterations, 7);
  EXPECT_EQ(whole.facts, (Facts{{"colour", "blue"}}));
  EXPECT_EQ(variant.unit({}), Unit::part);
}

TEST(TypedVariant, IsOfItsDtype) {
  static const Made<Plain<float>, Plain<double>> both{{.name = "made/both", .summary = "", .work = no_work}};
  EXPECT_EQ(called(both, "f32").written, "f32");
  EXPECT_EQ(called(both, "f64").written, "f64");
}

TEST(TypedVariant, RefusesTheDtypeThatItHasNoKernelFor) {
  static const Made<void, Whole<double>> wide{{.name = "made/wide", .summary = "", .work = no_work}};
  static const Made<Plain<float>, void> narrow{{.name = "made/narrow", .summary = "", .work = no_work}};
  const Point f32{{"dtype", "f32"}, {"threads", 1}, {"cache", "warm"}},
      f64{{"dtype", "f64"}, {"threads", 1}, {"cache", "warm"}};
  EXPECT_EQ(wide.refusal(f32), "made/wide is written for f64 alone: dtype must be f64");
  EXPECT_EQ(wide.refusal(f64), "");
  EXPECT_EQ(narrow.refusal(f64), "made/narrow is written for f32 alone: dtype must be f32");
  EXPECT_EQ(narrow.refusal(f32), "");
  EXPECT_EQ(called(wide, "f64").written, "f64");
  EXPECT_EQ(called(wide, "f64").calls, "begin part restart finish ");
  EXPECT_EQ(wide.unit({}), Unit::part);
}

}  // namespace
}  // namespace uotbench
