#include "harness/sweep/gate/ab_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "harness/sweep/run/session.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/timing.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

// One process: what it answered, and what it took.
struct AbSession::Value {
  TimedOnce once;
  double median = 0;  ///< seconds an iteration
  double wall = 0;    ///< seconds from its start to its end
};

namespace {

using Clock = std::chrono::steady_clock;

// A sample lasts at least as long as the worker's own loop makes it (harness/worker/timing/measure.cpp): 200
// times what starting and stopping the clock costs.
constexpr double sample_seconds = 5e-3;
// A process's value is the median of at least this much time: less, and starting it would be most of what a
// session does.
constexpr double process_seconds = 0.1;
// One disturbed sample of three does not make the value. More than 2000 tell nothing more (cold cases, whose
// sample is one iteration).
constexpr int fewest_samples = 3, most_samples = 2000;

constexpr std::array<const char*, 3> role{"the baseline", "the candidate", "the baseline's copy"};

}  // namespace

AbSession::AbSession(std::vector<Arm> arms, WorkerPool& judge, std::vector<AbCase> cases, AbOptions options,
                     Progress& progress)
    : arms_(std::move(arms)),
      cases_(std::move(cases)),
      options_(std::move(options)),
      context_(judge.context()),
      progress_(progress),
      inputs_(judge, context_.memory.bytes / 2),
      random_(options_.seed),
      states_(cases_.size()) {
  judge.dismiss_all();  // they hold memory, and are not asked any more
}

bool AbSession::failed(std::size_t which) const {
  return std::ranges::any_of(failures_, [&](const auto& failure) { return failure.which == which; });
}

std::optional<Timing> AbSession::timing(std::size_t which, int arm) const {
  return states_[which].arms[static_cast<std::size_t>(arm)].timing;
}

Session AbSession::session_of(std::size_t which, int arm) {
  const AbCase& one = cases_[which];
  const auto& manifests = arms_.at(static_cast<std::size_t>(arm)).manifests;
  return {.group = *one.group,
          .member = *one.member,
          .worker = *std::ranges::find(manifests, one.member->worker, &Manifest::name),
          .context = context_,
          .files = inputs_.files(one.group),
          .timeout = context_.timeout,
          .on_text = [this, &one](std::string_view line) { progress_.text(one.member->id, line); }};
}

AbSession::Value AbSession::ask(std::size_t which, int arm, const run_step::Time& measure, bool proved) {
  const Session session = session_of(which, arm);
  run_step::Time step = measure;
  if (arm == 1 && options_.slowdown) step.slowdown = options_.slowdown;
  const RunRequest request = session.request(step);
  // Empty where its kind reports no seconds, and is not asked again.
  const auto verify_again = [&]() -> std::vector<double> {
    bool& reports_first = observed(which, arm).reports_first;
    if (!reports_first) return {};
    auto seconds = session.verify_again();
    reports_first = !seconds.empty();
    return seconds;
  };
  const auto start = Clock::now();
  Clock::duration proving{0};  // only of a few processes
  Value value;
  TimedOnce& once = value.once;
  session.files.watched(session.member.worker, [&] {
    const auto process = session.start();
    once = session.time(*process, request);
    once.answer.samples.arm = arms_[static_cast<std::size_t>(arm)].letter;
    if (!proved || !session.provable()) return;
    const auto before = Clock::now();
    std::vector<double> verified;
    if (process->tells_step(step::prove) && once.answer.per == Unit::iteration) verified = verify_again();
    once.proof = session.prove(*process, once, verified, verify_again);
    proving = Clock::now() - before;
  });
  value.wall = std::chrono::duration<double>(Clock::now() - start - proving).count();
  value.median = median(once.answer.samples.samples);
  return value;
}

std::optional<AbSession::Value> AbSession::time(std::size_t which, int arm, const run_step::Time& measure,
                                                Use use) {
  const auto note = [&](Status status, const std::string& reason) {
    const auto& timing = observed(which, arm).timing;
    const std::size_t before = timing ? timing->processes.size() : 0;
    failures_.push_back(
        {which, arm, status,
         before == 0 ? reason : fmt::format("in its process {} of this gate: {}", before + 1, reason)});
  };
  try {
    Value value = ask(which, arm, measure, use == Use::proved);
    if (use != Use::pace) keep(which, arm, value);
    return value;
  } catch (const WorkerFailure& failure) {
    note(failure.status, failure.first_line());
  }
  return std::nullopt;
}

void AbSession::keep(std::size_t which, int arm, const Value& value) {
  State& state = states_[which];
  // Of the last few processes rather than of the first one alone.
  state.pace.process += (value.wall - state.pace.process) / 8;
  Observed& observed = this->observed(which, arm);
  const auto& [request, reply, answer, stray, proof] = value.once;
  add_to(observed.timing, answer);
  for (const auto& doubt : answer.warnings)
    if (std::ranges::find(observed.doubts, doubt) == observed.doubts.end()) observed.doubts.push_back(doubt);
  if (proof) {
    // Of several proofs the shortest time counts: others were held up.
    const auto before = observed.timing->proof ? observed.timing->proof->outside : std::nullopt;
    observed.timing->proof = proof->proof;
    if (auto& seen = observed.timing->proof->outside; before)
      seen = std::min(seen.value_or(*before), *before);
    for (const auto& doubt : proof->warnings) observed.doubts.push_back(doubt);
  }
  take_work(observed.work, reply.work, observed.timing->processes.size());
  observed.disturbed += answer.busy < least_busy;
}

run_step::Time AbSession::at_pace(std::size_t which) const {
  const AbPace& pace = states_[which].pace;
  return {.min_samples = pace.samples, .inner = pace.inner};
}

void AbSession::calibrate(std::size_t which) {
  const Case& member = *cases_[which].member;
  progress_.doing(member.id, "calibrating");
  const auto first = time(which, 0, {.seconds = 0.02, .min_samples = fewest_samples}, Use::pace);
  if (!first) return;
  AbPace& pace = states_[which].pace;
  pace.iteration = first->median;
  // A cold sample is one iteration after the caches were emptied.
  pace.inner =
      settings_of(member.point).cold
          ? 1
          : std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(sample_seconds / first->median)));
  const double sample = static_cast<double>(pace.inner) * first->median;
  pace.samples =
      static_cast<int>(std::clamp<double>(std::ceil(process_seconds / sample), fewest_samples, most_samples));
  const auto second = time(which, 1, at_pace(which), Use::pace);
  if (!second) return;
  pace.process = second->wall;
  const TimedAnswer &a = first->once.answer, &b = second->once.answer;
  if (a.per != b.per || a.clock != b.clock)
    failures_.push_back(
        {which, 0, Status::skipped,
         fmt::format("the baseline is timed per {} by the clock {}, the candidate per {} by {}",
                     name_of(a.per), a.clock, name_of(b.per), b.clock)});
}

void AbSession::calibrate() {
  std::vector<const Group*> groups;
  for (const auto& one : cases_)
    if (std::ranges::find(groups, one.group) == groups.end()) groups.push_back(one.group);
  for (const auto& batch : inputs_.batches(groups)) {
    inputs_.hold(batch);
    for (std::size_t which = 0; which < cases_.size(); ++which)
      if (std::ranges::find(batch, cases_[which].group) != batch.end()) calibrate(which);
  }
}

/// One process of each case and arm, drawn anew in each look: a worker cannot know which, nor that it was the
/// last.
std::set<AbTurn> AbSession::drawn_to_prove(const std::vector<AbRequest>& wanted) {
  std::set<AbTurn> drawn;
  for (const auto& request : wanted) {
    if (request.pairs == 0) continue;
    std::uniform_int_distribution<std::size_t> pair(0, request.pairs - 1);
    for (int arm = 0; arm < (request.control ? 3 : 2); ++arm)
      drawn.insert({request.which, arm, pair(random_)});
  }
  return drawn;
}

void AbSession::require_true_times(std::size_t which) {
  for (int arm = 0; arm < 3; ++arm) {
    Observed& observed = this->observed(which, arm);
    if (failed(which) || !observed.timing) continue;
    const auto again = [&](bool proved) {
      inputs_.hold({cases_[which].group});  // those of an earlier batch are gone
      return ask(which, arm, at_pace(which), proved).once;
    };
    try {
      observed.contradictions = require_agreement(*observed.timing, again);
    } catch (const WorkerFailure& failure) {
      failures_.push_back({which, arm, failure.status, failure.reason});
      continue;
    }
    Record record;
    record.point = cases_[which].member->point;
    record.time = observed.timing;
    record.work = observed.work;
    if (auto why = why_impossible(record); !why.empty())
      failures_.push_back({which, arm, Status::failed, std::move(why)});
  }
}

std::vector<std::vector<PairedTimes>> AbSession::measure(const std::vector<AbRequest>& wanted,
                                                         const Deadline& deadline) {
  std::vector<const Group*> groups;
  std::map<std::size_t, std::vector<std::array<double, 3>>> values;
  const auto to_prove = drawn_to_prove(wanted);
  std::size_t processes = 0, done = 0;
  for (const auto& request : wanted) {
    const Group* const group = cases_[request.which].group;
    if (std::ranges::find(groups, group) == groups.end()) groups.push_back(group);
    values[request.which].resize(request.pairs);
    processes += request.pairs * (request.control ? 3 : 2);
  }
  const auto late = [&] { return deadline && std::chrono::steady_clock::now() >= *deadline; };
  for (const auto& batch : inputs_.batches(groups)) {
    if (!late()) inputs_.hold(batch);
    std::vector<AbRequest> requests;
    for (const auto& request : wanted)
      if (std::ranges::find(batch, cases_[request.which].group) != batch.end()) requests.push_back(request);
    for (const auto& turn : ab_order(requests, random_)) {
      ++done;
      if (failed(turn.which)) continue;
      if (late()) {
        ++left_out_;
        continue;
      }
      progress_.doing(cases_[turn.which].member->id, fmt::format("process {} of {}", done, processes));
      if (const auto value = time(turn.which, turn.arm, at_pace(turn.which),
                                  to_prove.contains(turn) ? Use::proved : Use::pair))
        values[turn.which][turn.pair][static_cast<std::size_t>(turn.arm)] = value->median;
    }
  }
  std::vector<std::vector<PairedTimes>> measured;
  for (const auto& request : wanted) {
    require_true_times(request.which);
    measured.emplace_back();
    for (const auto& [baseline, candidate, control] : values[request.which]) {
      if (baseline <= 0 || candidate <= 0 || (request.control && control <= 0)) continue;
      measured.back().push_back({.baseline = baseline, .candidate = candidate, .control = {}});
      if (request.control) measured.back().back().control = control;
    }
  }
  return measured;
}

std::vector<std::string> AbSession::warnings(std::size_t which) const {
  std::vector<std::string> warnings;
  const auto& arms = states_[which].arms;
  const std::string& id = cases_[which].member->id;
  for (std::size_t arm = 0; arm < arms.size(); ++arm)
    for (const auto* doubts : {&arms[arm].doubts, &arms[arm].contradictions})
      for (const auto& doubt : *doubts) warnings.push_back(fmt::format("{}: {}: {}", id, role[arm], doubt));
  for (std::size_t arm = 0; arm < arms.size(); ++arm)
    if (arms[arm].disturbed > 0)
      warnings.push_back(
          fmt::format("{}: {} of {} processes of {} had their CPU less than {:.0f}% of the time", id,
                      arms[arm].disturbed, arms[arm].timing->processes.size(), role[arm], 100 * least_busy));
  if (arms[0].timing && arms[1].timing && arms[0].timing->inner != arms[1].timing->inner)
    warnings.push_back(fmt::format(
        "{}: a sample was {} iterations of the baseline and {} of the candidate: a worker takes no "
        "measure.inner, and what starts and stops its clock weighs differently",
        id, arms[0].timing->inner, arms[1].timing->inner));
  return warnings;
}

double seconds_of(const std::vector<AbRequest>& wanted, const AbSession& session) {
  double seconds = 0;
  for (const auto& request : wanted)
    seconds +=
        static_cast<double>(request.pairs * (request.control ? 3 : 2)) * session.pace(request.which).process;
  return seconds;
}

double seconds_needed(std::size_t pairs, std::span<const double> processes) {
  double screen = 0, longest = 0;
  for (const double seconds : processes) {
    screen += 2 * seconds;
    longest = std::max(longest, 3 * seconds);
  }
  return static_cast<double>(pairs) * (screen + longest);
}

std::optional<std::size_t> affordable_look(double seconds, std::size_t most, std::size_t fewest,
                                           std::span<const double> processes) {
  const double pair = seconds_needed(1, processes);
  if (pair <= 0 || seconds_needed(most, processes) <= seconds) return most;
  auto pairs = static_cast<std::size_t>(std::max(0.0, seconds / pair));
  if (pairs % 2 == 1 && pairs > fewest) --pairs;
  if (pairs < fewest) return std::nullopt;
  return pairs;
}

bool shorten(std::vector<AbRequest>& requests, double left, double needed, std::size_t fewest) {
  if (needed <= left) return true;
  auto shorter = requests;
  for (auto& request : shorter) {
    const auto pairs =
        static_cast<std::size_t>(static_cast<double>(request.pairs) * std::max(0., left / needed));
    request.pairs = pairs - pairs % 2;
    if (request.pairs < fewest) return false;
  }
  requests = std::move(shorter);
  return true;
}

}  // namespace uotbench
