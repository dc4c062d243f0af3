// The accesses of a warp's threads, put together again into what the warp executed.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "harness/trace/warps/log.hpp"
#include "harness/trace/warps/tally.hpp"

namespace uotbench::trace {

// Where lanes that went different ways come together again: at the immediate post-dominator of the place
// where they parted (Fung, Sham, Yuan, Aamodt: Dynamic Warp Formation and Scheduling, MICRO 2007, section 3),
// in the graph of the ways that the lanes of this warp took from where all began to where all end. So what is
// counted of a warp depends on nothing but what its own lanes did.

class WarpGraph {
 public:
  /// Throws std::bad_alloc.
  WarpGraph();

  void clear();
  /// One lane's events, whose last is the mark of the end.
  void add(const std::uint64_t* events);
  /// After the last lane.
  void solve();
  /// What every way from `site` to the end passes first; WarpSites::end: nothing else.
  SiteNumber join(SiteNumber site) const { return (*joins_)[number_[site]]; }

  /// Forgets graphs that were solved, whose sites mean something else now.
  void forget();

 private:
  using Joins = std::vector<SiteNumber>;
  struct Solved {
    std::vector<std::uint32_t> edges;
    Joins joins;
  };
  struct Node {
    SiteNumber site = 0;
    std::vector<int> next, before;
    int order = -1, join = -1;  // order: in which a walk back from the end leaves it
  };

  int node(SiteNumber site);
  void connect(int from, int to);
  Joins post_dominators();
  void number_backwards(int from, std::vector<int>& order);

  std::vector<Node> nodes_;
  int count_ = 0;
  std::vector<std::uint32_t> edges_;  // pairs of sites, as they were first met
  std::vector<int> number_;           // of a node, by site; -1: none
  const Joins* joins_ = nullptr;
  std::unordered_multimap<std::uint64_t, Solved> solved_;
  std::uint64_t hash_ = 0;
};

// Makes instructions of warps from what their lanes did, each for itself.

class WarpReplay {
 public:
  WarpReplay(WarpSites& sites, WarpTally& tally) : sites_(sites), tally_(tally) {}

  /// Lanes that begin together, and end together; their logs are left as they are. Throws std::bad_alloc.
  void replay(ThreadLog* logs, int lanes);
  /// A launch begins: sites are others.
  void forget() { graph_.forget(); }

 private:
  struct Lanes {
    std::uint8_t of[32];
    int count = 0;
  };

  SiteNumber next(int lane) const { return event::site(*at_[lane]); }
  void together(Lanes lanes, SiteNumber passed, SiteNumber until);
  void part(const Lanes& lanes, SiteNumber join);
  Lanes those_at(const Lanes& lanes, SiteNumber site) const;
  bool step(const Lanes& lanes, SiteNumber until, SiteNumber& passed);
  void find_joins();

  WarpSites& sites_;
  WarpTally& tally_;
  WarpGraph graph_;
  bool has_joins_ = false;
  int lanes_ = 0;
  const std::uint64_t* begin_[32] = {};
  const std::uint64_t* at_[32] = {};
  Request request_;
};

}  // namespace uotbench::trace
