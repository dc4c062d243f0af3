#include "harness/trace/warps/warps.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "harness/trace/base/source_lines.hpp"
#include "harness/trace/warps/recorder.hpp"
#include "harness/trace/warps/replay.hpp"
#include "harness/trace/warps/tally.hpp"

namespace uotbench::trace {
namespace {

/// Adds what can be added up.
void add(SiteCounts& to, const SiteCounts& more) {
  to.requests += more.requests;
  to.lanes += more.lanes;
  to.sectors += more.sectors;
  to.ideal_sectors += more.ideal_sectors;
  to.lines += more.lines;
  to.wavefronts += more.wavefronts;
  to.ideal_wavefronts += more.ideal_wavefronts;
  to.worst_degree = std::max(to.worst_degree, more.worst_degree);
  to.widened_requests += more.widened_requests;
  to.widened_wavefronts += more.widened_wavefronts;
  to.widened_ideal_wavefronts += more.widened_ideal_wavefronts;
}

/// Sites that are one, in an order that does not depend on where the program lies in memory.
class Merged {
 public:
  void add(const SiteCounts& counts, std::uint64_t place) {
    auto& [at, sum] = sums_[{counts.kernel, place, counts.space, counts.kind, counts.size}];
    if (at == 0 && sum.size == 0) {
      at = place;
      sum = counts;
    } else {
      trace::add(sum, counts);
    }
  }

  /// All, by kernel and line.
  std::vector<SiteCounts> take() {
    std::vector<std::uint64_t> places;
    for (const auto& [key, sum] : sums_) places.push_back(sum.first);
    std::ranges::sort(places);
    const auto repeated = std::ranges::unique(places);
    places.erase(repeated.begin(), repeated.end());
    const auto lines = lines_of(places);
    std::map<std::tuple<std::string, std::string, int, Space, AccessKind, unsigned>, SiteCounts> by_line;
    for (auto& [key, sum] : sums_) {
      SiteCounts& counts = sum.second;
      const auto place = std::ranges::lower_bound(places, sum.first) - places.begin();
      counts.at = lines[static_cast<std::size_t>(place)];
      const auto [file, line] = parts(counts.at);
      const auto [to, fresh] =
          by_line.try_emplace({counts.kernel, file, line, counts.space, counts.kind, counts.size}, counts);
      if (!fresh) trace::add(to->second, counts);
    }
    sums_.clear();
    std::vector<SiteCounts> all;
    for (auto& [key, counts] : by_line) all.push_back(std::move(counts));
    return all;
  }

 private:
  /// A command line has room for so many.
  static std::vector<std::string> lines_of(const std::vector<std::uint64_t>& places) {
    constexpr std::size_t most = 4096;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < places.size(); i += most) {
      const auto some = std::min(most, places.size() - i);
      const auto more = source_lines({places.begin() + static_cast<std::ptrdiff_t>(i),
                                      places.begin() + static_cast<std::ptrdiff_t>(i + some)});
      lines.insert(lines.end(), more.begin(), more.end());
    }
    return lines;
  }
  /// Line 9 comes before line 10.
  static std::pair<std::string, int> parts(const std::string& at) {
    const auto colon = at.rfind(':');
    if (colon == std::string::npos) return {at, 0};
    return {at.substr(0, colon), std::atoi(at.c_str() + colon + 1)};
  }

  using Key = std::tuple<std::string, std::uint64_t, Space, AccessKind, unsigned>;
  std::map<Key, std::pair<std::uint64_t, SiteCounts>> sums_;
};

}  // namespace

struct WarpTrace::State {
  State(const WarpOptions& options_given, void (*stop)())
      : options(options_given),
        recorder(options, stop),
        tally(recorder.sites, recorder.memory),
        replay(recorder.sites, tally) {}

  void replay_warp(int warp) {
    if (options.count) replay.replay(recorder.logs(warp), recorder.lanes(warp));
    recorder.clear(warp);
  }

  const WarpOptions options;
  WarpRecorder recorder;
  WarpTally tally;
  WarpReplay replay;
  std::string kernel;
  std::uint64_t shared_bytes = 0;    // of a block of the launch, dynamic
  std::vector<std::uint32_t> ended;  // lanes, by warp
  int running = -1;
  WarpCounts counts;
  Merged sites;
};

WarpTrace::WarpTrace(const WarpOptions& options, void (*stop)()) : state_(new State(options, stop)) {}

WarpTrace::~WarpTrace() {
  recorder = nullptr;
  delete state_;
}

void WarpTrace::add_global(const void* begin, std::size_t bytes) {
  state_->recorder.memory.add_global(begin, bytes);
}

void WarpTrace::remove_global(const void* begin) { state_->recorder.memory.remove_global(begin); }

void WarpTrace::begin_launch(const std::string& kernel, int threads_per_block, const LaunchMemory& memory) {
  State& state = *state_;
  state.running = -1;
  state.recorder.memory.begin_launch(memory);
  state.recorder.begin_launch(threads_per_block, kernel == state.kernel);
  state.replay.forget();
  state.tally.meeting();
  state.kernel = kernel;
  state.shared_bytes = memory.dynamic_shared.end - memory.dynamic_shared.begin;
  ++state.counts.launches;
}

void WarpTrace::begin_block() {
  State& state = *state_;
  state.recorder.begin_block();
  state.ended.assign((static_cast<unsigned>(state.recorder.threads()) + 31) / 32, 0);
  ++state.counts.blocks;
  state.counts.threads += static_cast<unsigned>(state.recorder.threads());
  state.counts.shared_bytes += state.shared_bytes;
}

void WarpTrace::run(int thread) {
  state_->running = thread;
  state_->recorder.run(thread);
}

void WarpTrace::rest() {
  State& state = *state_;
  if (state.running < 0) return;
  state.recorder.rest();
  const int warp = state.running / 32, lane = state.running % 32;
  state.running = -1;
  if (state.recorder.logs(warp)[lane].met) return;
  // A thread that stops elsewhere than at a meeting has come to its end. A warp of such needs no more memory.
  state.ended[warp] |= 1u << lane;
  if (std::popcount(state.ended[warp]) == state.recorder.lanes(warp)) state.replay_warp(warp);
}

void WarpTrace::meet(std::uint64_t place) { state_->recorder.meet(place); }

void WarpTrace::met(int warp, std::uint32_t mask) {
  State& state = *state_;
  const int running = state.running;
  if (running >= 0) state.recorder.rest();
  ++state.counts.collectives;
  state.recorder.shadow.met(warp, mask);
  // Where all lanes of a warp stand at one place, what they did before can be replayed: they go on together.
  const int lanes = state.recorder.lanes(warp);
  const std::uint32_t all = lanes == 32 ? ~0u : (1u << lanes) - 1;
  // Not for a few events, each time.
  constexpr std::size_t few = 64;
  if (((mask | state.ended[warp]) & all) == all && state.recorder.most_used(warp) > few)
    state.replay_warp(warp);
  if (running >= 0) state.recorder.go_on(running);
}

bool WarpTrace::end_interval() {
  State& state = *state_;
  if (!state.recorder.check_interval()) return false;
  bool over = true;
  for (int warp = 0; warp < static_cast<int>(state.ended.size()); ++warp) {
    over &= std::popcount(state.ended[warp]) == state.recorder.lanes(warp);
    state.replay_warp(warp);
  }
  if (!over) ++state.counts.barriers;
  state.recorder.shadow.barrier();
  return true;
}

void WarpTrace::access(const void* at, unsigned size, AccessKind kind, std::uint64_t place) {
  if (recorder) recorder->access(reinterpret_cast<std::uint64_t>(at), size, kind, place);
}

void WarpTrace::end_launch() {
  State& state = *state_;
  recorder = nullptr;
  for (std::size_t i = 1; i < state.recorder.sites.size(); ++i) {
    Site& site = state.recorder.sites[static_cast<SiteNumber>(i)];
    if (site.is != Site::Is::access || site.counts.requests == 0) continue;
    site.counts.kernel = state.kernel;
    state.sites.add(site.counts, site.place);
    site.counts.requests = 0;
  }
  state.counts.exponentials += std::exchange(state.recorder.exponentials, 0);
  state.counts.footprint_read += state.recorder.memory.bytes_read();
  state.counts.footprint_written += state.recorder.memory.bytes_written();
}

const Fault& WarpTrace::fault() const { return state_->recorder.fault; }

WarpCounts WarpTrace::take() {
  WarpCounts counts = std::exchange(state_->counts, {});
  counts.sites = state_->sites.take();
  return counts;
}

}  // namespace uotbench::trace
