// What a machine can do at most: measured by the family `ceiling` with the same ruler as everything else, or
// specified by its maker. A run carries them in its first line ("ceilings").
// What memory gives on a shared machine changes within minutes: of a bandwidth that a run measured several
// times a case is held against the one nearest in time (CeilingsInTime).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"
#include "results/record/run_file/run_file.hpp"
#include "roofline/model/caches.hpp"

namespace uotbench {

// What a specification tells of nodes that a network joins, and what others published of processes on them.

/// A node's link, one way.
struct Network {
  double latency = 0;           ///< seconds of the shortest message
  double bytes_per_second = 0;  ///< of long ones
};

struct PublishedSpeedup {
  std::string variant;
  int ranks = 1;
  int ranks_of_node = 1;
  double speedup = 1;
};

struct Cluster {
  int cores = 1;                        ///< of a node
  Document caches = {};                 ///< of a node, as a run's first line has them
  std::optional<Network> network = {};  ///< absent: a node is all
  std::string source = {};              ///< of what was published
  ObjectDocument problem = {};          ///< axes of the published problem: {"M": 20480, …}
  std::string over = {};                ///< the variant whose one process speedups are over
  std::vector<PublishedSpeedup> published = {};
};

/// From the keys node, network and published of a machine's specification; absent: it has no node. Throws
/// Error naming what is missing or wrong.
std::optional<Cluster> cluster_from(const Json& specification);

// Ceilings.

/// One limit. Bandwidths count as Work::bytes() does: read and written, write-allocate left out. A measured
/// bandwidth is a point of a curve over the working set: it has one, and no level. In a specification, and in
/// runs of before, a bandwidth is that of a level.
struct Roof {
  /// read, write, write_nt, copy, copy_nt, rmw, triad; of a pattern (is_of_pattern) strided_read,
  /// strided_rmw, strided_copy, copy_nt_back; fma; specified: bandwidth, flops
  std::string kernel = {};
  std::string level = {};                    ///< of a bandwidth: L1, L2, L3 or DRAM; empty: see above
  std::string form = {};                     ///< of another rate: vector or scalar
  std::string operation = {};                ///< of which operation it is a rate, e.g. exp; empty: of flops
  std::optional<std::string> dtype = {};     ///< absent (in specifications): all
  std::optional<std::int64_t> threads = {};  ///< absent (in specifications): all of the machine
  std::optional<std::string> place = {};
  std::optional<std::string> worker = {};  ///< the build that reached it
  std::optional<double> working_set = {};  ///< bytes, of all threads together
  double value = 0;                        ///< bytes, flops or operations per second
  std::optional<double> noise = {};        ///< relative
  /// Seconds since the epoch, where it was measured in the same run as the cases; of a value between two
  /// measurements as Curve::at has it. Never written to a file.
  std::optional<double> when = {};

  bool is_bandwidth() const { return !level.empty() || working_set; }
  bool is_point() const { return level.empty() && working_set; }
  bool is_flops() const { return !is_bandwidth() && operation.empty(); }
};
/// "rmw DRAM", "rmw at 40.0 MiB", "fma".
std::string name_of(const Roof& roof);
/// Whether two are of the same ceiling of a machine, whatever was measured.
bool is_same_ceiling(const Roof& a, const Roof& b);
/// Whether a kernel's rate is that of accesses in a pattern which a machine is slow at (kernels/ceiling/
/// strided.cpp, copy_nt.cpp): part of a time's explanation, but no limit of other kernels. Measured only for
/// cases that need it.
bool is_of_pattern(const std::string& kernel);
/// Of these the one that stores past the caches, and reads in the next pass what it stored.
inline constexpr const char* copy_back = "copy_nt_back";

struct Ceilings {
  std::string source;       ///< "measured" or "specification"
  std::string name;         ///< of the machine, for a person
  std::string device;       ///< "cpu" or "gpu"
  std::string fingerprint;  ///< of the machine; empty: specified
  std::string made;         ///< when, UTC; empty: specified
  std::string about;        ///< where specified numbers are from
  std::vector<Roof> roofs;
  std::optional<Cluster> cluster = {};  ///< specified: whose node this is; absent: a machine of its own
};

Json to_json(const Ceilings& ceilings);
/// A list of these alone, as a first line has it (RunHeader::ceilings).
Document document_of(const Ceilings& ceilings);
/// Unknown keys are ignored. Throws Error naming what is missing or wrong.
Ceilings ceilings_from(const Json& json);

/// Bytes, of all threads together, of a working set whose traffic tells what a level gives: half of the
/// threads' share of a cache, but 1.5 times what the level within it holds, or, where both cannot be, the
/// geometric mean of the two; for DRAM four times the last cache. Absent: the share is no larger than the
/// level within.
std::optional<double> ceiling_set(const Caches& caches, const std::string& level, std::int64_t threads,
                                  const std::string& place);

/// From the records of the family `ceiling` in a run: of every kernel, dtype, threads, place and working set
/// the median of the best process of what was right. Empty roofs where there are none.
Ceilings ceilings_measured_in(const Run& run);

/// What makes these ceilings doubtful, in one line: processes that disagree by more than a quarter. Empty:
/// nothing.
std::string doubts_about(const Ceilings& ceilings);

/// How many times the flop rate of one thread this many threads reach, if that is less than 60% of their
/// number: their CPUs share a core, or the host ran several of them on one. Absent: it is more, or one of the
/// two rates was not measured.
std::optional<double> poor_scaling(const Ceilings& ceilings, const std::string& dtype, std::int64_t threads,
                                   const std::string& place);

/// What a ceiling that was measured in a run for its cases is, in a run with that first line; absent: its
/// record is of no limit.
std::optional<Roof> roof_of(const CeilingAgain& again, const Run& run);

/// What a run was measured under: its first line's ceilings, those in its own records, if it has such, in the
/// place of the same ones, and those that were measured for its cases (Run::ceilings_again): what was needed
/// and not known near them, and what was exceeded and is higher now. Of a ceiling that the run measured
/// several times the highest; what a case is held against is by CeilingsInTime. One element a device; empty:
/// none.
std::vector<Ceilings> ceilings_of(const Run& run);

/// A specification (.json) or a run that holds ceilings (.jsonl). Throws UsageError saying what is wrong.
Ceilings read_ceilings(const std::filesystem::path& path);

/// A bandwidth at one working set that a run measured at least twice.
struct CeilingOverTime {
  /// Measured because these cases exceeded it.
  struct Exceeded {
    std::vector<std::string> ids;
    Roof roof;
  };

  const Ceilings* its = nullptr;  ///< of which machine
  std::size_t place = 0;          ///< in its roofs
  std::vector<Roof> measured = {};
  std::vector<Exceeded> exceeded = {};

  /// That nearest in time to a case; for one that exceeded it what was measured then, where it is higher.
  const Roof& for_case(const Record& record, double when) const;
  /// Bytes per second of those in `measured`.
  double lowest() const;
  double highest() const;
};

class CeilingsInTime {
 public:
  /// `instead`: these and not the run's own, at any time; empty: the run's own.
  explicit CeilingsInTime(const Run& run, const std::vector<Ceilings>& instead = {});
  explicit CeilingsInTime(Run&&, const std::vector<Ceilings>& = {}) = delete;
  CeilingsInTime(const CeilingsInTime&) = delete;
  CeilingsInTime& operator=(const CeilingsInTime&) = delete;

  /// ceilings_of the run, or those instead of them.
  const std::vector<Ceilings>& all() const { return all_; }
  /// The element of `all` that a record stands under; null: there is none.
  const Ceilings* at_any_time(const Record& record) const;
  /// The same with the bandwidths nearest in time to the record's processes. Where their starts are not
  /// known, or nothing was measured twice, at_any_time. It lives as long as this object.
  const Ceilings* of(const Record& record) const;

  /// What the run measured at least twice, at known times.
  const std::vector<CeilingOverTime>& repeated() const { return repeated_; }
  /// Whether a ceiling that `record` measured is among them.
  bool is_repeated(const Roof& roof, const Record& record) const;

 private:
  using Chosen = std::pair<const Ceilings*, std::vector<const Roof*>>;  ///< of each in `repeated` of these

  void find_repeated();
  CeilingOverTime* series_of(const Roof& roof, const Ceilings* its);

  const Run& run_;
  std::vector<Ceilings> all_;
  std::vector<CeilingOverTime> repeated_;
  mutable std::map<Chosen, Ceilings> nearest_;  ///< made when first asked for
};

}  // namespace uotbench
