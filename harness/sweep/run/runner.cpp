#include "harness/sweep/run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "harness/protocol/point_json.hpp"
#include "harness/sweep/run/save_arrays.hpp"
#include "harness/sweep/run/timed_answer.hpp"
#include "harness/sweep/run/timed_work.hpp"
#include "harness/sweep/workers/first_iterations.hpp"
#include "harness/sweep/workers/steps.hpp"
#include "results/base/error.hpp"
#include "results/record/axes/impossible.hpp"
#include "results/record/axes/settings_json.hpp"
#include "results/record/check_json.hpp"
#include "results/record/timing_warnings.hpp"

namespace uotbench {
namespace {

// What a worker may say of its times: a remark a round and process, no log.
constexpr std::size_t longest_warning = 200, most_warnings = 20;

std::string short_text(const std::string& text) { return on_one_line(text.substr(0, longest_warning)); }

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

void settle(Record& record, const WorkerFailure& failure) {
  record.status = failure.status;
  record.reason = first_line(failure.reason);
}

}  // namespace

std::vector<int> cpus_for(const Case& member, const RunContext& context) {
  const Settings settings = settings_of(member.point);
  const auto count = static_cast<std::size_t>(settings.cpus());
  const auto& cpus = settings.place == "spread" ? context.spread_cpus : context.cpus;
  return {cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(std::min(count, cpus.size()))};
}

Runner::Runner(WorkerPool& pool, RunOptions options, Progress& progress, Sink sink)
    : pool_(pool), options_(std::move(options)), progress_(progress), sink_(std::move(sink)) {}

bool Runner::run(const Plan& plan, const std::set<std::string>& done) {
  for (const auto& group : plan.groups) {
    const bool left =
        std::ranges::any_of(group.cases, [&](const Case& member) { return !done.contains(member.id); });
    if (left && options_.enough(group)) return false;
    if (left) run_group(group, done);
  }
  return true;
}

Record Runner::blank(const Case& member, bool has_oracle) const {
  Record record;
  record.id = member.id;
  record.variant = member.variant;
  record.worker = member.worker;
  record.point = member.point;
  record.env = options_.facts;
  record.has_oracle = has_oracle;
  if (!options_.verify_only && !member.untimed.empty()) record.reason = member.untimed;
  return record;
}

void Runner::run_group(const Group& group, const std::set<std::string>& done) {
  std::vector<Record> records;
  std::vector<std::pair<const Case*, std::size_t>> undecided;
  for (const auto& member : group.cases) {
    if (done.contains(member.id)) continue;
    records.push_back(blank(member, group.oracle));
    if (member.decided) {
      settle(records.back(), *member.decided);
    } else {
      undecided.emplace_back(&member, records.size() - 1);
    }
  }
  members_.clear();
  verified_.clear();
  for (const auto& [member, index] : undecided) members_.emplace_back(member, &records[index]);

  const auto settle_all = [&](const WorkerFailure& failure) {
    for (const auto& [member, record] : members_) settle(*record, failure);
    members_.clear();
  };
  try {
    if (!members_.empty()) {
      try {
        progress_.doing(members_.front().first->id, "making inputs");
        files_.emplace(pool_, group.family, group.problem,
                       [this, bytes = group.input_bytes] { return workspace_.fresh(bytes); });
        for (const auto& [member, record] : members_) record->input_files = files_->user_files();
      } catch (const WorkerFailure& failure) {
        settle_all({failure.status, "no inputs: " + failure.reason});
      } catch (const Error& error) {
        settle_all({Status::skipped, error.what()});
      }
    }
    for (const auto& [member, record] : members_) {
      if (record->status != Status::ok)
        progress_.advance();
      else if (options_.once)
        iterate_once(group, *member, *record);
      else
        verify(group, *member, *record);
    }
    const auto drop_bad = [&] {
      std::erase_if(members_, [](const auto& entry) { return entry.second->status != Status::ok; });
    };
    if (options_.counters)
      for (const auto& [member, record] : members_)
        if (record->status == Status::failed) count_required(group, *member, *record);
    drop_bad();
    if (!options_.verify_only && !options_.once) time_rounds(group);
    drop_bad();
    if (!options_.verify_only && !options_.once && !options_.measure.reach.empty())
      for (const auto& [member, record] : members_)
        member->untimed.empty() ? reach(group, *member, *record) : progress_.advance();
    if (options_.counters)
      for (const auto& [member, record] : members_) count(group, *member, *record);
  } catch (const Interrupted&) {
    for (const auto& [member, record] : members_)
      if (record->status == Status::ok) settle(*record, {Status::interrupted, "stopped by the user"});
    deliver(group, records);
    throw;
  }
  deliver(group, records);
  for (const auto& record : records)
    if (record.status == Status::skipped && pool_.worker_info(record.worker).failure)
      progress_.left_out(record);
    else
      progress_.finished(record);
}

void Runner::deliver(const Group& group, std::vector<Record>& records) {
  for (auto& record : records)
    if (is_bad(record.status) && is_final(record.status))
      record.repeat = options_.repeat(*std::ranges::find(group.cases, record.id, &Case::id));
  sink_(records);
}

RunRequest Runner::request(const Group& group, const Case& member, const RunStep& step) const {
  return {.id = member.id,
          .variant = member.variant,
          .point = point_from(member.point.json()),
          .in = files_->in(),
          .out = files_->out(),
          .step = step,
          .iterations = whole_steps(group.judged_after.front(), member.steps),
          .cpus = cpus_for(member, pool_.context())};
}

OnText Runner::text_of(const Case& member) {
  return [this, &member](std::string_view line) { progress_.text(member.id, line); };
}

void Runner::iterate_once(const Group& group, const Case& member, Record& record) {
  try {
    const RunReply reply = pool_.process(member.worker, settings_of(member.point), text_of(member))
                               .ask(request(group, member, run_step::Once{}), options_.measure.case_timeout);
    record.env.add(reply.env);
  } catch (const WorkerFailure& failure) {
    settle(record, failure);
  }
}

void Runner::verify(const Group& group, const Case& member, Record& record) {
  progress_.doing(member.id, "judging");
  try {
    // More than once where iterations are counted: a wrong start or a lost iteration is forgotten after ten
    // where these converge; after two it is not.
    std::optional<Check> first;
    for (const int wanted : group.judged_after) {
      const int iterations = whole_steps(wanted, member.steps);
      std::vector<std::string> outputs;
      files_->watched(member.worker, [&] { outputs = judge(group, member, iterations, record); });
      // Not before it is known that the inputs are as they were made.
      if (options_.save_arrays && record.status == Status::ok && wanted == group.judged_after.front())
        save_arrays(*options_.save_arrays, record, iterations, files_->folder(), outputs);
      if (record.status != Status::ok) {
        *record.reason += note_of_one_thread(group, member, iterations);
        if (first) record.reason = fmt::format("after {} iterations: {}", iterations, *record.reason);
        break;
      }
      if (!first) first = record.check;
      record.check = first;
    }
  } catch (const WorkerFailure& failure) {
    settle(record, failure);
  } catch (const Error& error) {  // arrays that cannot be saved: the other cases go on
    settle(record, {Status::failed, error.what()});
  }
  progress_.advance();
}

std::vector<std::string> Runner::judge(const Group& group, const Case& member, int iterations,
                                       Record& record) {
  files_->make_outputs();
  WorkerProcess& process = pool_.process(member.worker, settings_of(member.point), text_of(member));
  RunRequest message = request(group, member, run_step::Verify{});
  message.iterations = iterations;
  const RunReply reply = process.ask(message, options_.measure.case_timeout);
  verified_.try_emplace(&member, possible_seconds(reply.seconds, process.answered_after()));
  if (reply.work) record.work = reply.work;
  record.env.add(reply.env);
  const auto outputs = reply.outputs.value_or(std::vector<std::string>());
  if (!group.oracle) {  // the worker's own check is all there is
    if (!reply.verified_by.empty())
      record.check = Check{.kind = "command", .oracle = short_text(reply.verified_by)};
    return outputs;
  }
  const JudgedReply judged = files_->judge({.variant = member.variant,
                                            .point = member.point,
                                            .outputs = outputs,
                                            .iterations = iterations,
                                            .tolerance = member.tolerance});
  if (judged.check) record.check = judged.check;
  if (!judged.reason.empty()) {
    std::string reason = judged.reason;
    // The worker's own opinion is not asked for; where it gives one, the contradiction helps who mends it.
    if (reply.claims_check) reason += " (the worker itself claims it is right)";
    settle(record, {Status::failed, reason});
  }
  return outputs;
}

std::string Runner::note_of_one_thread(const Group& group, const Case& member, int iterations) {
  if (settings_of(member.point).threads < 2) return "";
  Case single = member;
  single.point.set("threads", 1);
  Record record = blank(single, group.oracle);
  try {
    files_->watched(member.worker, [&] { judge(group, single, iterations, record); });
  } catch (const WorkerFailure&) {
    record.status = Status::failed;
  }
  verified_.erase(&single);
  return record.status == Status::ok
             ? "; right with 1 thread: a data race (--counters races finds its lines), or "
               "work that threads leave out"
             : "";
}

WorkerProcess& Runner::process_to_time(const Case& member, std::optional<WorkerProcess>& fresh) {
  const Manifest& manifest = pool_.manifest(member.worker);
  const Settings settings = settings_of(member.point);
  if (manifest.by_hand) return pool_.process(member.worker, settings, text_of(member));
  return fresh.emplace(manifest.launched(settings), pool_.context(), cpus_for(member, pool_.context()),
                       text_of(member));
}

run_step::Time Runner::sampling(int processes) const {
  const auto& measure = options_.measure;
  return {.max_noise = measure.max_noise,
          .seconds = measure.max_time / processes,
          .min_samples = (measure.min_samples + processes - 1) / processes};
}

void Runner::time_rounds(const Group& group) {
  // A worker must not know which of its processes will be judged.
  static std::mt19937 random{std::random_device{}()};
  std::map<const Case*, int> proved;
  for (const auto& [member, record] : members_)
    proved[member] = std::uniform_int_distribution(0, std::max(0, options_.measure.rounds - 1))(random);
  const auto timed = [&](const Case& member) {
    return member.untimed.empty() && pool_.manifest(member.worker).does(step::time);
  };
  for (int round = 0; round < options_.measure.rounds; ++round) {
    // There and back: a machine that slowly heats up or fills treats the first and the last alike.
    for (const auto& [member, record] : members_)
      if (!timed(*member))
        progress_.advance();
      else if (record->status == Status::ok)
        time_once(group, *member, *record, round, options_.prove && group.oracle && proved[member] == round);
    std::reverse(members_.begin(), members_.end());
  }
  for (const auto& [member, record] : members_) require_true_times(group, *member, *record);
}

std::vector<double> Runner::verify_again(const Group& group, const Case& member) {
  WorkerProcess process(pool_.manifest(member.worker).launched(settings_of(member.point)), pool_.context(),
                        cpus_for(member, pool_.context()), text_of(member));
  return first_verified(process, request(group, member, run_step::Verify{}), *files_,
                        options_.measure.case_timeout);
}

Runner::TimedOnce Runner::timed_in_a_process(const Group& group, const Case& member, bool proved) {
  const auto& measure = options_.measure;
  const Manifest& manifest = pool_.manifest(member.worker);
  TimedOnce once;
  files_->watched(member.worker, [&] {
    std::optional<WorkerProcess> fresh;
    WorkerProcess& process = process_to_time(member, fresh);
    const run_step::Time samples = sampling(measure.rounds);
    const RunRequest message = request(group, member, samples);
    once.reply = process.ask(message, measure.case_timeout);
    const int least_samples = manifest.by_hand ? 1 : static_cast<int>(samples.min_samples);
    once.timed =
        timed_answer(*once.reply.time, process, asked_to_time(message, group.judged_after, least_samples));
    once.stray = process.stray_cpus();
    if (!proved || manifest.by_hand) return;  // a worker started by hand is looked at while it is timed
    TimedProcess to_prove = timed_process(process, message, once.timed, group, member);
    to_prove.verified = verified_[&member];
    to_prove.verify_again = [&] { return verify_again(group, member); };
    once.proof = prove(to_prove, *files_, measure.case_timeout);
  });
  return once;
}

/// What all processes of a case say together. Where one process alone would fail the case, more are asked: a
/// busy machine may have disturbed it.
void Runner::require_true_times(const Group& group, const Case& member, Record& record) {
  if (record.status != Status::ok || !record.time) return;
  Timing& timing = *record.time;
  const auto outside_again = [&]() -> std::optional<double> {
    const auto once = timed_in_a_process(group, member, true);
    return once.proof ? once.proof->proof.outside : std::nullopt;
  };
  try {
    const auto process_again = [&] { return timed_in_a_process(group, member, false).timed.samples; };
    if (const std::string why = why_unsteady(timing, process_again); !why.empty())
      throw WorkerFailure{Status::failed, why};
    for (auto& warning : contradictions(timing, outside_again)) timing.warnings.push_back(std::move(warning));
  } catch (const WorkerFailure& failure) {
    settle(record, failure);
  } catch (const Error& error) {  // outputs that cannot be made: the other cases go on
    settle(record, {Status::failed, error.what()});
  }
  refuse_impossible(record);
}

void Runner::time_once(const Group& group, const Case& member, Record& record, int round, bool proved) {
  progress_.doing(member.id, fmt::format("round {} of {}", round + 1, options_.measure.rounds));
  try {
    const auto [reply, timed, stray, proof] = timed_in_a_process(group, member, proved);
    add_to(record.time, timed);
    Timing& timing = *record.time;
    if (timed.busy < least_busy) timing.warnings.push_back(busy_warning(round + 1, timed.busy));
    if (!stray.empty())
      timing.warnings.push_back(fmt::format(
          "round {}: a process of it may run on CPU {}, which it was not given", round + 1, *stray.begin()));
    for (const auto& warning : timed.warnings)
      timing.warnings.push_back(fmt::format("round {}: {}", round + 1, warning));
    for (const auto& warning : reply.time->warnings)
      if (const auto said = fmt::format("round {}: {}", round + 1, short_text(warning));
          timing.warnings.size() < most_warnings)
        timing.warnings.push_back(said);
    if (proof) {
      timing.proof = proof->proof;
      for (const auto& warning : proof->warnings)
        timing.warnings.push_back(fmt::format("round {}: {}", round + 1, warning));
    }
    if (reply.env.text("build_type") == "Debug" && round == 0)
      timing.warnings.emplace_back(debug_build_warning);
    take_work(record.work, reply.work, timing.processes.size());
    if (proof && !record.work) record.work = proof->work;
    record.env.add(reply.env);
  } catch (const WorkerFailure& failure) {
    settle(record, failure);
  } catch (const Error& error) {  // outputs that cannot be made: the other cases go on
    settle(record, {Status::failed, error.what()});
  }
  progress_.advance();
}

}  // namespace uotbench
