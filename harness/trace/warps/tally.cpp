#include "harness/trace/warps/tally.hpp"

#include <algorithm>

namespace uotbench::trace {
namespace {

bool aligned(const Request& request, unsigned to) {
  for (int i = 0; i < request.lanes; ++i)
    if (request.at[i] % to != 0) return false;
  return true;
}

/// Whether it is the same lanes', `bytes` further on.
bool follows(const Request& first, const Request& later, unsigned bytes) {
  if (first.lanes != later.lanes) return false;
  for (int i = 0; i < first.lanes; ++i)
    if (first.lane[i] != later.lane[i] || later.at[i] != first.at[i] + bytes) return false;
  return true;
}

void add_widened(SiteCounts& to, std::uint64_t requests, const Wavefronts& waves) {
  to.widened_requests += requests;
  to.widened_wavefronts += waves.count;
  to.widened_ideal_wavefronts += waves.ideal;
}

}  // namespace

void WarpTally::count(SiteNumber site, const Request& request) {
  SiteCounts& to = sites_[site].counts;
  ++to.requests;
  to.lanes += static_cast<unsigned>(request.lanes);
  if (to.space == Space::global) return count_global(to, request);
  if (to.space == Space::constant) return;
  const Wavefronts waves = wavefronts(request);
  to.wavefronts += waves.count;
  to.ideal_wavefronts += waves.ideal;
  to.worst_degree = std::max(to.worst_degree, waves.degree);
  if (to.kind == AccessKind::read)
    widen(site, request, waves);
  else
    meeting();  // loads are not moved beyond what may change what they read
}

void WarpTally::count_global(SiteCounts& to, const Request& request) {
  Sectors sectors;
  find_sectors(request, sectors);
  to.sectors += static_cast<unsigned>(sectors.count);
  to.ideal_sectors += static_cast<unsigned>(sectors.ideal);
  to.lines += static_cast<unsigned>(sectors.lines);
  memory_.touch(sectors.number, sectors.count, to.kind);
}

void WarpTally::widen(SiteNumber site, const Request& request, const Wavefronts& written) {
  if (request.size != 4) return add_widened(sites_[site].counts, 1, written);
  const auto pending = std::ranges::find(pending_, site, &Pending::site);
  if (pending != pending_.end()) {
    if (follows(pending->first, request, 4 * static_cast<unsigned>(pending->loads))) {
      pending->written.count += written.count;
      pending->written.ideal += written.ideal;
      if (++pending->loads < 4) return;
      Request wide = pending->first;
      wide.size = 16;
      add_widened(sites_[site].counts, 1, wavefronts(wide));
      pending_.erase(pending);
      return;
    }
    give_up(*pending);
    pending_.erase(pending);
  }
  if (aligned(request, 16))
    pending_.push_back({site, 1, request, written});
  else
    add_widened(sites_[site].counts, 1, written);
}

void WarpTally::give_up(Pending& pending) {
  add_widened(sites_[pending.site].counts, static_cast<unsigned>(pending.loads), pending.written);
}

void WarpTally::meeting() {
  for (Pending& pending : pending_) give_up(pending);
  pending_.clear();
}

}  // namespace uotbench::trace
