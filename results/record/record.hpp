// A Record: all that was observed of one case, failures included; nothing derived. One line of a run file.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"
#include "results/record/counter.hpp"
#include "results/record/work.hpp"

namespace uotbench {

// What was observed of a case in addition to its result, times and counts, by name: memory, faults, the
// clock, what a benchmark reported (docs/reference/protocol.md: "env"). Workers add facts of their own.

/// Hertz of a core, measured by each timed process before and after its samples.
inline constexpr const char* clock_fact = "clock_hz";

class CaseFacts {
 public:
  CaseFacts() = default;
  /// Of an object.
  explicit CaseFacts(Json facts);

  /// As records and workers' answers have them, in their order; an empty object where there are none.
  const Json& json() const;
  bool empty() const;

  /// Empty: there is none, or it is no text.
  std::string text(const char* name) const;
  /// Absent: there is none, or it is no number.
  std::optional<double> number(const std::string& name) const;
  /// Null: there is none.
  const Json* find(const std::string& name) const;
  /// Hertz, two of each timed process; those above 0.
  std::vector<double> clocks() const;
  /// Numbers that a benchmark reports in addition to its time (counters of Google Benchmark, extra_info of
  /// pytest-benchmark): {NAME: [the number of each process]}.
  const Json& reported() const;

  void set(const std::string& name, const Json& value);
  /// Of one process more: the worst of memory, the sum of events, all clocks and all that its benchmark
  /// reported; of other facts this process's.
  void add(const CaseFacts& process);
  /// {NAME: NUMBER} of one process; what is no number is left out.
  void add_reported(const Json& numbers);
  /// The build of another worker than the case's, which counted it.
  void add_counting_build(const std::string& worker, const Json& build);

 private:
  Document facts_;
};

// How soon a solve reaches a target: of a number that the judge finds of its states, such as the primal-dual
// gap.

struct Reach {
  std::string of;                    ///< what the judge calls the number: gap
  double target = 0;                 ///< at most this much of it
  std::string reason = {};           ///< one line: why it is not known; empty: all below is set
  std::int64_t iterations = 0;       ///< the fewest after which the solve is there
  double found = 0;                  ///< what the judge found after them
  std::vector<double> samples = {};  ///< seconds of whole solves that stopped after them, what they begin and
                                     ///< end with included
};

/// The median of its samples. Throws Error where there is none.
double seconds_of(const Reach& reach);

/// That of this name and target; null: it was not asked for.
const Reach* reach_of(const std::vector<Reach>& all, const std::string& of, double target);

/// "gap 1e-4".
std::string name_of(const Reach& reach);

Json to_json(const std::vector<Reach>& all);
/// Unknown keys are ignored. Throws Json::Exception where one is missing or of the wrong type, Error where
/// there is neither a reason nor all else.
std::vector<Reach> reach_from(const Json& json);

enum class Status { ok, skipped, failed, crashed, timeout, interrupted };

const char* name_of(Status status);
/// Throws Error for an unknown name.
Status status_from(const std::string& name);
/// True unless the case has to be measured again by --resume.
inline bool is_final(Status status) { return status != Status::interrupted; }
/// True for the outcomes that make a run's exit code 1.
inline bool is_bad(Status status) { return status != Status::ok && status != Status::skipped; }

/// Of a batch, item by item: one wrong item is a wrong result.
struct ItemsChecked {
  struct Worst {
    std::int64_t index = 0;
    double error = 0;
  };
  std::int64_t count = 0, wrong = 0;
  std::vector<std::int64_t> first = {};  ///< the first that are wrong, at most 20 of them
  std::optional<Worst> worst = {};       ///< the item with the largest error, right or wrong
};

/// What the judge found.
struct Check {
  /// full: every cell was compared; sampled: some were; command: `oracle` is a command that said yes, without
  /// a number.
  std::string kind = "full";
  double error = 0;         ///< as the family defines it
  double tolerance = 0;     ///< on error; single cells are held to it, too, so that the status decides
  std::string oracle = {};  ///< who judged, e.g. eigen-f64
  std::string worst = {};   ///< which output the error comes from
  /// What else the judge found, by name: numbers, e.g. {"mass": 0.98, "gap": 3e-9}.
  ObjectDocument found = {};
  std::optional<ItemsChecked> items = {};  ///< of a batch
};

/// The samples of one process, in the order they were taken, in seconds per unit (already divided by inner).
struct ProcessSamples {
  double start = 0;  ///< seconds since the epoch when the process was started
  std::optional<double> first_sample =
      {};                               ///< seconds from there to its first sample, making arrays left out
  std::optional<std::string> arm = {};  ///< A, B or A' in an A/B comparison
  std::vector<double> samples;
  /// CPU time over wall time of the thread that takes the samples; absent: the worker did not report it.
  std::optional<double> busy = {};
  std::vector<PhaseSamples> phases = {};  ///< where the kernel reports them
};

/// How what was timed was held to what was judged (docs/reference/protocol.md, "prove").
struct Proof {
  std::string how;     ///< restarted, reloaded or last: what was judged in the timed process; empty: nothing
  std::string reason;  ///< why nothing was
  std::int64_t iterations = 0;         ///< after which it was judged
  double error = 0;                    ///< as Check::error
  std::optional<double> outside = {};  ///< seconds of a unit by the parent's clock; absent: not seen
};

struct Timing {
  Unit per = Unit::iteration;        ///< what a sample is of
  std::string clock = "steady";      ///< steady, cpu or cuda-event
  std::string stopped_by = "noise";  ///< noise, time or samples; the weakest of the processes' reasons
  std::int64_t inner = 1;            ///< units timed together as one sample
  std::optional<std::int64_t> iterations = {};  ///< of a solve; where processes differ, the most
  std::vector<ProcessSamples> processes = {};
  std::vector<std::string> warnings = {};
  std::optional<Proof> proof = {};  ///< of one of the processes; absent: it was not asked for
};

/// Of each file, by its path as the point gives it: its size and a hash of its bytes.
using InputContents = std::map<std::string, std::string>;

struct Record {
  std::string id;
  std::string variant;
  std::string worker;
  std::string arm = {};       ///< in a gate's run (results/record/record.hpp); empty: none
  ObjectDocument point = {};  ///< every axis
  Status status = Status::ok;
  /// False: no oracle knows its family. With status ok and no check its result was not verified.
  bool has_oracle = true;
  std::optional<std::string> reason;
  std::optional<std::string> repeat = {};  ///< of a bad outcome: the command line that shows it again
  std::optional<std::string> machine =
      {};                          ///< fingerprint, where a merged run holds records of several machines
  InputContents input_files = {};  ///< the user's files that its inputs were made from
  std::optional<Check> check;
  std::optional<Timing> time;
  std::optional<Work> work;
  std::vector<Reach> reach = {};  ///< of a solve, where the sweep has targets
  Counters counters = {};
  CaseFacts env = {};
};

/// In the place of ok, for people and in files, where no oracle knows the family.
inline constexpr const char* not_verified = "not verified";
/// The status for people and files.
const char* outcome_of(const Record& record);

/// Why this time says little of the library that it is of, as its worker reported: the library's kernels fall
/// short of the CPU, or the environment slows it. Empty: nothing was reported.
std::string handicap_of(const Record& record);

/// The file that the two were not both made from as it is: its content differs, or one has another file of
/// its folder. Empty: there is none, or one of them does not say.
std::string changed_input(const InputContents& a, const InputContents& b);

Json to_json(const Record& record);
/// Throws Error where a sample is no time.
void require_sound(const std::vector<double>& samples);
void require_sound(const Timing& time);

// Numbers that a benchmark reports in addition to its time (CaseFacts::reported).

/// The median over the processes; absent: none reported it.
std::optional<double> reported_of(const Record& record, const std::string& name);

/// The names in these records, in the order in which they come.
std::vector<std::string> reported_names(std::span<const Record> records);

// A gate's run has a record per case and arm: uot/x/M:64@native-v4.candidate, of the worker
// native-v4.candidate. The names are joined and split only here.

namespace gate_arm {
inline constexpr const char *baseline = "baseline", *candidate = "candidate", *control = "control";
inline constexpr const char* all[]{baseline, candidate, control};
}  // namespace gate_arm

/// The name of a case or of a worker in an arm.
std::string in_arm(const std::string& name, const std::string& arm);
/// The arm in a case's id; empty: none.
std::string arm_of(const std::string& id);
/// The id of the case.
std::string without_arm(const std::string& id);
/// The same for a worker's name.
std::string worker_arm(const std::string& worker);
std::string worker_without_arm(const std::string& worker);

/// The record under the names of the arm, and back.
Record in_arm(Record record, const std::string& arm);
Record without_arm(Record record);

// The parts of a record as JSON.

// What the judge found as JSON, in records and in the oracle's answers.

Json to_json(const Check& check);
/// Unknown keys are ignored. Throws Json::Exception where one is missing or of the wrong type.
Check check_from(const Json& json);

// Times as JSON: what records and a worker's answers have in common.

Json to_json(const Timing& time);
/// Throws Error for a unit that there is not, Json::Exception for what is missing or of the wrong type.
Timing timing_from(const Json& json);

/// As workers report them, and records hold them; null where there are none.
Json to_json(const std::vector<PhaseSamples>& phases);
/// Throws Error where a phase has no name or one of another phase, or has what does not fit `samples`:
/// not a number for each, a negative one, or more than the sample, all phases together.
std::vector<PhaseSamples> phases_from(const Json& json, const std::vector<double>& samples);

Json to_json(const Work& work);
/// What is absent is 0, or not declared.
Work work_from(const Json& json);

}  // namespace uotbench
