// Runs a plan: makes inputs, has every result judged, times what is right, writes records.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/sweep/counting/counting.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/run/first_below.hpp"
#include "harness/sweep/run/progress.hpp"
#include "harness/sweep/run/session.hpp"
#include "harness/sweep/workers/problem_files.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/record/record.hpp"

namespace uotbench {

struct RunOptions {
  MeasureOptions measure;
  bool verify_only = false;
  bool prove = true;                       ///< one of a case's timed processes is judged
  bool once = false;                       ///< one iteration, neither judged nor timed, for who looks at it
  const CounterPlans* counters = nullptr;  ///< what is counted besides; null: nothing
  CaseFacts facts = {};                    ///< of the run, for the `env` of every record
  std::optional<std::filesystem::path> save_arrays;
  /// The command line that shows a bad outcome again.
  std::function<std::string(const Case&)> repeat;
  /// Asked before each group: true ends the run there.
  std::function<bool(const Group&)> enough;
};

class Runner {
 public:
  /// Called with the records of each finished group; must make them durable.
  using Sink = std::function<void(const std::vector<Record>&)>;

  Runner(WorkerPool& pool, RunOptions options, Progress& progress, Sink sink);

  /// Runs all cases but those in `done`; false where it was enough before that. On an interrupt the
  /// unfinished cases of the current group are recorded as interrupted and Interrupted is thrown on.
  bool run(const Plan& plan, const std::set<std::string>& done);

 private:
  void run_group(const Group& group, const std::set<std::string>& done);
  Record blank(const Case& member, bool has_oracle) const;
  void deliver(const Group& group, std::vector<Record>& records);
  void iterate_once(const Group& group, const Case& member, Record& record);
  void verify(const Group& group, const Case& member, Record& record);
  /// Returns the names of the outputs, which are in the files.
  std::vector<std::string> judge(const Group& group, const Case& member, int iterations, Record& record);
  /// To be added to the reason why a result of several threads is wrong, where that of one thread is right;
  /// else empty.
  std::string note_of_one_thread(const Group& group, const Case& member, int iterations);
  void time_rounds(const Group& group);
  TimedOnce timed_in_a_process(const Group& group, const Case& member, bool proved);
  /// What all processes of a case say together.
  void require_true_times(const Group& group, const Case& member, Record& record);
  void time_once(const Group& group, const Case& member, Record& record, int round, bool proved);
  void reach(const Group& group, const Case& member, Record& record);
  State state_after(const Group& group, const Case& member, std::int64_t iterations, const std::string& of);
  std::vector<double> stopped_solves(const Group& group, const Case& member, std::int64_t iterations);
  void count(const Group& group, const Case& member, Record& record);
  /// Of a case whose result was wrong with several threads: what may tell why.
  void count_required(const Group& group, const Case& member, Record& record);
  Counters counted(const CounterPlan& plan, const Group& group, const Case& member, Record& record);
  EventCounts ask_source(const Group& group, const Case& member, Record& record, const CacheShapes& caches,
                         const std::string& source, const std::vector<std::string>& events);
  std::string obstacle_of(const std::string& worker, const std::string& source);
  const Manifest* counts_elsewhere(const Case& member, const std::string& source);
  /// A fresh one, put into `fresh`, with the CPUs of the case; of a worker that was started by hand, that
  /// one.
  WorkerProcess& process_to_time(const Session& session, std::unique_ptr<WorkerProcess>& fresh);
  /// The worker's process for all but times.
  WorkerProcess& process_of(const Case& member);
  /// What a process is asked to measure that is one of so many.
  run_step::Time sampling(int processes) const;
  Session session_of(const Group& group, const Case& member);
  /// Likewise, run by another build.
  Session session_of(const Group& group, const Case& member, const Manifest& worker);
  /// Takes what a worker prints while it runs this case.
  OnText text_of(const Case& member);

  WorkerPool& pool_;
  RunOptions options_;
  Progress& progress_;
  Sink sink_;
  Workspace workspace_;
  // Of the current group:
  std::optional<ProblemFiles> files_;
  std::vector<std::pair<const Case*, Record*>> members_;  ///< that are right so far
  /// Seconds of the first iterations of each case, in the process that verified it first.
  std::map<const Case*, std::vector<double>> verified_;
  std::map<std::string, SourcesReply> sources_;  ///< what workers said of their counter sources
};

}  // namespace uotbench
