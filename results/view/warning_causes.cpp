#include "results/view/warning_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "results/base/text.hpp"
#include "results/record/timing_warnings.hpp"

namespace uotbench {
namespace {

/// More are all of one trouble, such as a worker that says something else of every case.
constexpr std::size_t shown_causes = 6;

/// "round 2: " of a warning of one round.
std::string without_round(const std::string& text) {
  const auto end = text.find(": ");
  const bool round = text.starts_with("round ") && end != std::string::npos &&
                     text.find_first_not_of("0123456789", 6) == end;
  return round ? text.substr(end + 2) : text;
}

std::string without_numbers(const std::string& text) {
  std::string plain;
  for (const char c : text)
    if (c < '0' || c > '9') plain += c;
  return plain;
}

struct Cause {
  std::string text, id;  ///< of the first case
  std::size_t cases = 0;
  const CaseView* last = nullptr;
};

}  // namespace

std::vector<std::string> warnings_by_cause(const RunView& view) {
  std::vector<Cause> causes;
  std::map<std::string, std::size_t> known;
  std::size_t timed = 0, busy = 0;
  double least = 1;
  std::string of_one;  // what the only case says that had to share its CPU
  for (const auto& group : view.groups)
    for (const auto& member : group.cases) {
      timed += member.time.has_value();
      bool shared = false;
      for (const auto& warning : member.warnings) {
        if (const auto share = busy_share(warning)) {
          if (!shared && ++busy == 1) of_one = fmt::format("{}: {}", cut_middle(member.record->id), warning);
          shared = true;
          least = std::min(least, *share);
          continue;
        }
        const std::string text = without_round(warning);
        const auto [place, fresh] = known.try_emplace(without_numbers(text), causes.size());
        if (fresh) causes.push_back({.text = warning, .id = member.record->id});
        Cause& cause = causes[place->second];
        if (cause.last != &member) ++cause.cases;
        cause.last = &member;
      }
    }
  std::vector<std::string> lines;
  if (busy == 1) lines.push_back(of_one);
  if (busy > 1)
    lines.push_back(
        fmt::format("the machine was busy: {} of {} cases had their CPU for less than {:.0f}% of the time, "
                    "one for {:.0f}%",
                    busy, timed, 100 * least_busy, 100 * least));
  for (std::size_t i = 0; i < std::min(causes.size(), shown_causes); ++i) {
    const Cause& cause = causes[i];
    const std::string id = cut_middle(cause.id);
    if (cause.cases == 1)
      lines.push_back(fmt::format("{}: {}", id, cause.text));
    else
      lines.push_back(fmt::format("{} of {} cases: {} ({}, …)", cause.cases, timed, cause.text, id));
  }
  if (causes.size() > shown_causes)
    lines.push_back(fmt::format("and {} more causes of doubt: uotbench show {} --json",
                                causes.size() - shown_causes, view.run->path.string()));
  return lines;
}

}  // namespace uotbench
