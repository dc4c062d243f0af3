// A worker's process: what it is started with, the same for all workers of a run, and what it is asked.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/host/facts/usable.hpp"
#include "harness/host/process/files.hpp"
#include "harness/host/process/process.hpp"
#include "harness/protocol/channel.hpp"
#include "harness/protocol/messages.hpp"
#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/worker_text.hpp"
#include "results/base/error.hpp"
#include "results/base/json_fwd.hpp"
#include "results/base/violation.hpp"
#include "results/record/record.hpp"

namespace uotbench {

// What all processes of a run have in common.

/// What a run may use, and whom it obeys. The command makes it, once; pools and processes refer to it.
struct RunContext {
  std::vector<int> cpus = {};         ///< in the order threads take them; empty: processes are not confined
  std::vector<int> spread_cpus = {};  ///< the same for place=spread
  Memory memory = {};                 ///< more is not planned, and killed; 0 bytes: nothing is killed
  double timeout = 60;                ///< seconds until a process says hello, and tells what it holds
  const volatile sig_atomic_t* stop = nullptr;  ///< set by a signal handler
  /// Likewise, when it is to end soon. Whoever asked for that may have asked the workers, too.
  const volatile sig_atomic_t* stop_soon = nullptr;
  bool times = true;               ///< false: results are judged only, so threads that wait may sleep
  std::optional<int> device = {};  ///< the GPU, where one was chosen
};

// Variables of the environment that change what is measured.

/// Whether workers do not get NAME=VALUE: a shell would silently change how many threads there are and where,
/// and how often the timing loop runs. A manifest may still set it.
bool is_kept_from_workers(std::string_view variable);

/// By name: what workers do get, and by which libraries choose their code, their threads or their memory
/// (OPENBLAS_*, MKL_*, XLA_FLAGS, MALLOC_*, GLIBC_TUNABLES, LD_PRELOAD and others). Values can be shown, and
/// are cut after 1000 bytes.
std::map<std::string, std::string> telling_variables();

/// What it sends has been checked (validation.hpp) before anybody gets it: a message that is wrong ends the
/// process. It runs only while it is asked something, and is stopped otherwise, with all that it started: of
/// two workers never both can change a file, and none that waits takes a CPU from one that is timed.
class WorkerProcess {
 public:
  /// Starts it, confined to `cpus` unless they are none, and waits for its hello. A manifest that was not
  /// launched() for a case is launched as for one that says nothing. Throws WorkerFailure, Interrupted.
  WorkerProcess(const Manifest& manifest, const RunContext& context, const std::vector<int>& cpus,
                OnText on_text = {});
  /// Asks it to quit, waits a moment, kills.
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Sends a request and waits at most `timeout` seconds for the reply, which must be of type `reply`;
  /// `progress` messages on the way go to `on_progress`; a reply of type `error` is a WorkerFailure unless it
  /// is asked for. After a WorkerFailure of status crashed or timeout, and of one that was not the worker's
  /// own error, the process is gone. Throws WorkerFailure, Interrupted.
  Json exchange(const Json& request, const std::string& reply, double timeout,
                const std::function<void(const Json&)>& on_progress = {});

  // The same with values. Each throws WorkerFailure also for what the protocol's schema accepts and cannot
  // be.
  RunReply ask(const RunRequest& request, double timeout);
  SourcesReply ask(const SourcesRequest& request, double timeout);
  /// `request` is of the type `plan`.
  std::vector<PlannedPoint> ask_to_plan(const Json& request, double timeout);
  DescribedReply ask_to_describe(double timeout);
  /// Of the oracle. Throws Error, too, as families_from().
  std::vector<FamilyInfo> ask_for_families(double timeout);

  /// Tells it to quit, or closes its input, and waits at most `seconds`; killed after that. Returns how it
  /// ended.
  ProcessEnd end(bool by_quit, double seconds);

  /// From now on, instead of what it was started with: what it prints belongs to another case.
  void on_text(OnText take) { text_.take(std::move(take)); }

  const std::string& name() const { return name_; }  ///< the worker's
  bool alive() const { return child_.alive(); }
  pid_t pid() const { return alive() ? child_.pid() : -1; }  ///< -1: it is gone
  /// All processes that came of the start and live.
  std::vector<pid_t> processes() { return child_.processes(); }
  /// CPUs beside those that it is confined to, on which a process of several may run none the less: launchers
  /// bind as they think right.
  std::set<int> stray_cpus();
  const Hello& hello() const { return hello_; }
  /// Whether its hello says that it can do such a step.
  bool tells_step(const char* step) const;
  const Json& build() const { return hello_.build.json(); }
  double started() const { return started_; }              ///< seconds since the epoch
  double started_monotonic() const { return monotonic_; }  ///< CLOCK_MONOTONIC
  /// Seconds from the last request to its answer: all that the worker can have done in between.
  double answered_after() const { return answered_after_; }
  /// The CPUs that its threads can have used.
  std::vector<int> cpus() const;

 private:
  ChildStart start_of(const Manifest& manifest, const std::vector<int>& cpus);
  Json await(double timeout, const std::function<void(const Json&)>& on_progress);
  void look(std::chrono::steady_clock::time_point start, double timeout);
  void forget_unread();
  bool pump(int milliseconds);
  void require_no_answer(std::string_view line) const;
  void drain();
  [[noreturn]] void fail_dead();
  void ask_where_it_is();
  std::string place_it_printed();
  [[noreturn]] void refuse(const std::string& what);
  [[noreturn]] void refuse(const Violation& what);
  void watch_memory();
  std::string largest_process();
  double memory_used();
  bool is_several();
  void put_an_end();
  bool gone_within(double seconds);
  void send_quit();
  bool was_asked_to_end() const;

  std::string name_;
  bool launches_;  ///< it is several processes
  bool judges_;
  const RunContext& context_;
  std::vector<int> cpus_;
  WorkerText text_;
  double started_ = 0, monotonic_ = 0;
  LockedFolder temp_dir_;  ///< what the worker leaves in it goes when it has ended
  ChildProcess child_;
  Deframer frames_;
  std::list<Json> inbox_;      ///< no deque: Json is incomplete here
  bool more_to_read_ = false;  ///< when it was last read from
  std::string awaited_;        ///< as errors call it
  std::string reply_;          ///< the type of the answer that is awaited; empty: none is
  double answered_after_ = 0;
  bool started_others_ = false;
  std::chrono::steady_clock::time_point others_looked_for_ = {};
  Hello hello_;
};

}  // namespace uotbench
