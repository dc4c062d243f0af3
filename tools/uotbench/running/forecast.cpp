#include "tools/uotbench/running/forecast.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "tools/uotbench/views/text_layout.hpp"

namespace uotbench {
namespace {

struct VariantCount {
  std::size_t cases = 0, skipped = 0;
};

std::string counts_by_variant(const Plan& plan) {
  std::map<std::string, VariantCount> counts;
  std::size_t names = 0, digits = 0;
  for (const auto& group : plan.groups)
    for (const auto& member : group.cases) {
      auto& count = counts[on_one_line(member.variant)];
      ++count.cases;
      count.skipped += member.decided.has_value();
    }
  for (const auto& [name, count] : counts) {
    names = std::max(names, columns_of(name));
    digits = std::max(digits, std::to_string(count.cases).size());
  }
  std::string text;
  for (const auto& [name, count] : counts)
    text +=
        fmt::format("  {}{}  {:>{}}{}\n", name, std::string(names - columns_of(name), ' '), count.cases,
                    digits, count.skipped > 0 ? fmt::format(", of which {} cannot run", count.skipped) : "");
  return text;
}

/// How long the newest whole run of this plan took.
std::string earlier(const Execution& what) {
  const auto plan = what.plan.ids();
  for (const auto& path : runs_of(what.sweep.name)) try {
      const Run run = read_run(path);
      const auto elapsed = run.end ? run.end->elapsed() : std::nullopt;
      if (!elapsed || !run.resumes.empty() || !run.unfinished.empty() || run.plan() != plan ||
          !run.header.options || run.header.options->verify_only != what.verify_only)
        continue;
      return fmt::format("{} with the same cases took {}\n", on_one_line(path.string()),
                         format_wait(*elapsed));
    } catch (const std::exception&) {  // no whole run: nothing is known from it
    }
  return "";
}

}  // namespace

std::string forecast(const Execution& what, WorkerPool& pool) {
  std::size_t timed = 0;
  for (const auto& group : what.plan.groups)
    for (const auto& member : group.cases)
      timed += !member.decided && member.untimed.empty() && pool.manifest(member.worker).does(step::time);
  const auto& measure = what.sweep.measure;
  std::string text = counts_by_variant(what.plan);
  if (!what.verify_only && measure.rounds > 0 && timed > 0)
    text += fmt::format(
        "sampling takes up to {} ({} of {}); inputs, verification and starting processes come on top\n",
        format_wait(static_cast<double>(timed) * measure.max_time), counted(timed, "case"),
        format_seconds(measure.max_time));
  return text + earlier(what);
}

}  // namespace uotbench
