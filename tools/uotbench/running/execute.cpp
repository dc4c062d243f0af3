#include "tools/uotbench/running/execute.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <set>

#include "harness/host/facts/machine.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/host/findings/doctor.hpp"
#include "harness/sweep/plan/plan.hpp"
#include "harness/sweep/run/runner.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/record/run_file/run_builder.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/ceilings_again.hpp"
#include "tools/uotbench/running/counter_plan.hpp"
#include "tools/uotbench/running/last_level.hpp"
#include "tools/uotbench/running/machine_store.hpp"
#include "tools/uotbench/running/run_header.hpp"
#include "tools/uotbench/views/run.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

/// Where --resume goes on: the file named, else the sweep's newest with this plan, else its newest (which
/// will be refused, with the reason); where there is none, it starts.
std::filesystem::path output_path(const Execution& what, const std::vector<std::string>& plan) {
  if (what.output) return *what.output;
  // A part is not the whole: `show NAME` must not take it for that.
  const std::string name =
      what.plan.shard ? fmt::format("{}.{}of{}", what.sweep.name, what.plan.shard->index, what.plan.shard->of)
                      : what.sweep.name;
  if (const auto runs = runs_of(name); what.resume && !runs.empty()) {
    const auto same = std::ranges::find_if(runs, [&](const auto& run) { return plan_in_force(run) == plan; });
    return same == runs.end() ? runs.front() : *same;
  }
  return new_run(name);
}

/// Writes the first line, or takes up a run that is there: returns the ids that need not be run again.
std::set<std::string> begin(RunWriter& run, const Execution& what, const RunHeader& first_line) {
  std::set<std::string> done;
  if (run.empty()) {
    run.begin(first_line);
    return done;
  }
  const Run& before = run.run();
  if (!what.force) require_same(before, first_line, what.plan, what.command);
  for (const auto& record : before.records)
    if (is_final(record.status)) done.insert(record.id);
  // Measured under an earlier plan: where this one names it, it counts again.
  for (const auto& record : before.unplanned) done.insert(record.id);
  run.resume(first_line);
  return done;
}

/// Whether it is time to stop before a group: asked to, or the group would, at the pace so far, end too late.
/// The first is always run: a run that is continued again and again gets on.
class Deadline {
 public:
  explicit Deadline(const Execution& what) : what_(what), start_(what.elapsed()) {}

  bool before(const Group& group) {
    const double now = what_.elapsed();
    const bool late =
        what_.stop_after && cases_ > 0 &&
        now + (now - start_) / static_cast<double>(cases_) * static_cast<double>(group.cases.size()) >
            *what_.stop_after;
    if (stop_soon || late) return true;
    cases_ += group.cases.size();
    return false;
  }

 private:
  const Execution& what_;
  double start_;
  std::size_t cases_ = 0;  ///< begun
};

/// Before hours are spent, not in the warnings below the table.
void tell_if_busy() {
  if (const std::string busy = busy_text(); !busy.empty())
    fmt::print(stderr, "the machine is busy, and times will be noisy: {}. Wait, or end what computes.\n",
               on_one_line(busy));
}

/// Whatever is wrong with measuring ceilings, a run goes on with its cases, and has its end.
void tell_not_measured(const Error& error) {
  fmt::print(stderr, "ceilings were not measured: {}\n", on_one_line(error.what()));
}

/// Measures the ceilings that cases need and that were not measured near them: after each group of cases, so
/// that the machine is as busy as it was for them.
class NeededCeilings {
 public:
  NeededCeilings(const Execution& what, WorkerPool& pool, RunWriter& run, const RunHeader& first_line)
      : what_(what), pool_(pool), run_(run) {
    here_.header = first_line;
  }

  void take(const std::vector<Record>& records) {
    if (is_on()) here_.records.insert(here_.records.end(), records.begin(), records.end());
  }

  /// For the cases taken since the last call. Throws Interrupted.
  void measure(Progress& progress) try {
    const auto missing = is_on() ? missing_ceilings(here_, Counts::nearby) : std::vector<WantedCeiling>();
    here_.records.clear();
    if (missing.empty() || left() <= 0) return;
    progress.doing("ceilings", fmt::format("measuring {} that the cases need", missing.size()));
    const double began = what_.elapsed();
    auto measured = measure_ceilings(missing, pool_, run_, left(), true);
    spent_ += what_.elapsed() - began;
    std::ranges::move(measured, std::back_inserter(here_.ceilings_again));
  } catch (const Error& error) {
    progress.close();
    tell_not_measured(error);
    given_up_ = true;
  }

  /// Seconds that may be spent on ceilings: 5, or a tenth of the run; none after an error. Those that cases
  /// need the first time take about a twentieth; shared ones are measured again every few minutes.
  double left() const { return given_up_ ? 0 : std::max(5., what_.elapsed() / 10) - spent_; }

 private:
  bool is_on() const { return what_.missing_ceilings && !what_.verify_only; }

  const Execution& what_;
  WorkerPool& pool_;
  RunWriter& run_;
  Run here_;  ///< the cases of the last group, under what is known so far
  double spent_ = 0;
  bool given_up_ = false;
};

void run_cases(const Execution& what, WorkerPool& pool, RunWriter& run, const std::set<std::string>& done,
               const CounterPlans& counters, NeededCeilings& ceilings, Executed& outcome) {
  const auto ids = what.plan.ids();
  const bool counts = !counters.empty() && !what.verify_only, reaches = !what.sweep.measure.reach.empty();
  const auto there =
      static_cast<std::size_t>(std::ranges::count_if(ids, [&](const auto& id) { return done.contains(id); }));
  if (!what.quiet && !what.verify_only && there < ids.size()) tell_if_busy();
  Progress progress(stderr, Progress::style_for(stderr, what.quiet), ids.size(),
                    1 + (what.verify_only ? 0 : what.sweep.measure.rounds + reaches) + counts, there);
  const auto keep = [&](const std::vector<Record>& records) {
    for (const auto& record : records) outcome.ran += is_final(record.status);
    run.add(records);
    ceilings.take(records);
  };
  Deadline deadline(what);
  RunOptions options{.measure = what.sweep.measure,
                     .verify_only = what.verify_only,
                     .prove = what.prove,
                     .counters = counts ? &counters : nullptr,
                     .facts = CaseFacts(job_facts()),
                     .save_arrays = {},
                     .repeat =
                         [&](const Case& member) {
                           return fmt::format("uotbench run --case {}{}", shell_quoted(member.id),
                                              what.repeat_flags);
                         },
                     .enough =
                         [&](const Group& group) {
                           ceilings.measure(progress);
                           return deadline.before(group);
                         }};
  if (!what.save_arrays.empty()) options.save_arrays = what.save_arrays;
  bool cut = false;
  try {
    outcome.interrupted = !Runner(pool, options, progress, keep).run(what.plan, done);
    if (!outcome.interrupted) ceilings.measure(progress);
  } catch (const Interrupted&) {
    outcome.interrupted = cut = true;
  }
  progress.close();
  if (stop_soon && !what.quiet)
    std::fputs(cut ? "asked to end: the group under way is made again by --resume\n"
                   : "asked to end: the group under way was finished\n",
               stderr);
}

/// What an earlier part of the run left unmeasured, then what a case exceeds.
void measure_ceilings_for(const Execution& what, WorkerPool& pool, RunWriter& run,
                          const NeededCeilings& ceilings) {
  if (what.missing_ceilings && ceilings.left() > 0)
    if (const auto missing = missing_ceilings(run.run(), Counts::ever); !missing.empty())
      measure_ceilings(missing, pool, run, ceilings.left(), what.quiet);
  // Where one limit is raised, another may be the next that is too low; each is measured again once a case.
  constexpr double seconds = 5;
  const double end = what.elapsed() + seconds;
  for (bool more = true; more && what.elapsed() < end;) {
    const auto exceeded = exceeded_ceilings(run.run());
    more =
        !exceeded.empty() && !measure_ceilings(exceeded, pool, run, end - what.elapsed(), what.quiet).empty();
  }
}

}  // namespace

void add_named_cases(Sweep& sweep, Selection& selection, WorkerPool& pool) {
  NamedCases named = named_cases(selection.cases, pool);
  if (!named.impossible.empty())
    throw UsageError(
        fmt::format("--case {}: {}", named.impossible.front().first, named.impossible.front().second));
  add_cases(sweep, named.entries);
  selection.cases.clear();  // an id may be written in another way
}

Executed execute(const Execution& what, WorkerPool& pool) {
  measure_simulated_last_level(what, pool);
  const CounterPlans counters = counting_of(what.sweep, what.plan, pool);
  RunHeader first_line = run_header(what.sweep, what.verify_only, pool, what.plan);
  if (const auto device = pool.context().device) first_line.options->device = *device;
  if (Json metrics = counters.metrics(); !metrics.empty()) first_line.metrics = std::move(metrics);
  if (const CacheShapes* const caches = counters.caches()) {
    if (caches->obstacle.empty()) first_line.caches = document_of(*caches);
    for (const auto& [worker, plan] : counters.by_worker)
      first_line.options->worker_counters[worker] = plan.words;
    first_line.options->caches = first_line.caches;  // others would count something else
  }
  StoredCeilings stored;
  if (what.with_ceilings && !what.verify_only) stored = stored_ceilings(first_line.machine);
  if (const Json& probed =
          what.probed_caches.is_null() ? stored.probed_caches.json() : what.probed_caches.json();
      !probed.is_null())
    first_line.machine = first_line.machine.with_probed_caches(probed);
  if (stored.ceilings) first_line.ceilings = document_of(*stored.ceilings);
  first_line.rerun_of = what.origin;
  first_line.command = what.command;
  RunWriter run(output_path(what, *first_line.plan),
                what.resume  ? RunFile::Mode::continue_
                : what.force ? RunFile::Mode::replace
                             : RunFile::Mode::create,
                what.resumable);
  const auto done = begin(run, what, first_line);
  if (!stored.obstacle.empty() && !what.quiet) fmt::print(stderr, "{}: uotbench machine\n", stored.obstacle);
  if (!counters.asked.requests.empty() && what.verify_only && !what.quiet)
    fmt::print(stderr, "--verify-only verifies, and counts nothing\n");
  Executed outcome;
  finish_what_is_under_way();
  NeededCeilings ceilings(what, pool, run, first_line);
  run_cases(what, pool, run, done, counters, ceilings, outcome);
  if (!what.verify_only && (stored.ceilings || what.missing_ceilings) && !outcome.interrupted) try {
      measure_ceilings_for(what, pool, run, ceilings);
    } catch (const Interrupted&) {
      outcome.interrupted = true;
    } catch (const Error& error) {
      tell_not_measured(error);
    }
  run.end(RunEnd(utc("{:%Y-%m-%dT%H:%M:%SZ}"), what.elapsed(), !outcome.interrupted));
  outcome.run = std::move(run).finished();
  return outcome;
}

std::string closing_words(const Execution& what, const Executed& done, const RunView& view) {
  const std::string path = done.run.path.string();
  std::string text = fmt::format("{} in {}", counted(done.ran, "case"), format_seconds(what.elapsed()));
  if (what.verify_only && done.ran > 0)
    text += fmt::format(" ({} a case)", format_seconds(what.elapsed() / static_cast<double>(done.ran)));
  const bool counts =
      std::ranges::any_of(done.run.records, [](const Record& record) { return !record.counters.empty(); });
  return text + "\n" +
         signpost(done.run, !view.next.empty() ? view.next
                                               : fmt::format("uotbench show {}{}", shell_quoted(path),
                                                             counts ? " --counters" : ""));
}

int exit_code_of(const Executed& done) {
  if (done.interrupted) return exit_interrupted;
  const bool bad =
      std::ranges::any_of(done.run.records, [](const Record& record) { return is_bad(record.status); });
  return bad ? exit_failed : exit_ok;
}

RunContext context_on(std::vector<int> cpus, double timeout) {
  auto spread = spread_out(cpus);
  return {.cpus = std::move(cpus),
          .spread_cpus = std::move(spread),
          .memory = available_memory(),
          .timeout = timeout,
          .stop = &stop_now,
          .stop_soon = &stop_soon};
}

RunContext context_of(const RunFlags& flags, const Sweep& sweep) {
  RunContext context = context_on(chosen_cpus(flags), sweep.measure.case_timeout);
  context.times = !flags.verify_only;
  if (flags.device) use_device(*flags.device, context);
  if (!flags.memory.empty()) context.memory = {flag_value("--memory", parse_bytes, flags.memory), "--memory"};
  return context;
}

WorkerPool make_pool(const std::vector<std::string>& given, const RunContext& context) {
  WorkerPool pool(with_workers(read_manifests(configs_folder() / "workers", bin_folder()), given), context);
  const std::filesystem::path home = configs_folder().parent_path();
  auto files = kernel_files(home / "kernels");
  pool.know(files.empty() ? read_kernel_files(home / "variants.json") : std::move(files));
  return pool;
}

void use_device(int device, RunContext& context) {
  if (device < 0) throw UsageError(fmt::format("--device: expected a number from 0, got {}", device));
  ::setenv("UOTBENCH_DEVICE", std::to_string(device).c_str(), 1);
  context.device = device;
}

// A signal handler can reach nothing but globals.
volatile sig_atomic_t stop_now = 0;
volatile sig_atomic_t stop_soon = 0;

void stop_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1, SIGHUP})
    if (::signal(signal, [](int) { stop_now = 1; }) == SIG_IGN) ::signal(signal, SIG_IGN);  // nohup
}

void finish_what_is_under_way() {
  for (const int signal : {SIGTERM, SIGUSR1})
    ::signal(signal, [](int) {
      if (stop_soon) stop_now = 1;
      stop_soon = 1;
    });
}

}  // namespace uotbench
