// libuotbench.so from outside, as a user's program has it: results, errors, threads and forks.
#include "harness/call/call.hpp"

#include <gmock/gmock.h>
#include <omp.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <thread>

namespace uotbench {
namespace {

using namespace std::string_literals;
using testing::AllOf;
using testing::HasSubstr;

constexpr std::int64_t M = 37, N = 53;

/// Two clouds in the unit square, and equal masses.
template <class Real>
struct Problem {
  std::vector<Real> X, Y, a, b, C;
  Problem() : a(M, Real(1) / M), b(N, Real(1) / N) {
    for (std::int64_t k = 0; k < 2 * M; ++k) X.push_back(Real(.5 + .5 * std::sin(1.7 * double(k))));
    for (std::int64_t k = 0; k < 2 * N; ++k) Y.push_back(Real(.5 + .5 * std::cos(2.3 * double(k))));
    for (std::int64_t i = 0; i < M; ++i)
      for (std::int64_t j = 0; j < N; ++j)
        C.push_back((X[2 * i] - Y[2 * j]) * (X[2 * i] - Y[2 * j]) +
                    (X[2 * i + 1] - Y[2 * j + 1]) * (X[2 * i + 1] - Y[2 * j + 1]));
  }
  std::vector<CallArray> points() const {
    return {{"X", X, {M, 2}}, {"Y", Y, {N, 2}}, {"a", a, {M}}, {"b", b, {N}}};
  }
  std::vector<CallArray> costs() const { return {{"C", C, {M, N}}, {"a", a, {M}}, {"b", b, {N}}}; }
};

const std::vector<std::string> relaxed{"reg=.05", "reg_m=5", "threads=2"};

/// What a call fails with.
template <class Act>
std::pair<int, std::string> failure(Act&& act) {
  try {
    act();
  } catch (const CallError& error) {
    return {error.status, error.what()};
  }
  return {UOTBENCH_OK, ""};
}

std::pair<int, std::string> creating(const std::string& variant, const std::vector<CallArray>& arrays,
                                     const std::vector<std::string>& settings = relaxed) {
  return failure([&] { Call(variant, arrays, settings); });
}

/// The largest amount by which u misses u = (a / K v)^fi, relative to u.
template <class Real>
double miss(const Problem<Real>& problem, std::span<const Real> u, std::span<const Real> v) {
  double worst = 0;
  for (std::int64_t i = 0; i < M; ++i) {
    double sum = 0;
    for (std::int64_t j = 0; j < N; ++j) sum += std::exp(-double(problem.C[i * N + j]) / .05) * double(v[j]);
    const double want = std::pow(double(problem.a[i]) / sum, 5 / 5.05);
    worst = std::max(worst, std::abs(double(u[i]) - want) / want);
  }
  return worst;
}

// The result satisfies the equation of the solution, from points and from costs, in both types.
TEST(Call, SolvesOnTheCallersArrays) {
  const Problem<double> wide;
  Call of_costs("uot/one_read_sor", wide.costs(), {"reg=.05", "reg_m=5", "tol=1e-12"});
  of_costs.solve();
  EXPECT_LT(miss<double>(wide, of_costs.output<double>("u"), of_costs.output<double>("v")), 1e-9);
  const Problem<float> single;
  Call of_points("uot/multiscale_newton", single.points(), relaxed);
  of_points.solve();
  EXPECT_LT(miss<float>(single, of_points.output<float>("u"), of_points.output<float>("v")), 1e-3);
  EXPECT_THAT(of_points.facts(), HasSubstr("\"variant\":\"uot/multiscale_newton\""));
  EXPECT_THAT(of_points.settings(),
              AllOf(HasSubstr("\"M\":37"), HasSubstr("\"reg_m\":5"), HasSubstr("\"tol\":")));
}

// What is called is verified by the oracle as benchmarks are.
TEST(Call, CertifiesARightResultAndAWrongOne) {
  const Problem<double> problem;
  Call call("uot/one_read_sor", problem.costs(), relaxed);
  call.solve();
  EXPECT_THAT(call.certificate(), AllOf(HasSubstr("\"right\":true"), HasSubstr("\"gap\":")));
  const_cast<double*>(call.output<double>("u").data())[3] *= 2;
  for (const double& mass : call.output<double>("plan")) const_cast<double&>(mass) *= 2;
  EXPECT_THAT(call.certificate(), HasSubstr("\"right\":false"));
}

// A kernel that computes K from points needs none; the oracle makes it.
TEST(Call, CertifiesWhatNoMatrixWasMadeFor) {
  const Problem<float> problem;
  Call call("uot/multiscale_free", problem.points(), relaxed);
  call.solve();
  EXPECT_LT(miss<float>(problem, call.output<float>("u"), call.output<float>("v")), 1e-3);
  EXPECT_THAT(call.certificate(), HasSubstr("\"right\":true"));
  for (const float& mass : call.output<float>("plan")) const_cast<float&>(mass) *= 2;
  EXPECT_THAT(call.certificate(), HasSubstr("\"right\":false"));
}

// A solve again is the same; the plan is made only where it is asked for.
TEST(Call, SolvesAgain) {
  const Problem<double> problem;
  Call call("uot/multiscale_newton", problem.points(), relaxed);
  call.solve();
  const auto first = call.output<double>("u");
  const std::vector<double> u(first.begin(), first.end());
  const std::int64_t iterations = call.iterations();
  call.solve();
  EXPECT_TRUE(std::ranges::equal(call.output<double>("u"), u));
  EXPECT_EQ(call.iterations(), iterations);
  EXPECT_THROW(call.output<double>("w"), std::invalid_argument);
  EXPECT_EQ(call.output<double>("plan").size(), std::size_t(M * N));
  EXPECT_GT(call.seconds().prepare, 0);
  EXPECT_GT(call.seconds().solve, 0);
  EXPECT_GT(call.seconds().outputs, 0);
}

// Variants that hold the plan itself have no other output: it is there unasked.
TEST(Call, HasThePlanOfAVariantThatIteratesOnIt) {
  const Problem<double> problem;
  Call in_place("uot/coffee", problem.costs(), {"reg=.05", "reg_m=5", "stop=iterations"}),
      on_scalings("uot/one_read", problem.costs(), {"reg=.05", "reg_m=5", "stop=iterations"});
  in_place.solve(3);
  on_scalings.solve(3);
  const auto plan = in_place.output<double>("plan"), same = on_scalings.output<double>("plan");
  for (std::size_t k = 0; k < plan.size(); ++k) EXPECT_NEAR(plan[k], same[k], 1e-12 * same[k]);
  EXPECT_EQ(uotbench_output(nullptr, 0, nullptr), UOTBENCH_INVALID);
}

// K in memory that cannot be written is read where it is.
TEST(Call, ReadsKWhereItIs) {
  const Problem<double> problem;
  const std::size_t bytes = 4096 * ((sizeof(double) * M * N + 4095) / 4096);
  auto* const K = static_cast<double*>(
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (std::int64_t k = 0; k < M * N; ++k) K[k] = std::exp(-problem.C[k] / .05);
  ASSERT_EQ(::mprotect(K, bytes, PROT_READ), 0);
  Call of_kernel(
      "uot/one_read_sor",
      {{"K", std::span<const double>(K, M * N), {M, N}}, {"a", problem.a, {M}}, {"b", problem.b, {N}}},
      {"reg=.05", "reg_m=5", "tol=1e-12"});
  of_kernel.solve();
  EXPECT_LT(miss<double>(problem, of_kernel.output<double>("u"), of_kernel.output<double>("v")), 1e-9);
  EXPECT_EQ(of_kernel.output<double>("plan").size(), std::size_t(M * N));
  ::munmap(K, bytes);
}

// Another thread writes anything into the arrays: a result or an error, no crash.
TEST(Call, OutlivesArraysThatChange) {
  Problem<double> problem;
  std::vector<double> K(M * N, 1);
  std::atomic<bool> done = false;
  std::thread writer([&] {
    const double values[]{0, 1, -1, 1e300, 1e-300, std::nan(""), std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; !done; ++k)
      for (auto* array : {&problem.C, &problem.a, &problem.b, &problem.X, &K})
        std::atomic_ref((*array)[k * 7 % array->size()]).store(values[k % 7], std::memory_order_relaxed);
  });
  int ends = 0;
  const auto attempt = [&](const char* variant, const std::vector<CallArray>& arrays,
                           std::vector<std::string> settings) {
    failure([&] {
      Call call(variant, arrays, settings);
      call.solve();
      call.output<double>("u");
    });
    ++ends;
  };
  const std::vector<CallArray> kernel{{"K", K, {M, N}}, {"a", problem.a, {M}}, {"b", problem.b, {N}}};
  for (int k = 0; k < 40; ++k) {
    attempt("uot/one_read_sor", problem.costs(), {"reg=.05", "reg_m=5", "max_iterations=100"});
    attempt("uot/one_read_sor", kernel, {"reg=.05", "reg_m=5", "max_iterations=100"});
    attempt("uot/multiscale_newton", problem.points(), {"reg=.05", "reg_m=5", "max_iterations=100"});
    attempt("uot/multiscale_free", problem.points(), {"reg=.05", "reg_m=5", "max_iterations=100"});
    attempt("simplex/colgen", problem.costs(), {"max_rounds=1000"});
  }
  done = true;
  writer.join();
  EXPECT_EQ(ends, 200);
}

// Iterations end where another thread says so, and the problem can be solved afterwards.
TEST(Call, StopsIterations) {
  const Problem<double> problem;
  Call call("uot/one_read", problem.costs(), {"stop=iterations"});
  std::atomic<bool> ended = false;
  std::thread other([&] {
    while (!ended) {  // until it has begun
      call.stop();
      std::this_thread::yield();
    }
  });
  EXPECT_EQ(failure([&] { call.iterate(std::int64_t{1} << 50); }).first, UOTBENCH_STOPPED);
  ended = true;
  other.join();
  call.solve(2);
  EXPECT_EQ(call.iterations(), 2);
}

// So does a solve, of which the loop is the kernel's.
TEST(Call, StopsASolve) {
  const Problem<double> problem;
  Call call("sinkhorn_log/base2", problem.costs(), {"reg=.0001", "tol=1e-15", "max_iterations=1000000000"});
  std::atomic<bool> ended = false;
  std::thread other([&] {
    while (!ended) {
      call.stop();
      std::this_thread::yield();
    }
  });
  const auto [status, text] = failure([&] { call.solve(); });
  EXPECT_EQ(status, UOTBENCH_STOPPED);
  EXPECT_EQ(text, "stopped before its end");
  ended = true;
  other.join();
}

// Iterations can be continued: 2 and 3 more are 5.
TEST(Call, CountsIterations) {
  const Problem<double> problem;
  Call whole("uot/one_read", problem.costs(), {"stop=iterations"}),
      parts("uot/one_read", problem.costs(), {"stop=iterations"});
  whole.solve(5);
  parts.solve(2);
  parts.iterate(3);
  const auto u = whole.output<double>("u"), same = parts.output<double>("u");
  EXPECT_TRUE(std::ranges::equal(u, same));
  whole.solve(2);  // from the inputs again
  EXPECT_FALSE(std::ranges::equal(whole.output<double>("u"), same));
}

// Every family can be called; one without data of the user's takes arrays in place of those it makes.
TEST(Call, TakesArraysOfAFamilyThatMakesItsOwn) {
  const std::vector<float> x(1000, 2);
  Call call("ceiling/copy", {{"x", x, {1000}}}, {"N=1000"});
  call.solve();
  const auto y = call.output<float>("y");
  for (std::size_t i = 1; i < y.size(); ++i) EXPECT_EQ(y[i], 2);  // the first counts passes
  const auto [status, text] = creating("ceiling/copy", {{"x", x, {10, 100}}}, {"N=1000"});
  EXPECT_EQ(status, UOTBENCH_INVALID);
  EXPECT_EQ(text, "x: shape (10, 100); expected (1000)");
}

// Messages name the argument.
TEST(Call, RefusesBadInput) {
  Problem<double> problem;
  using Failure = std::pair<int, std::string>;
  EXPECT_EQ(creating("uot/one_red", problem.costs()).first, UOTBENCH_UNKNOWN);
  EXPECT_THAT(creating("uot/one_red", problem.costs()).second, HasSubstr("did you mean uot/one_read"));
  EXPECT_THAT(creating("uot/one_read_sor", problem.costs(), {"rge=.05"}).second,
              HasSubstr("rge: no setting or array of uot/one_read_sor (did you mean reg?)"));
  EXPECT_EQ(creating("uot/one_read_sor", problem.costs(), {"reg=-1"}),
            Failure(UOTBENCH_INVALID, "reg: -1 is not a number >= 1e-12"));
  EXPECT_EQ(creating("uot/one_read_sor", problem.costs(), {"reg"}),
            Failure(UOTBENCH_INVALID, "settings: expected NAME=VALUE, got \"reg\""));
  auto without_a = problem.costs();
  without_a.erase(without_a.begin() + 1);
  EXPECT_EQ(creating("uot/one_read_sor", without_a), Failure(UOTBENCH_INVALID, "a: not given"));
  EXPECT_THAT(creating("uot/one_read_sor", {{"a", problem.a, {M}}, {"b", problem.b, {N}}}).second,
              HasSubstr("one of K, C, and X with Y"));
  EXPECT_EQ(
      creating("uot/one_read_sor", {{"C", problem.C, {N, M}}, {"a", problem.a, {M}}, {"b", problem.b, {N}}}),
      Failure(UOTBENCH_INVALID, "C: shape (53, 37); expected (37, 53) for M=37, N=53"));
  problem.a[3] = -1;
  EXPECT_EQ(creating("uot/one_read_sor", problem.costs()),
            Failure(UOTBENCH_INVALID, "a: a[3] is -1; it cannot be negative"));
  problem.a[3] = std::nan("");
  EXPECT_EQ(creating("uot/one_read_sor", problem.costs()),
            Failure(UOTBENCH_INVALID, "a: a[3] is nan; expected a finite number"));
  EXPECT_EQ(creating("uot/one_read_sor", {{"a", std::vector<double>(), {0}}}),
            Failure(UOTBENCH_INVALID, "a: empty; expected some elements"));
  EXPECT_THAT(
      creating("sinkhorn_log/base2",
               {{"C", problem.C, {M, N}}, {"a", std::vector<double>(M, 1), {M}}, {"b", problem.b, {N}}}, {})
          .second,
      HasSubstr("balanced transport needs equal sums"));
}

TEST(Call, RefusesMoreMemoryThanThereIs) {
  const auto [status, text] =
      creating("uot/one_read", {}, {"M=2147483648", "N=2147483648", "stop=iterations"});
  EXPECT_EQ(status, UOTBENCH_NO_MEMORY);
  EXPECT_THAT(text, HasSubstr("expected 5.53e+10 GB of memory, got "));
}

TEST(Call, SaysThatThereIsNoSolution) {
  const Problem<double> problem;
  Call call("uot/one_read_sor", problem.costs(), {"reg=.05", "reg_m=5", "max_iterations=2"});
  const auto [status, text] = failure([&] { call.solve(); });
  EXPECT_EQ(status, UOTBENCH_NO_SOLUTION);
  EXPECT_THAT(text, HasSubstr("no solution after 2 iterations"));
}

// A C program may hand over anything.
TEST(Call, RefusesNull) {
  EXPECT_EQ(uotbench_create(nullptr, nullptr, 0, nullptr, 0), nullptr);
  EXPECT_EQ(uotbench_status(), UOTBENCH_INVALID);
  EXPECT_EQ(uotbench_create("uot/one_read", nullptr, 3, nullptr, 0), nullptr);
  uotbench_array empty{};
  EXPECT_EQ(uotbench_create("uot/one_read", &empty, 1, nullptr, 0), nullptr);
  EXPECT_STREQ(uotbench_error(), "arrays: an array without name or type");
  EXPECT_EQ(uotbench_solve(nullptr, 1), UOTBENCH_INVALID);
  EXPECT_EQ(uotbench_facts(nullptr), nullptr);
  uotbench_free(nullptr);
  EXPECT_EQ(uotbench_use("native-v9"), UOTBENCH_UNKNOWN);
  EXPECT_THAT(uotbench_error(), HasSubstr("expected one of"));
}

// Shapes that no memory holds, or that are none.
TEST(Call, RefusesShapesBeyondMemory) {
  const double one = 1;
  const auto refused = [&](std::vector<std::int64_t> shape) {
    const uotbench_array array{"C",          "<f8",   static_cast<std::int64_t>(shape.size()),
                               shape.data(), nullptr, const_cast<double*>(&one)};
    EXPECT_EQ(uotbench_create("uot/one_read", &array, 1, nullptr, 0), nullptr);
    return std::pair<int, std::string>(uotbench_status(), uotbench_error());
  };
  const std::int64_t large = std::int64_t{1} << 40;
  EXPECT_EQ(refused({large, large}),
            std::pair(int{UOTBENCH_INVALID}, "C: 1099511627776 elements along axis 1"s));
  EXPECT_EQ(refused({2, -1}), std::pair(int{UOTBENCH_INVALID}, "C: -1 elements along axis 1"s));
  EXPECT_EQ(refused(std::vector<std::int64_t>(9, 1)),
            std::pair(int{UOTBENCH_INVALID}, "C: 9 dimensions; expected at most 8, and a shape"s));
}

// Any strides: here Y is every second column of a wider array, backwards.
TEST(Call, TakesAnyStrides) {
  const Problem<double> problem;
  std::vector<double> wide(4 * N);
  for (std::int64_t j = 0; j < N; ++j)
    for (int c = 0; c < 2; ++c) wide[4 * (N - 1 - j) + 2 * c] = problem.Y[2 * j + c];
  auto arrays = problem.points();
  std::vector<uotbench_array> views;
  for (const auto& array : arrays) views.push_back(array.view());
  const std::int64_t shape[]{N, 2}, strides[]{-32, 16};
  views[1] = {"Y", "<f8", 2, shape, strides, wide.data() + 4 * (N - 1)};
  const char* const settings[]{"reg=.05", "reg_m=5"};
  const std::unique_ptr<uotbench_problem, void (*)(uotbench_problem*)> made(
      uotbench_create("uot/one_read_sor", views.data(), views.size(), settings, 2), uotbench_free);
  ASSERT_TRUE(made) << uotbench_error();
  ASSERT_EQ(uotbench_solve(made.get(), 1), UOTBENCH_OK);
  ASSERT_EQ(uotbench_finish(made.get(), 0), UOTBENCH_OK);
  uotbench_array output;
  ASSERT_EQ(uotbench_output(made.get(), 0, &output), UOTBENCH_OK);
  EXPECT_STREQ(output.name, "u");
  Call plain("uot/one_read_sor", arrays, {"reg=.05", "reg_m=5"});
  plain.solve();
  const auto u = plain.output<double>("u");
  EXPECT_TRUE(std::equal(u.begin(), u.end(), static_cast<const double*>(output.data)));
}

// OpenMP's settings stay the caller's, and so do calls from several threads.
TEST(Call, LeavesTheCallerAlone) {
  omp_set_num_threads(3);
  const Problem<double> problem;
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 5; ++k) {
        Call call("uot/one_read_sor", problem.costs(), relaxed);
        call.solve();
        right += miss<double>(problem, call.output<double>("u"), call.output<double>("v")) < 1e-4;
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(right, 20);
  Call("uot/one_read_sor", problem.costs(), relaxed).solve();
  EXPECT_EQ(omp_get_max_threads(), 3);
}

// Variants, types and settings of calls at the same time do not mix.
TEST(Call, KeepsCallsOfSeveralThreadsApart) {
  const Problem<double> wide;
  const Problem<float> single;
  const auto u_of = [](auto real, const std::string& variant, const std::vector<CallArray>& arrays,
                       const std::vector<std::string>& settings) {
    Call call(variant, arrays, settings);
    call.solve();
    const auto u = call.output<decltype(real)>("u");
    return std::vector<double>(u.begin(), u.end());
  };
  const std::vector<std::function<std::vector<double>()>> calls{
      [&] {
        return u_of(0., "uot/one_read_sor", wide.costs(), {"reg=.05", "reg_m=5"});
      },
      [&] {
        return u_of(0.F, "uot/one_read_sor", single.costs(), {"reg=.1", "reg_m=5"});
      },
      [&] {
        return u_of(0., "uot/multiscale_newton", wide.points(), {"reg=.05", "reg_m=1", "reg_type=kl"});
      },
      [&] { return u_of(0., "simplex/colgen", wide.costs(), {}); }};
  std::vector<std::vector<double>> alone;
  for (const auto& call : calls) alone.push_back(call());
  std::vector<std::thread> threads;
  std::atomic<int> same = 0;
  for (std::size_t t = 0; t < calls.size(); ++t)
    threads.emplace_back([&, t] {
      for (int k = 0; k < 5; ++k) same += calls[t]() == alone[t];
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(same, 20);
}

/// Of the least normal number in every thread, halved.
std::vector<float> halves_in_threads() {
  std::vector<float> halves(2, -1);
#pragma omp parallel num_threads(2)
  {
    volatile float least = std::numeric_limits<float>::min(), half = .5F;
    halves[static_cast<std::size_t>(omp_get_thread_num())] = least * half;
  }
  return halves;
}

// All of K is subnormal: rows sum to 0 where that is flushed, and the caller's threads keep their mode.
TEST(Call, FlushesDenormalsWhereItIsAsked) {
  const Problem<float> problem;
  const std::vector<float> K(M * N, std::numeric_limits<float>::min() / 16);
  const auto sums_of_rows = [&](const std::string& denormals) {
    Call call("uot/one_read", {{"K", K, {M, N}}, {"a", problem.a, {M}}, {"b", problem.b, {N}}},
              {"stop=iterations", "reg=1", "reg_m=1", "threads=2", "denormals=" + denormals});
    EXPECT_THAT(halves_in_threads(), testing::Each(testing::Gt(0))) << denormals;
    call.solve(1);
    EXPECT_THAT(halves_in_threads(), testing::Each(testing::Gt(0))) << denormals;
    const auto u = call.output<float>("u");
    EXPECT_THAT(halves_in_threads(), testing::Each(testing::Gt(0))) << denormals;
    return std::vector<float>(u.begin(), u.end());
  };
  for (const float u : sums_of_rows("keep")) EXPECT_TRUE(std::isfinite(u)) << u;
#ifdef __SSE__
  for (const float u : sums_of_rows("flush")) EXPECT_TRUE(std::isinf(u)) << u;
#endif
}

// The child of a program that has called solves, too, with threads of its own.
TEST(Call, WorksInAForkedChild) {
  const Problem<double> problem;
  Call("uot/one_read_sor", problem.costs(), relaxed).solve();
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(60);
    Call call("uot/one_read_sor", problem.costs(), relaxed);
    call.solve();
    ::_exit(miss<double>(problem, call.output<double>("u"), call.output<double>("v")) < 1e-4 ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

}  // namespace
}  // namespace uotbench
