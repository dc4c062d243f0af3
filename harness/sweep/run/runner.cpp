#include "harness/sweep/run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "harness/sweep/run/session.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/record.hpp"
#include "results/record/timing.hpp"

namespace uotbench {
namespace {

// What a worker may say of its times: a remark a round and process, no log.
constexpr std::size_t longest_warning = 200, most_warnings = 20;

std::string short_text(const std::string& text) { return on_one_line(text.substr(0, longest_warning)); }

void settle(Record& record, const WorkerFailure& failure) {
  record.status = failure.status;
  record.reason = failure.first_line();
}

/// Outputs that cannot be made and arrays that cannot be saved fail a case, too: the others go on.
void settle(Record& record, const Error& error) {
  if (const auto* const failure = dynamic_cast<const WorkerFailure*>(&error)) return settle(record, *failure);
  settle(record, {Status::failed, error.what()});
}

}  // namespace

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

Session Runner::session_of(const Group& group, const Case& member) {
  return session_of(group, member, pool_.manifest(member.worker));
}

Session Runner::session_of(const Group& group, const Case& member, const Manifest& worker) {
  return {.group = group,
          .member = member,
          .worker = worker,
          .context = pool_.context(),
          .files = *files_,
          .timeout = options_.measure.case_timeout,
          .on_text = text_of(member)};
}

OnText Runner::text_of(const Case& member) {
  return [this, &member](std::string_view line) { progress_.text(member.id, line); };
}

void Runner::iterate_once(const Group& group, const Case& member, Record& record) {
  try {
    const RunReply reply = process_of(member).ask(session_of(group, member).request(run_step::Once{}),
                                                  options_.measure.case_timeout);
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
  } catch (const Error& error) {
    settle(record, error);
  }
  progress_.advance();
}

std::vector<std::string> Runner::judge(const Group& group, const Case& member, int iterations,
                                       Record& record) {
  files_->make_outputs();
  WorkerProcess& process = process_of(member);
  const Session session = session_of(group, member);
  RunRequest message = session.request(run_step::Verify{});
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
  const JudgedReply judged = session.judge(outputs, iterations);
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

WorkerProcess& Runner::process_of(const Case& member) {
  return pool_.process(member.worker, settings_of(member.point), text_of(member));
}

WorkerProcess& Runner::process_to_time(const Session& session, std::unique_ptr<WorkerProcess>& fresh) {
  if (session.worker.by_hand) return process_of(session.member);
  fresh = session.start();
  return *fresh;
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
        time_once(group, *member, *record, round, options_.prove && proved[member] == round);
    std::reverse(members_.begin(), members_.end());
  }
  for (const auto& [member, record] : members_) require_true_times(group, *member, *record);
}

TimedOnce Runner::timed_in_a_process(const Group& group, const Case& member, bool proved) {
  const Session session = session_of(group, member);
  TimedOnce once;
  files_->watched(member.worker, [&] {
    std::unique_ptr<WorkerProcess> fresh;
    WorkerProcess& process = process_to_time(session, fresh);
    once = session.time(process, session.request(sampling(options_.measure.rounds)));
    once.stray = process.stray_cpus();
    if (!proved || !session.provable()) return;
    once.proof = session.prove(process, once, verified_[&member], [&] { return session.verify_again(); });
  });
  return once;
}

void Runner::require_true_times(const Group& group, const Case& member, Record& record) {
  if (record.status != Status::ok || !record.time) return;
  Timing& timing = *record.time;
  try {
    const auto again = [&](bool proved) { return timed_in_a_process(group, member, proved); };
    for (auto& warning : require_agreement(timing, again)) timing.warnings.push_back(std::move(warning));
  } catch (const Error& error) {
    settle(record, error);
  }
  refuse_impossible(record);
}

void Runner::time_once(const Group& group, const Case& member, Record& record, int round, bool proved) {
  progress_.doing(member.id, fmt::format("round {} of {}", round + 1, options_.measure.rounds));
  try {
    const auto [request, reply, timed, stray, proof] = timed_in_a_process(group, member, proved);
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
  } catch (const Error& error) {
    settle(record, error);
  }
  progress_.advance();
}

}  // namespace uotbench
