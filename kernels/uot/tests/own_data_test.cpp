// Every variant is right on a user's own points, in 2 and 3 dimensions, and with forbidden pairs, or says why
// it refuses them.
#include <set>

#include "harness/worker/tests/family_fixture.hpp"
#include "kernels/uot/tests/fixture.hpp"

namespace uotbench::uot {
namespace {

class OwnDataTest : public UotTest {
 protected:
  static constexpr std::size_t M = 90, N = 70;

  void write_masses() {
    std::vector<double> a(M), b(N);
    for (std::size_t i = 0; i < M; ++i) a[i] = (1 + static_cast<double>(i % 4)) / (2.5 * M);
    for (std::size_t j = 0; j < N; ++j) b[j] = (1 + static_cast<double>(j % 3)) / (2. * N);
    write(user / "a.npy", {M}, a);
    write(user / "b.npy", {N}, b);
  }
  void write_clouds(std::size_t d) {
    write_masses();
    write(user / "X.npy", {M, d}, awkward_cloud(M, d, 1));
    write(user / "Y.npy", {N, d}, awkward_cloud(N, d, 2));
  }
  /// The names of those that do not refuse it; all of them have to be right.
  std::set<std::string> right(const Json& changes) {
    Json values{{"data", "npy"}, {"path", user.string()}};
    values.update(changes);
    const Point problem = point(values);
    fs::remove_all(in);
    fs::create_directories(in);
    family().prepare(problem, in);
    std::set<std::string> done;
    for (const uotbench::Variant* variant : variants()) {
      if (!variant->spec().name.starts_with("uot/")) continue;
      const Point at = with_axes(*variant, problem);
      if (!variant->refusal(at).empty()) continue;
      done.insert(variant->spec().name);
      EXPECT_EQ(verdict_of(family(), *variant, at, in, out, 10), "")
          << variant->spec().name << " " << changes;
    }
    return done;
  }
};

using testing::Contains;

TEST_F(OwnDataTest, PointsAreForEveryVariantThatNeedsPoints) {
  for (const std::size_t d : {2, 3})
    for (const char* dtype : {"f32", "f64"}) {
      write_clouds(d);
      const Json solve{{"stop", "change"}, {"reg_m", 5}, {"reg_type", "kl"}, {"dtype", dtype}};
      const auto solvers = right(solve);
      for (const char* name : {"uot/multiscale", "uot/multiscale_free", "uot/multiscale_newton",
                               "uot/one_read_sparse", "uot/one_read_stabilised", "uot/one_read"})
        EXPECT_THAT(solvers, Contains(name)) << d << dtype;
      EXPECT_THAT(right({{"dtype", dtype}}), Contains("uot/matrix_free")) << d;
      EXPECT_THAT(right({{"dtype", dtype}, {"matrix", "never"}}), Contains("uot/matrix_free")) << d;
    }
}

// Variants that begin elsewhere say so.
TEST_F(OwnDataTest, AStartIsGivenToVariantsThatTakeOne) {
  write_clouds(2);
  std::vector<double> log_u(M), log_v(N);
  write(user / "log_u0.npy", {M}, log_u);
  write(user / "log_v0.npy", {N}, log_v);
  const Json solve{{"stop", "change"}, {"reg_m", 5}, {"dtype", "f64"}, {"warm", "given"}};
  const auto solvers = right(solve);
  EXPECT_THAT(solvers, Contains("uot/one_read_sor"));
  EXPECT_THAT(solvers, testing::Not(Contains("uot/multiscale")));
  EXPECT_THAT(solvers, testing::Not(Contains("uot/one_read_anderson")));
  EXPECT_EQ(error_of([&] {
              point({{"data", "npy"}, {"path", user.string()}, {"warm", "given"}});
            }),
            "warm=given is for data=npy with stop=change; data is npy and stop iterations");
  log_u[3] = INFINITY;
  write(user / "log_u0.npy", {M}, log_u);
  Json values{{"data", "npy"}, {"path", user.string()}};
  values.update(solve);
  EXPECT_EQ(error_of([&] { family().prepare(point(values), in); }),
            (user / "log_u0.npy").string() + ": log_u0[3] is inf; expected a finite number");
}

TEST_F(OwnDataTest, SizesAreThoseOfTheFiles) {
  write_clouds(3);
  const Point derived =
      family().derive(point_from(defaults_with(family(), {{"data", "npy"}, {"path", user.string()}})));
  EXPECT_EQ(derived.integer("M"), M);
  EXPECT_EQ(derived.integer("N"), N);
  EXPECT_EQ(derived.integer("d"), 3);
  EXPECT_EQ(error_of([] {
              family().derive(point_from(defaults_with(family(), {{"N", 3}})));
            }),
            "M must be given: sizes are read from files with data=npy only");
}

TEST_F(OwnDataTest, PointsOfOtherDimensionsAreRefusedWhereTheyCannotBe) {
  write_clouds(5);
  const auto done = right({{"stop", "change"}, {"reg_m", 5}});
  EXPECT_THAT(done, Contains("uot/one_read"));
  EXPECT_THAT(done, testing::Not(Contains("uot/multiscale")));
  write(user / "Y.npy", {N, 4}, awkward_cloud(N, 4, 2));
  EXPECT_EQ(error_of([&] {
              point({{"data", "npy"}, {"path", user.string()}});
            }),
            (user / "Y.npy").string() + ": shape (70, 4); expected (70, 5) for M=90, N=70, d=5");
  fs::remove(user / "Y.npy");
  EXPECT_EQ(error_of([&] {
              point({{"data", "npy"}, {"path", user.string()}});
            }),
            "path: " + user.string() + " holds X; expected one of K.npy, C.npy, and X.npy with Y.npy");
}

TEST_F(OwnDataTest, FarPointsAreRefusedInOneLine) {
  write_clouds(2);
  auto far = awkward_cloud(M, 2, 1);
  far[3] = 1e30;
  write(user / "X.npy", {M, 2}, far);
  EXPECT_THAT(
      error_of([&] {
        family().prepare(point({{"data", "npy"}, {"path", user.string()}}), in);
      }),
      testing::HasSubstr("squared distances reach 1e+60, and more than f32 holds once divided by reg"));
}

TEST_F(OwnDataTest, ForbiddenPairsAreForEveryVariantThatReadsKOrC) {
  write_masses();
  std::vector<double> C(M * N);
  for (std::size_t k = 0; k < C.size(); ++k)
    C[k] = k % 7 < 4 && k % N != k / N % N ? INFINITY : static_cast<double>(k * 31 % 97) / 97;
  write(user / "C.npy", {M, N}, C);
  for (const char* dtype : {"f32", "f64"}) {
    EXPECT_THAT(right({{"dtype", dtype}}), Contains("uot/map_uot"));
    EXPECT_THAT(right({{"dtype", dtype}, {"scheme", "damped"}}), Contains("uot/map_uot"));
  }
  // In f32 some say that their scalings overflow.
  const auto solvers = right({{"dtype", "f64"}, {"stop", "change"}, {"reg_m", 5}});
  for (const char* name : {"uot/one_read", "uot/one_read_stabilised", "uot/one_read_anderson"})
    EXPECT_THAT(solvers, Contains(name));
}

}  // namespace
}  // namespace uotbench::uot
