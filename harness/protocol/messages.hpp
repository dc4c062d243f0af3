// The messages between the program, its workers and the oracle, and the descriptions in them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/protocol/point.hpp"
#include "results/base/document.hpp"
#include "results/base/json_fwd.hpp"
#include "results/base/value.hpp"
#include "results/record/counter.hpp"
#include "results/record/record.hpp"
#include "results/record/work.hpp"

namespace uotbench {

// What a worker counted of an event, and how it is written.

/// One event's count, of a call as a source reports it, per unit as a worker answers it.
struct EventCount {
  std::optional<double> value = {};
  std::string reason = {};  ///< why there is no value, one line
  double running = 1;       ///< share of the time in which it was counted; less than 1: value is extrapolated
  bool socket_wide = false;
  bool sum = true;  ///< over what a call does; false: the largest of something, say
  std::string note = {};
  std::vector<CounterLine> lines = {};
  bool simulated = false;
  bool exact = false;            ///< counted, and the same at each run of the same code
  std::optional<Unit> per = {};  ///< absent: not reported for this event
};

using EventCounts = std::map<std::string, EventCount>;

Json to_json(const EventCount& count);
/// Workers may be written by users: what is no count has no value, and says what the worker answered wrongly.
EventCount event_count_from(const Json& said);
/// Those of a record that a worker answers, whose `per` is that of all counts without one. Throws
/// Json::Exception where it has no counts.
EventCounts event_counts_from(const Json& record);

// The request for a worker's counter sources and its answer (docs/reference/protocol.md: "sources →
// sources").

struct SourcesRequest {
  std::map<std::string, std::vector<std::string>> events = {};  ///< by source: does it know them?
};

struct SourceReply {
  std::string name = {};
  bool simulated = true;                            ///< its counts are the same whenever the same code runs
  std::optional<std::string> reason = {};           ///< why it cannot count here; absent: it can
  std::optional<std::string> mend = {};             ///< the command that corrects that
  std::map<std::string, std::string> unknown = {};  ///< events, each with a line that names the nearest
};

struct SourcesReply {
  std::vector<SourceReply> sources = {};
};

Json to_json(const SourcesRequest& request);
/// Throws Json::Exception for what is of the wrong type.
SourcesRequest sources_request_from(const Json& json);

Json to_json(const SourcesReply& reply);
/// Of an answer that the protocol's schema accepts.
SourcesReply sources_reply_from(const Json& json);

// What a worker says when it starts (docs/reference/protocol.md: "hello").

struct Hello {
  std::string worker = {};                             ///< its name; empty: not said
  std::string obstacle = {};                           ///< why no case can run here; empty: they can
  Document device = {};                                ///< facts; null: this machine's CPUs
  std::optional<std::vector<std::string>> steps = {};  ///< that it can do; absent: not said
  Document build = {};                                 ///< facts; empty: not said
};

/// Of a message that the protocol's schema accepts.
Hello hello_from(const Json& json);

// What a worker, or the oracle, answers of the points that a plan asks about (docs/reference/protocol.md:
// "plan → planned").

struct PlannedPoint {
  std::optional<std::string> refused = {};  ///< why it cannot run; absent: it can
  double memory = 0;                        ///< bytes: a worker's own; of the oracle, of the arrays
  int steps = 1;                            ///< iterations that are made at a time
  // Of the oracle:
  Facts derived = {};                             ///< values of axes that follow from others
  std::vector<int> judged_after = {1};            ///< iterations, each
  std::map<std::string, std::string> files = {};  ///< the user's, and what each holds
};

/// In the order of the request. Of an answer that the protocol's schema accepts. Throws Error for an integer
/// above 2^63 - 1.
std::vector<PlannedPoint> planned_from(const Json& json);

// The request that runs a case and its answer (docs/reference/protocol.md: "run → record"), as values.
// Written and read as JSON here only; a new field is a member here and a line in messages.cpp and the
// protocol's schema.

/// What a worker does with a case, one at a time.
namespace run_step {

/// From the inputs, RunRequest::iterations iterations, outputs written.
struct Verify {};

/// Samples are taken.
struct Time {
  double max_noise = 0;  ///< relative
  double seconds = 0;
  std::int64_t min_samples = 1;
  std::optional<std::int64_t> most_samples = {};
  std::optional<std::int64_t> inner = {};       ///< units per sample; absent: the worker chooses
  std::optional<double> slowdown = {};          ///< above 1: samples are made so much longer
  std::optional<std::int64_t> stop_after = {};  ///< iterations; solves are stopped there
};

/// The process that was timed last shows what it computes.
struct Prove {
  enum class From { nothing, inputs, last };
  From from = From::nothing;
};

/// A solve is stopped after exactly RunRequest::iterations iterations, outputs written.
struct State {};

/// Events are counted.
struct Count {
  std::string source = {};
  std::vector<std::string> events = {};
  Document caches = {};  ///< sizes for simulators; null: unknown
};

/// Neither verified nor timed: for a debugger or a profiler.
struct Once {};

}  // namespace run_step

using RunStep = std::variant<run_step::Verify, run_step::Time, run_step::Prove, run_step::State,
                             run_step::Count, run_step::Once>;

/// "verify", "time", …
const char* name_of(const RunStep& step);

struct RunRequest {
  std::string id = {};  ///< of the case
  std::string variant = {};
  Point point = {};
  std::string in = {}, out = {};  ///< folders of its arrays
  RunStep step = {};
  std::int64_t iterations = 1;
  std::vector<int> cpus = {};  ///< one per thread; of several processes those of the first one first
};

struct TimeReply {
  Unit per = Unit::iteration;
  std::string clock = {}, stopped_by = {};
  std::int64_t inner = 1;                       ///< units per sample
  std::vector<double> samples = {};             ///< seconds per unit
  std::optional<double> first_sample_at = {};   ///< CLOCK_MONOTONIC
  std::optional<double> busy = {};              ///< CPU time over wall time
  std::optional<std::int64_t> iterations = {};  ///< of a solve
  std::optional<double> slowdown = {};          ///< as it was asked for
  std::vector<PhaseSamples> phases = {};
  std::vector<std::string> warnings = {};
};

struct ProvedReply {
  std::string how = {};  ///< restarted, reloaded, last or timed
  std::vector<std::string> outputs = {};
  std::optional<std::int64_t> iterations = {};  ///< of a solve
  std::vector<double> seconds = {};             ///< of the first iterations
};

struct StateReply {
  std::int64_t iterations = 0;
  std::vector<std::string> outputs = {};
};

/// What the step was for is in it.
struct RunReply {
  std::string id = {};                                   ///< of the case; empty: not said
  std::optional<std::vector<std::string>> outputs = {};  ///< arrays that were written
  std::string verified_by = {};                          ///< the worker's own check; empty: none
  bool claims_check = false;                             ///< it has the key "check": a claim to be right
  std::vector<double> seconds = {};                      ///< of the first iterations
  std::optional<TimeReply> time = {};
  std::optional<Work> work = {};
  std::optional<EventCounts> counts = {};
  std::optional<Unit> per = {};  ///< of the counts that say no unit
  std::optional<ProvedReply> proved = {};
  std::optional<StateReply> state = {};
  CaseFacts env = {};
};

Json to_json(const RunRequest& request);
/// Throws Error for a step that there is not, Json::Exception for what is missing or of the wrong type.
RunRequest run_request_from(const Json& json);

Json to_json(const RunReply& reply);
/// Of an answer that the protocol's schema accepts. Throws Error for phases that do not fit their samples.
RunReply run_reply_from(const Json& json);

// What the oracle answers of a problem's files (harness/worker/oracle/README.md).

struct PreparedReply {
  InputContents files = {};  ///< the user's that the inputs were made from
};

struct JudgedReply {
  std::optional<Check> check = {};  ///< absent: the outputs could not even be compared
  std::string reason = {};          ///< what is wrong, in one line; empty: the result is right
};

struct HashedReply {
  std::map<std::string, std::string> files = {};  ///< what each holds
};

Json to_json(const PreparedReply& reply);
Json to_json(const JudgedReply& reply);
Json to_json(const HashedReply& reply);

// Of answers that the protocol's schema accepts.
PreparedReply prepared_reply_from(const Json& json);
JudgedReply judged_reply_from(const Json& json);
HashedReply hashed_reply_from(const Json& json);

// What workers say of their variants, and the oracle of its families (docs/reference/protocol.md: "describe →
// described").

/// A file of a problem.
struct ArrayInfo {
  std::string name, shape, type, about;
  bool output = false;
};

/// What the oracle says of a family; or a worker, of one of its own.
struct FamilyInfo {
  std::string name;
  std::string summary;
  std::vector<Axis> axes;  ///< the Problem axes
  int iterations = 10;
  /// Points that workers are checked at; the other axes have their defaults.
  std::vector<Document> checked = {};
  /// The largest tolerance that a variant may declare: with a larger one nearly every result would pass.
  double loosest = 0.1;
  bool memoryless = false;                    ///< an iteration's result depends on the inputs alone
  std::vector<std::string> mathematics = {};  ///< for people: what is computed, a paragraph each
  std::vector<ArrayInfo> arrays = {};         ///< for people: the files of a problem
  bool oracle = true;                         ///< false: a worker's own, which no oracle verifies
};

/// What a worker says of a variant.
struct VariantInfo {
  std::string name;
  std::string summary;
  std::vector<Axis> axes;  ///< its own; the family's come first in a case
  std::optional<double> tolerance;
  std::string code = {};  ///< a hash of its machine code before it was linked; empty: not reported
  Document kernels = {};  ///< a list, where the worker reports what its compiler made: registers, spills, …

  /// The only points that it has, each with values of some of its own axes; empty: any.
  std::vector<Document> points = {};
  std::optional<Measures> measures = {};  ///< of a ceiling
  std::string obstacle = {};              ///< why none of its cases can be right; empty: they may be

  /// The part before the last '/'.
  std::string family() const { return name.substr(0, name.rfind('/')); }
};

/// An entry of a worker's list: one that contradicts itself leaves the others as they are.
struct VariantEntry {
  VariantInfo variant;             ///< its name alone where it contradicts itself
  bool has_summary = false;        ///< said, be it empty
  std::string contradiction = {};  ///< what is wrong; empty: nothing
};

struct DescribedReply {
  std::vector<FamilyInfo> families = {};  ///< the worker's own
  std::vector<VariantEntry> variants = {};
};

// Of an answer that the protocol's schema accepts.
DescribedReply described_reply_from(const Json& json);
/// The oracle's. Throws Error for an axis that contradicts itself.
std::vector<FamilyInfo> families_from(const Json& json);

}  // namespace uotbench
