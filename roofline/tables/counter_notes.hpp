// What stands around a table of counters: reasons, each said once, and sources.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/record/counters.hpp"

namespace uotbench {

/// Texts, each once, in the order in which they come, with what they are said of.
class Reasons {
 public:
  void add(const std::string& of, const std::string& reason);
  /// "no value of L2 misses, L3 misses: no such event", where `before` is "no value of ". What several
  /// sources said ("papi: no such event; callgrind: …") is a line each, with the first of what that source
  /// said.
  std::vector<std::string> texts(const char* before) const;
  /// Which command tells or counts what is missing.
  std::vector<std::string> helps() const;

 private:
  std::map<std::string, std::size_t> known_;
  std::vector<std::pair<std::string, std::vector<std::string>>> all_;
};

/// The sources of a case, or of a table.
class Origins {
 public:
  void add(const std::string& counter, const CounterOrigin& origin);
  void add(const Origins& other);
  /// "callgrind, simulated"; of several: "L1D, L2 papi; DRAM perf, socket-wide"; of none "-".
  std::string text() const;
  /// Without what each counted, and in which share of the time.
  std::string alone() const;

 private:
  struct Origin {
    CounterOrigin origin;
    std::vector<std::string> subjects;
  };
  Origin& at(const CounterOrigin& origin);

  std::vector<Origin> all_;
};

/// "L1D 32.0 KiB 8-way, L2 1.0 MiB, L3 32.0 MiB" of a first line's "caches"; empty where it does not tell.
std::string geometry_of(const Document& caches);

}  // namespace uotbench
