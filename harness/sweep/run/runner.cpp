#include "harness/sweep/run/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/sweep/run/save_arrays.hpp"
#include "harness/sweep/run/timed_answer.hpp"
#include "results/base/error.hpp"
#include "results/record/settings_json.hpp"
#include "results/record/work_json.hpp"

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

Record blank(const Case& member) {
  Record record;
  record.id = member.id;
  record.variant = member.variant;
  record.worker = member.worker;
  record.point = member.point;
  return record;
}

/// What several processes observed: the worst of memory, the sum of events, the last of facts.
void merge_env(Json& into, const Json& from) {
  for (const auto& [key, value] : from.items()) {
    const bool both = into.contains(key) && into[key].is_number() && value.is_number();
    if (both && key == "peak_rss") {
      if (value.get<double>() > into[key].get<double>()) into[key] = value;
    } else if (both && key == "page_faults") {
      into[key] = into[key].get<std::int64_t>() + value.get<std::int64_t>();
    } else if (both && key == "steal") {
      into[key] = into[key].get<double>() + value.get<double>();
    } else {
      into[key] = value;
    }
  }
}

}  // namespace

std::vector<int> cpus_for(const Case& member, const RunContext& context) {
  const Settings settings = settings_of(member.point);
  const auto count = static_cast<std::size_t>(settings.cpus());
  const auto& cpus = settings.place == "spread" ? context.spread_cpus : context.cpus;
  return {cpus.begin(), cpus.begin() + static_cast<std::ptrdiff_t>(std::min(count, cpus.size()))};
}

Runner::Runner(Crew& crew, RunOptions options, Progress& progress, Sink sink)
    : crew_(crew), options_(std::move(options)), progress_(progress), sink_(std::move(sink)) {}

bool Runner::run(const Plan& plan, const std::set<std::string>& done) {
  for (const auto& group : plan.groups) {
    const bool left =
        std::ranges::any_of(group.cases, [&](const Case& member) { return !done.contains(member.id); });
    if (left && options_.enough(group)) return false;
    if (left) run_group(group, done);
  }
  return true;
}

void Runner::run_group(const Group& group, const std::set<std::string>& done) {
  std::vector<Record> records;
  std::vector<std::pair<const Case*, std::size_t>> undecided;
  for (const auto& member : group.cases) {
    if (done.contains(member.id)) continue;
    records.push_back(blank(member));
    if (member.decided) {
      settle(records.back(), *member.decided);
    } else {
      undecided.emplace_back(&member, records.size() - 1);
    }
  }
  std::vector<std::pair<const Case*, Record*>> members;
  for (const auto& [member, index] : undecided) members.emplace_back(member, &records[index]);

  const auto settle_all = [&](const WorkerFailure& failure) {
    for (const auto& [member, record] : members) settle(*record, failure);
    members.clear();
  };
  try {
    if (!members.empty()) {
      try {
        arrays_ = scratch_.fresh(group.input_bytes);
        progress_.doing(members.front().first->id, "making inputs");
        ask_oracle({{"type", "prepare"},
                    {"family", group.family},
                    {"point", group.problem},
                    {"folder", (arrays_ / "in").string()}},
                   "prepared");
      } catch (const WorkerFailure& failure) {
        settle_all({failure.status, "no inputs: " + failure.reason});
      } catch (const Error& error) {
        settle_all({Status::skipped, error.what()});
      }
    }
    for (const auto& [member, record] : members) {
      if (options_.once)
        iterate_once(group, *member, *record);
      else
        verify(group, *member, *record);
    }
    std::erase_if(members, [](const auto& entry) { return entry.second->status != Status::ok; });
    if (!options_.verify_only && !options_.once) time_rounds(group, members);
    if (options_.counters)
      for (const auto& [member, record] : members)
        if (record->status == Status::ok) count(group, *member, *record);
  } catch (const Interrupted&) {
    for (const auto& [member, record] : members)
      if (record->status == Status::ok) settle(*record, {Status::interrupted, "stopped by the user"});
    deliver(group, records);
    throw;
  }
  deliver(group, records);
  for (const auto& record : records)
    if (record.status == Status::skipped && crew_.roster(record.worker).failure)
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

/// A failing oracle is not the kernel's crash: the case could not be judged.
Json Runner::ask_oracle(const Json& message, const std::string& reply) {
  try {
    return crew_.oracle().ask(message, reply, oracle_seconds);
  } catch (const WorkerFailure& failure) {
    throw WorkerFailure{Status::failed, "oracle: " + failure.reason};
  }
}

Json Runner::request(const Group& group, const Case& member, const char* step) const {
  return {{"type", "run"},
          {"case", member.id},
          {"variant", member.variant},
          {"point", member.point},
          {"arrays", {{"in", (arrays_ / "in").string()}, {"out", (arrays_ / "out").string()}}},
          {"steps", {step}},
          {"iterations", group.judged_after.front()},
          {"cpus", cpus_for(member, crew_.context())}};
}

OnText Runner::text_of(const Case& member) {
  return [this, &member](std::string_view line) { progress_.text(member.id, line); };
}

void Runner::iterate_once(const Group& group, const Case& member, Record& record) {
  try {
    const Json answer = crew_.process(member.worker, text_of(member))
                            .ask(request(group, member, step::once), "record", options_.measure.case_timeout);
    merge_env(record.env, answer.at("env"));
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
    for (const int iterations : group.judged_after) {
      judge(group, member, iterations, record);
      if (record.status != Status::ok) {
        if (first) record.reason = fmt::format("after {} iterations: {}", iterations, *record.reason);
        break;
      }
      if (!first) first = record.check;
      record.check = first;
    }
  } catch (const WorkerFailure& failure) {
    settle(record, failure);
  } catch (const Json::exception& error) {
    settle(record,
           {Status::failed, fmt::format("worker {} answered wrongly: {}", member.worker, error.what())});
    crew_.dismiss(member.worker);
  } catch (const Error& error) {  // arrays that cannot be saved: the other cases go on
    settle(record, {Status::failed, error.what()});
  }
  progress_.advance();
}

void Runner::judge(const Group& group, const Case& member, int iterations, Record& record) {
  const Json arrays{{"in", (arrays_ / "in").string()}, {"out", (arrays_ / "out").string()}};
  ask_oracle(
      {{"type", "poison"}, {"family", group.family}, {"point", group.problem}, {"folder", arrays["out"]}},
      "poisoned");
  WorkerProcess& process = crew_.process(member.worker, text_of(member));
  Json message = request(group, member, "verify");
  message["iterations"] = iterations;
  const Json answer = process.ask(message, "record", options_.measure.case_timeout);
  if (answer.contains("work") && !answer["work"].is_null()) record.work = work_from(answer["work"]);
  merge_env(record.env, answer.value("env", Json::object()));
  const Json judged = ask_oracle({{"type", "judge"},
                                  {"family", group.family},
                                  {"point", member.point},
                                  {"arrays", arrays},
                                  {"variant", member.variant},
                                  {"outputs", answer.value("outputs", Json::array())},
                                  {"iterations", iterations},
                                  {"tolerance", member.tolerance ? Json(*member.tolerance) : Json(nullptr)}},
                                 "judged");
  const Json& check = judged.at("check");
  record.check = Check{.kind = check.value("kind", "full"),
                       .error = check.at("error").is_number() ? check["error"].get<double>() : HUGE_VAL,
                       .tolerance = check.at("tolerance"),
                       .oracle = check.value("oracle", ""),
                       .worst = check.value("worst", ""),
                       .found = check.value("found", Json::object())};
  if (!judged.at("reason").is_null()) {
    std::string reason = judged["reason"];
    // The worker's own opinion is not asked for; where it gives one, the contradiction helps who mends it.
    if (answer.contains("check")) reason += " (the worker itself claims it is right)";
    settle(record, {Status::failed, reason});
  } else if (options_.save_arrays && iterations == group.judged_after.front()) {
    save_arrays(*options_.save_arrays, record, iterations, arrays_, answer.at("outputs"));
  }
}

void Runner::time_rounds(const Group& group, std::vector<std::pair<const Case*, Record*>>& members) {
  const auto timed = [&](const Case& member) { return crew_.manifest(member.worker).does(step::time); };
  for (int round = 0; round < options_.measure.rounds; ++round) {
    // There and back: a machine that slowly heats up or fills treats the first and the last alike.
    for (const auto& [member, record] : members)
      if (!timed(*member))
        progress_.advance();
      else if (record->status == Status::ok)
        time_once(group, *member, *record, round);
    std::reverse(members.begin(), members.end());
  }
}

void Runner::time_once(const Group& group, const Case& member, Record& record, int round) {
  const auto& measure = options_.measure;
  progress_.doing(member.id, fmt::format("round {} of {}", round + 1, measure.rounds));
  try {
    const Manifest& manifest = crew_.manifest(member.worker);
    std::optional<WorkerProcess> fresh;
    if (!manifest.by_hand)
      fresh.emplace(manifest, crew_.context(), cpus_for(member, crew_.context()), text_of(member));
    WorkerProcess& process = fresh ? *fresh : crew_.process(member.worker, text_of(member));
    Json message = request(group, member, "time");
    message["measure"] = {{"max_noise", measure.max_noise},
                          {"seconds", measure.max_time / measure.rounds},
                          {"min_samples", (measure.min_samples + measure.rounds - 1) / measure.rounds}};
    const Json answer = process.ask(message, "record", measure.case_timeout);
    const Json& time = answer.at("time");
    const TimedAnswer timed = timed_answer(time, process);
    add_to(record.time, timed);
    Timing& timing = *record.time;
    // 0.95: a thread that computes is off its CPU for less than a percent of the time on an idle machine.
    if (timed.busy < 0.95)
      timing.warnings.push_back(
          fmt::format("round {}: had its CPU only {:.0f}% of the time", round + 1, timed.busy * 100));
    for (const std::string warning : time.value("warnings", Json::array()))
      if (const auto said = fmt::format("round {}: {}", round + 1, short_text(warning));
          timing.warnings.size() < most_warnings)
        timing.warnings.push_back(said);
    if (answer.value("env", Json::object()).value("build_type", "") == "Debug" && round == 0)
      timing.warnings.push_back("Debug build");
    merge_env(record.env, answer.value("env", Json::object()));
  } catch (const WorkerFailure& failure) {
    settle(record, failure);
  } catch (const Json::exception& error) {
    settle(record,
           {Status::failed, fmt::format("worker {} answered wrongly: {}", member.worker, error.what())});
  }
  progress_.advance();
}

}  // namespace uotbench
