#include "harness/sweep/run/first_below.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/sweep/run/runner.hpp"
#include "harness/sweep/run/session.hpp"
#include "results/base/error.hpp"
#include "results/record/axes/case_parts.hpp"

namespace uotbench {
namespace {

// The runner's half that asks how soon a solve is at a target of the judge's: states on its way are judged,
// and solves that stop there are timed. Tests that methods end by differ; this puts all of them on one axis.

/// Where the judge tells no number of this name, or no finite one, the solve is nowhere near.
double number_in(const JudgedReply& judged, const std::string& name) {
  const auto found = judged.check ? judged.check->found.number(name) : std::nullopt;
  return found.value_or(std::numeric_limits<double>::infinity());
}

/// Why no state of this case can be asked for; empty: it can.
std::string obstacle_to(const Record& record, const std::string& of) {
  if (!record.time || record.time->per != Unit::solve || !record.time->iterations)
    return "what is timed is no solve";
  if (!record.check || !record.check->found.contains(of)) return fmt::format("the oracle reports no {}", of);
  return "";
}

}  // namespace

State FirstBelow::of(double target) {
  State best = known_below(target);
  // Stops that nobody has looked at are above `low` and below `end`.
  std::int64_t low = 0, end = best.iterations;
  for (const auto& [iterations, found] : known_)
    if (iterations < best.iterations && found > target) low = iterations;
  for (bool halve = false; end - low > 1; halve = !halve) {
    const std::int64_t asked = halve ? low + (end - low) / 2 : guess(low, best, end, target);
    const State state = ask(asked);
    if (state.iterations < best.iterations && state.found > target) {
      low = state.iterations;
    } else {  // it does not stop from `asked` to there
      end = asked;
      if (state.iterations < best.iterations) best = state;
    }
  }
  return best;
}

/// The first known one, or one beyond all that are known.
State FirstBelow::known_below(double target) {
  for (;;) {
    for (const auto& [iterations, found] : known_)
      if (found <= target) return {iterations, found};
    const auto [iterations, found] = *known_.rbegin();
    const State next = ask(2 * iterations);
    if (!(next.found <= std::max(target, found / 2)))
      throw Error(fmt::format("it stays above: {:.2g} after {} iterations, {:.2g} after {}", found,
                              iterations, next.found, next.iterations));
  }
}

State FirstBelow::ask(std::int64_t iterations) {
  const State state = state_after_(iterations);
  if (state.iterations < iterations)
    throw Error(fmt::format("it stopped after {} iterations, asked for {}", state.iterations, iterations));
  known_[state.iterations] = state.found;
  return state;
}

/// As if the distance shrank by the same factor each time.
std::int64_t FirstBelow::guess(std::int64_t low, const State& high, std::int64_t end, double target) const {
  const auto known = known_.find(low);
  if (known == known_.end() || !std::isfinite(known->second)) return low + (end - low) / 2;
  constexpr double least = 1e-300;
  const double way = std::log(known->second / target),
               all = std::log(known->second / std::max(high.found, least));
  const double steps = std::ceil(static_cast<double>(high.iterations - low) * way / all);
  return std::clamp(low + static_cast<std::int64_t>(steps), low + 1, end - 1);
}

/// Times and judgement stand, whatever becomes of this.
void Runner::reach(const Group& group, const Case& member, Record& record) {
  std::map<std::string, FirstBelow> searches;
  for (const auto& [of, target] : options_.measure.reach) {
    Reach reach{.of = of, .target = target, .reason = obstacle_to(record, of)};
    progress_.doing(member.id, "searching for " + name_of(reach));
    if (reach.reason.empty()) try {
        const auto search = searches.try_emplace(
            of, [&, of](std::int64_t iterations) { return state_after(group, member, iterations, of); },
            State{*record.time->iterations, record.check->found.number(of).value()});
        const State state = search.first->second.of(target);
        reach.iterations = state.iterations;
        reach.found = state.found;
        reach.samples = stopped_solves(group, member, state.iterations);
      } catch (const Interrupted&) {
        throw;
      } catch (const Error& error) {  // WorkerFailure among them
        reach.reason = on_one_line(error.what());
      }
    record.reach.push_back(std::move(reach));
  }
  progress_.advance();
}

State Runner::state_after(const Group& group, const Case& member, std::int64_t iterations,
                          const std::string& of) {
  State state{0, 0};
  files_->watched(member.worker, [&] {
    files_->make_outputs();
    WorkerProcess& process = process_of(member);
    if (!process.tells_step(step::state))
      throw Error(fmt::format("worker {} does not know the step state", member.worker));
    const Session session = session_of(group, member);
    RunRequest message = session.request(run_step::State{});
    message.iterations = iterations;
    const StateReply answer = *process.ask(message, options_.measure.case_timeout).state;
    state.iterations = answer.iterations;
    state.found = number_in(session.judge(answer.outputs, state.iterations), of);
  });
  return state;
}

/// Seconds of such solves, in a process of its own as all that are timed have.
std::vector<double> Runner::stopped_solves(const Group& group, const Case& member, std::int64_t iterations) {
  const Session session = session_of(group, member);
  std::vector<double> samples;
  files_->watched(member.worker, [&] {
    std::unique_ptr<WorkerProcess> fresh;
    WorkerProcess& process = process_to_time(session, fresh);
    run_step::Time sampling = this->sampling(options_.measure.rounds);
    sampling.stop_after = iterations;
    const RunReply reply = process.ask(session.request(sampling), options_.measure.case_timeout);
    const TimedAnswer timed = timed_answer(*reply.time, process);
    if (timed.per != Unit::solve || timed.iterations != iterations)
      throw Error(
          fmt::format("asked to time solves that stop after {} iterations it timed others", iterations));
    samples = timed.samples.samples;
  });
  return samples;
}

}  // namespace uotbench
