// The first line of a run file: what was measured where, and which of it makes its numbers doubtful.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/base/document.hpp"

namespace uotbench {

// Values by name in the order in which they were added: a JSON object whose members are of one type.

template <class T>
class Named {
 public:
  using value_type = std::pair<std::string, T>;
  using const_iterator = typename std::vector<value_type>::const_iterator;

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  const_iterator begin() const { return all_.begin(); }
  const_iterator end() const { return all_.end(); }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }

  /// Null: there is none of this name.
  const T* find(std::string_view name) const {
    const auto found = std::ranges::find(all_, name, &value_type::first);
    return found == all_.end() ? nullptr : &found->second;
  }
  bool contains(std::string_view name) const { return find(name); }
  /// Adds a default-constructed value if there is none.
  T& operator[](std::string_view name) {
    const auto found = std::ranges::find(all_, name, &value_type::first);
    return found == all_.end() ? all_.emplace_back(name, T()).second : found->second;
  }

  /// The order counts.
  bool operator==(const Named&) const = default;

 private:
  std::vector<value_type> all_;
};

// The first line of a run file: how the run's records were measured. Read and written in
// results/record/run_file/line_json.cpp; a new field is a member here and a row of the table there.

/// A machine's facts by name, as harness/host/facts writes them. Sizes in bytes.
class MachineFacts : public Document {
 public:
  using Document::Document;
  /// 16 hex digits that are a hash of `hashed`; empty: unknown.
  std::string fingerprint() const;
  /// The CPU's name; empty: unknown.
  std::string cpu() const;
  /// What makes times comparable: CPU, features, caches, …; an empty object where nothing is known.
  const Json& hashed() const;
  /// What may change between two runs: clock, governor, load, …; an empty object where nothing is known.
  const Json& recorded() const;
  /// Absent: not reported.
  std::optional<double> logical_cpus() const;
  /// CPUs that a quota leaves of them all; absent: none was recorded.
  std::optional<double> cpu_quota() const;
  /// Caches whose reported size is doubtful, and caches whose size was measured: lists, or null.
  const Json& doubtful_caches() const;
  const Json& probed_caches() const;
  MachineFacts with_probed_caches(const Json& probed) const;
};

/// What a worker reported about its build, and what the run knows about the worker.
class WorkerBuild : public Document {
 public:
  using Document::Document;
  /// Each is empty where the worker did not report it.
  std::string commit() const;
  std::string compiler() const;
  std::string build_type() const;
  /// Built from sources with changes that are in no commit.
  bool dirty() const;
  /// Whether it reported a hash of its program.
  bool is_known_build() const;
  /// Whether both are known to be the same program, or both are unknown.
  bool is_same_build(const WorkerBuild& other) const;
  /// Why none of its cases could run; absent: it ran.
  std::optional<std::string> unavailable() const;
  /// Runs its cases on a GPU.
  bool has_device() const;
  /// The GPU's name; empty: none, or unknown.
  std::string device_name() const;
  /// Takes times, and does not only compute.
  bool times() const;
  /// The command line that it was given with (--worker NAME=COMMAND); empty: it has a manifest.
  std::vector<std::string> command() const;
};

/// The sweep file, as it was measured.
class SweepDocument : public Document {
 public:
  using Document::Document;
  std::string name() const;
  std::string about() const;
  /// Null where there is none.
  const Json& speedup_over() const;
  const Json& published() const;
  const Json& metrics() const;
  /// Whether it says which counters are wanted, be it none.
  bool names_counters() const;
  /// measure.caches; empty where it is not given.
  std::string caches() const;
};

/// The settings of a gate.
class GateOfRun : public Document {
 public:
  using Document::Document;
  /// Whether the run is a gate's.
  bool given() const;
  /// The command that repeats it; empty: unknown.
  std::string command() const;
  /// The commit that the candidate was checked out from; empty: unknown.
  std::string candidate_commit() const;
  /// Its working tree had changes.
  bool candidate_changed() const;
};

/// What the run was measured with. Absent: not in the file.
struct HeaderOptions {
  std::optional<std::int64_t> rounds = {}, min_samples = {};
  std::optional<double> max_noise = {}, max_time = {}, case_timeout = {};  ///< a share; seconds
  std::optional<bool> verify_only = {};
  std::optional<std::vector<std::string>> counters = {};
  std::optional<std::vector<int>> cpus = {};
  std::optional<std::int64_t> device = {};               ///< from --device
  Named<std::vector<std::string>> worker_counters = {};  ///< by worker
  Document caches = {};                                  ///< simulated, as RunHeader::caches
  Document extra = {};                                   ///< what this version does not know

  bool operator==(const HeaderOptions&) const = default;
};

/// A part of a sweep that several machines share.
struct RunShard {
  std::int64_t index = 0, of = 0;       ///< index from 1
  std::vector<std::size_t> order = {};  ///< of each id of its plan, the place in the whole plan

  bool operator==(const RunShard&) const = default;
};

/// A file that a merged run was made from.
struct MergedPart {
  struct Shard {
    std::int64_t index = 0, of = 0;  ///< index from 1
    bool operator==(const Shard&) const = default;
  };

  std::string file = {};
  std::optional<std::string> started = {};
  std::string machine = {};  ///< fingerprint
  std::optional<std::string> cpu = {};
  std::optional<Shard> shard = {};
  Named<WorkerBuild> other_workers = {};  ///< that are another build than the header's worker of this name
  Document extra = {};                    ///< what this version does not know

  bool operator==(const MergedPart&) const = default;
};

/// Absent is absent: an empty text, list or document was not in the file.
struct RunHeader {
  int schema = 0;
  std::string uotbench = {};  ///< version of the program
  std::string started = {};   ///< UTC, 2026-01-31T12:00:00Z
  SweepDocument sweep = {};
  std::optional<HeaderOptions> options = {};
  MachineFacts machine = {};
  Document ceilings = {};  ///< a list as roofline/model/ceilings.hpp reads; null: none were stored
  Named<WorkerBuild> workers = {};
  Named<std::vector<std::string>> problem_axes = {};  ///< by family
  Named<Named<std::string>> axis_roles = {};  ///< by family and axis: names of Role, or of a later version
  std::optional<std::vector<std::string>> plan = {};  ///< ids; see Run::plan()
  std::optional<Named<std::string>> environment = {};
  std::optional<RunShard> shard = {};
  Document metrics = {};     ///< a list as results/view/metrics.hpp reads
  Document caches = {};      ///< simulated: L1D, L2, L3 with bytes, ways, line
  Document rerun_of = {};    ///< file, start and machine of the run that was repeated
  std::string command = {};  ///< the command line, which --resume continues
  GateOfRun gate = {};
  std::vector<MergedPart> merged = {};
  Named<MachineFacts> machines = {};  ///< by fingerprint, of a merged run on several
  Document extra = {};                ///< what this version does not know

  bool operator==(const RunHeader&) const = default;
};

/// A line that --resume wrote: what differs from the first line replaces it in the header.
struct LaterStart {
  std::string started = {};                        ///< UTC
  std::optional<MachineFacts> machine = {};        ///< absent: as before
  std::optional<Named<WorkerBuild>> workers = {};  ///< absent: as before
  bool has_plan = false;                           ///< another one than before
};

/// The last line of a run that was not cut off.
class RunEnd : public Document {
 public:
  using Document::Document;
  RunEnd() = default;
  RunEnd(const std::string& finished, double elapsed, bool complete);
  std::string finished() const;           ///< UTC; empty: unknown
  std::optional<double> elapsed() const;  ///< seconds
  /// complete or interrupted; empty: unknown.
  std::string status() const;
};

// What makes a run's numbers doubtful by where they come from: known from its first line alone.

/// They make a comparison doubtful, too: Debug builds, CPU quotas, shards that are missing, several machines
/// or builds in a merged run.
std::vector<std::string> origin_warnings(const RunHeader& header);

}  // namespace uotbench
