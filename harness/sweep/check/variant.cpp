#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "harness/host/facts/usable.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/sweep/check/check_worker.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

/// What the family has workers checked at; the axes that it leaves out are at their defaults.
std::vector<Json> problems_of(const FamilyInfo& family) {
  Json standard = Json::object();
  for (const auto& axis : family.axes) standard[axis.name] = to_json(axis.standard);
  std::vector<Json> problems;
  for (const auto& point : family.checked) {
    problems.push_back(standard);
    problems.back().update(point.json());
  }
  if (problems.empty())
    throw Wrong{fmt::format("the oracle names no point of the family {} to check at", family.name),
                "an oracle of this version"};
  return problems;
}

std::vector<Probe> probes_of(CheckSession& session, const VariantInfo& variant, const FamilyInfo& family) {
  std::vector<Axis> axes = family.axes;
  axes.insert(axes.end(), variant.axes.begin(), variant.axes.end());
  const auto problems = problems_of(family);
  const auto answers =
      session.ask_oracle_to_plan({{"type", "plan"}, {"family", family.name}, {"points", problems}});
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const PlannedPoint& planned = answers.at(i);
    if (planned.refused) throw Wrong{"the oracle: " + *planned.refused};
    const Json derived = to_json(planned.derived);
    Json problem = problems[i];
    for (const auto& [axis, value] : derived.items())
      if (problem[axis].is_null()) problem[axis] = value;
    Json point = problem;
    for (const auto& axis : variant.axes) point[axis.name] = to_json(axis.standard);
    Probe& probe = probes.emplace_back();
    Group& group = probe.group;
    group.family = family.name;
    group.judged_after = planned.judged_after;
    group.memoryless = family.memoryless;
    group.problem = std::move(problem);
    group.input_bytes = planned.memory;
    Case& member = probe.member;
    member.variant = variant.name;
    member.worker = session.name();
    member.tolerance = variant.tolerance;
    member.id = case_id(variant.name, axes, point, derived, session.name());
    member.point = std::move(point);
  }
  return probes;
}

/// The request as a run makes it: what all points say stands in `common`.
Json plan_request(const VariantInfo& variant, const std::vector<Probe>& probes) {
  const Json& common = probes.front().member.point.json();
  Json points = Json::array();
  for (const auto& probe : probes) {
    points.push_back(Json::object());
    for (const auto& [axis, value] : probe.member.point.json().items())
      if (common.at(axis) != value) points.back()[axis] = value;
  }
  return {{"type", "plan"}, {"variant", variant.name}, {"common", common}, {"points", points}};
}

/// Leaves the probes that are not refused; says what was planned.
std::string planned(CheckSession& session, const VariantInfo& variant, std::vector<Probe>& probes) {
  const auto answers = session.ask_to_plan(plan_request(variant, probes));
  std::vector<Probe> accepted;
  double most = 0;
  std::string refusal;
  for (std::size_t i = 0; i < probes.size(); ++i) {
    if (answers[i].refused) {
      refusal = *answers[i].refused;
    } else {
      most = std::max(most, answers[i].memory);
      accepted.push_back(probes[i]);
      accepted.back().member.steps = answers[i].steps;
    }
  }
  std::string text = fmt::format("{} points, at most {} of memory", probes.size(), format_bytes(most));
  if (accepted.size() < probes.size())
    text += fmt::format("; {} refused: {}", probes.size() - accepted.size(), refusal);
  probes = std::move(accepted);
  return text;
}

/// Every file of a folder, whole: the arrays of a check are small.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    // A worker may have put a pipe or a device there, which would never end.
    const bool regular = !entry.is_symlink() && entry.is_regular_file();
    std::ifstream in(regular ? entry.path() : fs::path("/dev/null"), std::ios::binary);
    std::string name = entry.path().filename();
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    files[name] = {std::istreambuf_iterator<char>(in), {}};
  }
  return files;
}

using Files = std::map<std::string, std::string>;

/// Names whose files differ, appeared or went away.
std::vector<std::string> changed(const Files& before, const Files& after) {
  std::vector<std::string> names;
  for (const auto& [name, bytes] : before)
    if (const auto found = after.find(name); found == after.end() || found->second != bytes)
      names.push_back(name);
  for (const auto& [name, bytes] : after)
    if (!before.contains(name)) names.push_back(name);
  return names;
}

void require_outputs(const std::vector<std::string>& named, const Files& before, const Files& after) {
  const auto written = changed(before, after);
  for (const auto& name : named) {
    std::vector<std::string> there;
    for (const auto& [output, bytes] : before) there.push_back(output);
    if (!before.contains(name))
      throw Wrong{fmt::format("it names the output \"{}\"", name),
                  fmt::format("outputs are {}", fmt::join(there, ", "))};
    if (std::ranges::find(written, name) == written.end())
      throw Wrong{fmt::format("it says that it wrote {}, which is as it was", name),
                  "\"outputs\" names the arrays that it wrote, and no others"};
  }
  for (const auto& name : written)
    if (std::ranges::find(named, name) == named.end())
      throw Wrong{fmt::format("it wrote {}, which it does not name", name),
                  "\"outputs\" names every array that it wrote"};
}

/// One solution, judged; returns its error.
double judged(CheckSession& session, const Probe& probe, ProblemFiles& files, int iterations) {
  const fs::path out = files.folder() / "out";
  const Files poisoned = contents(out);
  const RunReply reply = session.ask(run_request(probe, files, run_step::Verify{}, iterations));
  const std::vector<std::string>& outputs = *reply.outputs;
  require_inputs(files);
  require_outputs(outputs, poisoned, contents(out));
  const JudgedReply result = files.judge({.variant = probe.member.variant,
                                          .point = probe.member.point,
                                          .outputs = outputs,
                                          .iterations = iterations,
                                          .tolerance = probe.member.tolerance});
  if (!result.reason.empty()) throw Wrong{result.reason};
  return result.check->error;
}

/// The error of the outputs after so many iterations. A wrong one is thrown with the case and their number.
double verified(CheckSession& session, const Probe& probe, ProblemFiles& files, int iterations) {
  const std::string& id = probe.member.id;
  const std::size_t from = probe.member.variant.size() + 1;
  const std::string where =
      fmt::format("{}, {} iterations: ", id.substr(from, id.rfind('@') - from), iterations);
  try {
    files.make_outputs();
    return judged(session, probe, files, iterations);
  } catch (Wrong& wrong) {
    wrong.found = where + wrong.found;
    throw;
  } catch (WorkerFailure& failure) {
    failure = at_place(where, failure);
    // It lives, so it said so itself.
    if (failure.status == Status::failed && session.worker_is_there())
      throw Wrong{failure.reason, R"(a result; what it cannot solve it says to plan: {"refused":"why"})"};
    throw;
  }
}

/// A work model that is not declared is no fault: the tables have less to show.
void note_work(CheckSession& session, const VariantInfo& variant) {
  const std::string what = "work of " + variant.name;
  if (!session.work())
    session.note(
        what,
        R"(not declared, so tables show no flops and no bandwidth; say with any answer to run "work":{"flops":)"
        R"(...,"bytes_read":...,"bytes_written":...,"write_allocate":0,"working_set":...})");
  else if (!session.work()->working_set)
    session.note(what,
                 R"(without "working_set": which cache it comes from is not known, so no roof is shown)");
}

}  // namespace

void require_inputs(ProblemFiles& files) {
  if (const auto name = files.changed_input(); !name.empty())
    throw Wrong{fmt::format("it changed the input {}", name),
                "inputs are shared by all workers: copy what is iterated on"};
}

ProblemFiles problem_files(CheckSession& session, const Probe& probe) {
  ProblemFiles files(
      session.pool(), probe.group.family, probe.group.problem,
      [&session, bytes = probe.group.input_bytes] { return session.workspace().fresh(bytes); });
  files.make_outputs();
  return files;
}

RunRequest run_request(const Probe& probe, const ProblemFiles& files, const RunStep& step,
                       std::int64_t iterations) {
  return {.id = probe.member.id,
          .variant = probe.member.variant,
          .point = point_from(probe.member.point.json()),
          .in = files.in(),
          .out = files.out(),
          .step = step,
          .iterations = iterations,
          .cpus = {usable_cpus().front()}};
}

void check_variant(CheckSession& session, const VariantInfo& variant) {
  session.forget_work();
  const FamilyInfo& family = session.pool().families().at(variant.family());
  if (!family.oracle)
    return session.note("verify " + variant.name, "a family of its own: no oracle verifies what it computes");
  std::vector<Probe> probes;
  const bool is_planned =
      session.check("plan " + variant.name, R"(for each point {"memory":BYTES} or {"refused":"why"})", [&] {
        probes = probes_of(session, variant, family);
        return planned(session, variant, probes);
      });
  if (!is_planned) return;
  if (probes.empty()) return session.note("verify " + variant.name, "refuses all points: nothing to check");

  const bool is_right =
      session.check("verify " + variant.name, "what the oracle computes from the same inputs", [&] {
        double error = 0;
        for (const auto& probe : probes) {
          auto files = problem_files(session, probe);
          std::set<int> all;
          for (const int iterations : probe.group.judged_after)
            all.insert(whole_steps(iterations, probe.member.steps));
          for (const int iterations : all)
            error = std::max(error, verified(session, probe, files, iterations));
        }
        return fmt::format("right at {} points, error up to {:.1e}", probes.size(), error);
      });
  if (!is_right) return;
  session.check("unknown step of " + variant.name, R"({"type":"error","message":"why"})", [&] {
    const auto files = problem_files(session, probes.front());
    Json request = to_json(run_request(probes.front(), files, run_step::Verify{}, 2));
    request["steps"] = {"sing"};
    return session.refusal(request);
  });
  check_time(session, variant, probes.front());
  note_work(session, variant);
}

}  // namespace uotbench
