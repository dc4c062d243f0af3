#include "harness/sweep/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/protocol/point_json.hpp"
#include "harness/sweep/gate/arms.hpp"
#include "results/base/error.hpp"
#include "results/base/pattern.hpp"

namespace uotbench {
namespace {

/// The sweep with these cases alone, and without what speaks of all of them.
Sweep part_of(const Sweep& sweep, std::vector<CaseGroup> entries) {
  Sweep part = sweep;
  part.cases = std::move(entries);
  part.speedup_over = {};
  part.published.clear();
  return part;
}

/// The cases of an entry in one arm; or why it has none.
struct Side {
  std::vector<std::string> ids;
  std::string obstacle;
};

Side side_of(const Sweep& sweep, const CaseGroup& entry, WorkerPool& pool) try {
  return {make_plan(part_of(sweep, {entry}), pool, {}).ids(), ""};
} catch (const UsageError& error) {
  return {{}, error.what()};
}

/// Which of the other arm's cases this one has, too, by their names: a value that it lacks takes away its
/// own cases, not all of the entry. Adds why it has the others not.
Side named_in(const std::vector<std::string>& ids, WorkerPool& pool,
              std::map<std::string, std::string>& why) {
  const NamedCases named = named_cases(ids, pool);
  why.insert(named.impossible.begin(), named.impossible.end());
  Side side;
  for (const auto& id : ids)
    if (std::ranges::none_of(named.impossible, [&](const auto& one) { return one.first == id; }))
      side.ids.push_back(id);
  return side;
}

std::vector<CaseGroup> single_variants(const CaseGroup& entry) {
  std::vector<CaseGroup> parts;
  for (const auto& variant : entry.variants) {
    parts.push_back(entry);
    parts.back().variants = {variant};
  }
  return parts;
}

/// Why a worker cannot be asked at all: it crashed, hung or talks nonsense; empty: it can.
std::string defect_of_worker(const std::string& worker, WorkerPool& pool) {
  const auto& failure = pool.worker_info(worker).failure;
  return failure && failure->status != Status::skipped
             ? fmt::format("{}: {}", name_of(failure->status), failure->reason)
             : "";
}

std::string defect_of(const std::string& id, WorkerPool& pool) {
  return defect_of_worker(parse_case_id(id).worker, pool);
}

/// What is planned for a worker that cannot be asked has names that nobody vouches for. Returns them.
std::vector<std::string> leave_out_broken(Side& side, WorkerPool& pool) {
  std::vector<std::string> broken;
  std::erase_if(side.ids, [&](const std::string& id) {
    if (defect_of(id, pool).empty()) return false;
    broken.push_back(id);
    return true;
  });
  return broken;
}

/// Why neither arm can be asked for cases of this worker; empty: one can.
std::string defect_of_both(const std::string& worker, WorkerPool& baseline, WorkerPool& candidate) {
  const std::string a = defect_of_worker(worker, baseline), b = defect_of_worker(worker, candidate);
  return a.empty() || b.empty()
             ? ""
             : fmt::format("both builds are broken: the baseline {}; the candidate {}", a, b);
}

class Wanted {
 public:
  explicit Wanted(const Selection& selection) : named_(selection.cases) {
    if (selection.filter) filter_.emplace(*selection.filter, "--filter");
    if (selection.exclude) exclude_.emplace(*selection.exclude, "--exclude");
  }
  bool operator()(const std::string& id) const {
    return (named_.empty() || std::ranges::find(named_, id) != named_.end()) &&
           (!filter_ || filter_->is_in(id)) && (!exclude_ || !exclude_->is_in(id));
  }

 private:
  std::vector<std::string> named_;
  std::optional<Pattern> filter_, exclude_;
};

Plan plan_of(const Sweep& sweep, const std::vector<std::string>& ids, WorkerPool& pool) {
  if (ids.empty()) return {};
  return make_plan(part_of(sweep, named_cases(ids, pool).entries), pool, {.skip_impossible = true});
}

/// Skipped: it is not for this machine, or refused. Anything else is a broken worker's, and is run into.
bool is_skipped(const Case& member) { return member.decided && member.decided->status == Status::skipped; }

/// Takes cases that an arm skips out of both plans.
void keep_what_both_run(GatePlan& plan) {
  std::map<std::string, const Case*> baseline, candidate;
  for (const auto& group : plan.baseline.groups)
    for (const auto& member : group.cases) baseline[member.id] = &member;
  for (const auto& group : plan.candidate.groups)
    for (const auto& member : group.cases) candidate[member.id] = &member;
  std::set<std::string> out;
  for (const auto& [id, one] : baseline) {
    const Case* const other = candidate[id];
    if (!other)
      plan.missing.push_back({id, "the candidate calls it by another name"});
    else if (is_skipped(*one) && is_skipped(*other))
      plan.nowhere.push_back({id, other->decided->reason});
    else if (is_skipped(*one))
      plan.added.push_back({id, "the baseline skips it: " + one->decided->reason});
    else if (is_skipped(*other))
      plan.missing.push_back({id, "the candidate skips it: " + other->decided->reason});
    else
      continue;
    out.insert(id);
  }
  for (Plan* const side : {&plan.baseline, &plan.candidate}) {
    for (auto& group : side->groups)
      std::erase_if(group.cases, [&](const Case& member) { return out.contains(member.id); });
    std::erase_if(side->groups, [](const Group& group) { return group.cases.empty(); });
  }
}

}  // namespace

GatePlan plan_gate(const Sweep& sweep, WorkerPool& baseline, WorkerPool& candidate,
                   const Selection& selection) {
  const Wanted wanted(selection);
  GatePlan plan;
  std::set<std::string> seen, in_baseline, in_candidate;
  std::map<std::string, std::string> why_not_baseline, why_not_candidate;
  for (const auto& entry : sweep.cases)
    for (const auto& part : single_variants(entry)) {
      Side a = side_of(sweep, part, baseline), b = side_of(sweep, part, candidate);
      if (!a.obstacle.empty() && !b.obstacle.empty()) {
        // What a pattern stands for is known to nobody then.
        for (const auto& worker : part.workers.empty() ? sweep.workers : part.workers)
          if (const std::string both = defect_of_both(worker, baseline, candidate); !both.empty())
            throw BothBroken(both);
        throw UsageError(b.obstacle);
      }
      auto unasked = leave_out_broken(a, baseline);
      for (auto& id : leave_out_broken(b, candidate)) unasked.push_back(std::move(id));
      for (const auto& id : unasked) {
        // Else the other arm says what there is.
        if (!defect_of_both(parse_case_id(id).worker, baseline, candidate).empty() && wanted(id) &&
            seen.insert(id).second)
          plan.ids.push_back(id);
      }
      // What a pattern stands for in one arm is asked of the other by name.
      const Side of_a = named_in(b.ids, baseline, why_not_baseline),
                 of_b = named_in(a.ids, candidate, why_not_candidate);
      in_baseline.insert(a.ids.begin(), a.ids.end());
      in_baseline.insert(of_a.ids.begin(), of_a.ids.end());
      in_candidate.insert(b.ids.begin(), b.ids.end());
      in_candidate.insert(of_b.ids.begin(), of_b.ids.end());
      for (const auto* side : {&a, &b})
        for (const auto& id : side->ids)
          if (wanted(id) && seen.insert(id).second) plan.ids.push_back(id);
    }
  if (plan.ids.empty()) throw UsageError("--filter, --exclude and --case leave no case of the sweep");
  std::vector<std::string> common;
  for (const auto& id : plan.ids) {
    if (const std::string both = defect_of_both(parse_case_id(id).worker, baseline, candidate);
        !both.empty()) {
      plan.broken.push_back({id, both});
      continue;
    }
    if (const std::string why = defect_of(id, candidate); !why.empty()) {
      plan.broken.push_back({id, why});
      continue;
    }
    if (const std::string why = defect_of(id, baseline); !why.empty()) {
      plan.no_baseline.push_back({id, "nothing to compare with: the baseline " + why});
      continue;
    }
    const bool a = in_baseline.contains(id), b = in_candidate.contains(id);
    if (a && b)
      common.push_back(id);
    else if (a)
      plan.missing.push_back({id, why_not_candidate[id]});
    else
      plan.added.push_back({id, why_not_baseline[id]});
  }
  plan.baseline = plan_of(sweep, common, baseline);
  plan.candidate = plan_of(sweep, common, candidate);
  keep_what_both_run(plan);
  return plan;
}

}  // namespace uotbench
