// libuotbench.so among the caller's own threads: at the same time, stopped, with the caller's settings, after
// a fork.
#include <gmock/gmock.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "harness/call/tests/small_problem.hpp"

namespace uotbench {
namespace {

// Another thread writes anything into the arrays: a result or an error, no crash.
TEST(Call, OutlivesArraysThatChange) {
  SmallProblem<double> problem;
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
  const SmallProblem<double> problem;
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
  const SmallProblem<double> problem;
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

// OpenMP's settings stay the caller's, and so do calls from several threads.
TEST(Call, LeavesTheCallerAlone) {
  omp_set_num_threads(3);
  const SmallProblem<double> problem;
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
  const SmallProblem<double> wide;
  const SmallProblem<float> single;
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
  const SmallProblem<float> problem;
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
  const SmallProblem<double> problem;
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
