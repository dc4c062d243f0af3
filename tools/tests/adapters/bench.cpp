// Benchmarks of the real Google Benchmark: templates, arguments, threads, counters, one that fails.
#include <benchmark/benchmark.h>

#include <numeric>
#include <vector>

namespace {

template <class T>
void sum(benchmark::State& state) {
  std::vector<T> values(static_cast<std::size_t>(state.range(0)), T(1));
  for (auto _ : state) benchmark::DoNotOptimize(std::accumulate(values.begin(), values.end(), T(0)));
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.counters["half"] = static_cast<double>(state.range(0)) / 2;
}
BENCHMARK_TEMPLATE(sum, float)->Arg(1024)->Arg(4096);
BENCHMARK_TEMPLATE(sum, double)->ArgName("cells")->Arg(64);

void nothing(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}
BENCHMARK(nothing)->Threads(1)->UseRealTime();

void refuses(benchmark::State& state) {
  state.SkipWithError("no such device");
  for (auto _ : state) {
  }
}
BENCHMARK(refuses);

}  // namespace

BENCHMARK_MAIN();
