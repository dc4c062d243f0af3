// Calls from several threads at once, for tools/tests/full/tsan_test.sh. Each solve has one thread, because
// ThreadSanitizer does not know the barriers of OpenMP. Solutions are compared with those of a single thread.
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "harness/call/call.hpp"

namespace {

using uotbench::Call;
using uotbench::CallArray;
using uotbench::CallError;

constexpr std::int64_t M = 37, N = 53;
constexpr int callers = 3;

void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "FAILED: %s\n", what.c_str());
  std::_Exit(1);
}

struct Arrays {
  std::vector<double> X, Y, C, K, histograms, square, weights{.5, .5};
  std::vector<double> a = std::vector<double>(M, 1. / M), b = std::vector<double>(N, 1. / N);
  Arrays() {
    for (std::int64_t k = 0; k < 2 * M; ++k) X.push_back(.5 + .5 * std::sin(1.7 * double(k)));
    for (std::int64_t k = 0; k < 2 * N; ++k) Y.push_back(.5 + .5 * std::cos(2.3 * double(k)));
    for (std::int64_t i = 0; i < M; ++i)
      for (std::int64_t j = 0; j < N; ++j)
        C.push_back(std::pow(X[2 * i] - Y[2 * j], 2) + std::pow(X[2 * i + 1] - Y[2 * j + 1], 2));
    for (std::int64_t k = 0; k < 2 * N; ++k)
      histograms.push_back(k < N ? 2. * double(k) / (N * (N - 1)) : 1. / N);
    for (std::int64_t k = 0; k < N * N; ++k) square.push_back(std::pow(double(k / N - k % N) / N, 2));
    for (const double cost : C) K.push_back(std::exp(-cost / .05));
  }
  std::vector<CallArray> points() const {
    return {{"X", X, {M, 2}}, {"Y", Y, {N, 2}}, {"a", a, {M}}, {"b", b, {N}}};
  }
  std::vector<CallArray> costs() const { return {{"C", C, {M, N}}, {"a", a, {M}}, {"b", b, {N}}}; }
  std::vector<CallArray> kernel() const { return {{"K", K, {M, N}}, {"a", a, {M}}, {"b", b, {N}}}; }
};

template <class Act>
void in_threads(int count, const Act& act) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&act, t] { act(t); });
  for (auto& thread : threads) thread.join();
}

const std::vector<std::string> relaxed{"reg=.05", "reg_m=5", "threads=1"};

struct Case {
  const char* variant;
  std::vector<CallArray> arrays;
  std::vector<std::string> settings;
  const char* output;
};

/// Each family, from points and from costs; K is read where it is, by all threads.
std::vector<Case> cases(const Arrays& arrays) {
  return {
      {"uot/one_read_sor", arrays.costs(), relaxed, "u"},
      {"uot/one_read_sor", arrays.kernel(), relaxed, "u"},
      {"uot/one_read_stabilised", arrays.costs(), relaxed, "plan"},
      {"uot/multiscale_free", arrays.points(), relaxed, "u"},
      {"sinkhorn_log/absorbed", arrays.costs(), {"stop=marginal", "reg=.05", "threads=1"}, "log_u"},
      {"sinkhorn_log/barycenter_log",
       {{"mu", arrays.histograms, {2, N}}, {"C", arrays.square, {N, N}}, {"weights", arrays.weights, {1, 2}}},
       {"task=barycenter", "histograms=2", "B=1", "M=53", "N=53", "stop=marginal", "tol=1e-4", "reg=.05",
        "threads=1"},
       "barycenter"},
      {"simplex/colgen", arrays.costs(), {"threads=1"}, "u"},
      {"simplex/warm", arrays.points(), {"threads=1"}, "u"}};
}

std::vector<double> solution(const Case& one) {
  Call call(one.variant, one.arrays, one.settings);
  call.solve();
  const auto values = call.output<double>(one.output);
  require(call.facts().find(one.variant) != std::string::npos, call.facts());
  return {values.begin(), values.end()};
}

/// The first calls of a process load the kernels: all threads begin with one.
void first_calls(const Arrays& arrays) {
  in_threads(callers, [&](int t) {
    if (t == 0) require(uotbench_describe() != nullptr, uotbench_error());
    solution(cases(arrays).front());
  });
}

/// A problem for each thread, of the same arrays, also of different kernels at once; with errors between
/// them.
void different_problems(const Arrays& arrays) {
  const auto all = cases(arrays);
  std::vector<std::vector<double>> want;
  for (const auto& one : all) want.push_back(solution(one));
  in_threads(callers, [&](int t) {
    for (std::size_t k = 0; k < 2 * all.size(); ++k) {
      const std::size_t which = (k / 2 + (k % 2) * static_cast<std::size_t>(t)) % all.size();
      require(solution(all[which]) == want[which],
              std::string(all[which].variant) + ": another solution in threads");
      require(uotbench_create("uot/one_red", nullptr, 0, nullptr, 0) == nullptr, "uot/one_red was created");
      require(uotbench_status() == UOTBENCH_UNKNOWN, "status of uot/one_red");
    }
  });
  in_threads(callers, [&](int t) {
    const auto& one = all[static_cast<std::size_t>(t)];
    Call call(one.variant, one.arrays, one.settings);
    call.solve();
    require(call.certificate().find("\"right\":true") != std::string::npos, "certificate");
  });
}

/// One problem for all threads: a call is made, or refused because another thread is in one.
void same_problem(const Arrays& arrays) {
  std::vector<uotbench_array> views;
  const auto costs = arrays.costs();
  for (const auto& array : costs) views.push_back(array.view());
  const char* const settings[]{"reg=.05", "reg_m=5", "threads=1"};
  uotbench_problem* const problem =
      uotbench_create("uot/one_read_sor", views.data(), views.size(), settings, std::size(settings));
  require(problem != nullptr, uotbench_error());
  std::atomic<int> made = 0;
  in_threads(callers, [&](int) {
    for (int k = 0; k < 50; ++k) {
      for (const int status : {uotbench_solve(problem, 1), uotbench_finish(problem, 1)}) {
        made += status == UOTBENCH_OK;
        require(status == UOTBENCH_OK || status == UOTBENCH_INVALID, uotbench_error());
      }
      if (!uotbench_facts(problem)) require(uotbench_status() == UOTBENCH_INVALID, uotbench_error());
    }
  });
  require(made > 0, "no thread could use the problem");
  uotbench_free(problem);
}

/// stop() of another thread ends a solve.
void stopped(const Arrays& arrays) {
  Call call("uot/one_read", arrays.costs(), {"stop=iterations", "threads=1"});
  std::atomic<bool> ended = false;
  std::thread other([&] {
    while (!ended) {  // until the solve has begun
      call.stop();
      std::this_thread::yield();
    }
  });
  int status = UOTBENCH_OK;
  try {
    call.solve(std::int64_t{1} << 50);
  } catch (const CallError& error) {
    status = error.status;
  }
  ended = true;
  other.join();
  require(status == UOTBENCH_STOPPED, "a solve that was not stopped");
}

/// Not ordered at all: that the sanitizer reports it shows that it is at work.
void race() {
  int cell = 0;
  in_threads(2, [&](int t) { cell = t; });
  std::printf("%d\n", cell);
}

}  // namespace

int main(int argc, char**) {
  if (argc > 1) return race(), 0;
  const Arrays arrays;
  first_calls(arrays);
  different_problems(arrays);
  same_problem(arrays);
  stopped(arrays);
  std::puts("done");
}
