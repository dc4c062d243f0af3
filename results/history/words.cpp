#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

#include "results/base/text.hpp"
#include "results/base/units.hpp"
#include "results/history/history.hpp"
#include "results/view/shell_words.hpp"

namespace uotbench {
namespace {

/// Bytes; git's own advice is 50 characters.
constexpr std::size_t subject_shown = 60;

std::string amount_of(double value, const std::string& unit) {
  if (unit == "bytes") return format_bytes(value);
  return format_count(value) + (unit == "1" ? "" : " " + unit);
}

}  // namespace

std::string bisect_command(const History& history, const HistoryLine& line, const HistoryStep& step) {
  return fmt::format("uotbench bisect {} {} --case {}{}",
                     history.commits[step.surely_good].hash.substr(0, 12),
                     history.commits[step.surely_bad].hash.substr(0, 12), shell_quoted(line.id),
                     step.interval ? "" : " --counters");
}

std::string text_of(const HistoryCommit& commit) {
  const std::string day = fmt::format("{:%Y-%m-%d}", fmt::gmtime(static_cast<std::time_t>(commit.time)));
  return fmt::format("{} {}{}{}", day, commit.hash.substr(0, 8), commit.subject.empty() ? "" : " ",
                     cut(commit.subject, subject_shown));
}

std::string text_of(const HistoryStep& step) {
  if (!step.interval)
    return fmt::format("from {} to {}", amount_of(step.before, step.unit), amount_of(step.after, step.unit));
  return fmt::format("{}x ({} to {})", format_fixed(step.ratio, 3), format_fixed(step.interval->low, 3),
                     format_fixed(step.interval->high, 3));
}

std::string word_of(const HistoryStep& step) {
  if (step.accepted) return "accepted";
  if (step.is_reported) return step.after > step.before ? "more" : "less";
  if (step.interval) return step.slower() ? "slower" : "faster";
  return step.slower() ? "more" : "fewer";
}

std::string place_of(const History& history, const HistoryLine& line) {
  const auto machine = history.machines.find(line.machine);
  const std::string cpu = machine == history.machines.end() ? "unknown CPU" : machine->second;
  return fmt::format("{} ({}){}{}{}{}", cpu, line.machine.empty() ? "no fingerprint" : line.machine,
                     line.build.empty() ? "" : ", ", line.build, line.inputs.empty() ? "" : ", input files ",
                     line.inputs.substr(0, 8));
}

}  // namespace uotbench
