#include "results/gate/decide/acceptance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

std::string trimmed(std::string_view text) {
  const auto blank = [](char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

/// Whether '*' as any text, '/' included, makes one of the other.
bool matches(std::string_view pattern, std::string_view text) {
  // Where a '*' was, and what it has taken so far: the last one can always take more.
  std::size_t p = 0, t = 0, star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

/// "uot/map_uot" of "uot/map_uot/M:64/N:64@native-v4": what stands before the axes.
std::string_view variant_of(std::string_view id) {
  const auto colon = id.find(':');
  return colon == std::string_view::npos ? id.substr(0, id.rfind('@')) : id.substr(0, id.rfind('/', colon));
}

bool regressed(const GateCase& one) {
  return (one.time && one.time->verdict == Verdict::regressed) ||
         std::ranges::find(one.counters, Verdict::regressed, &CounterVerdict::verdict) != one.counters.end();
}

}  // namespace

Acceptance acceptance_from_trailer(const std::string& text, const std::string& by) {
  const std::string words = trimmed(text);
  const auto end = std::ranges::find_if(words, [](unsigned char c) { return std::isspace(c) != 0; });
  Acceptance acceptance{.what = std::string(words.begin(), end),
                        .reason = trimmed(std::string_view(end, words.end())),
                        .by = by};
  if (acceptance.what.empty() || acceptance.reason.empty())
    throw UsageError(fmt::format(
        "Perf-Accept: \"{}\" ({}): the {} is missing; expected a case or a pattern, a blank, the reason",
        words, by, acceptance.what.empty() ? "case" : "reason"));
  return acceptance;
}

bool names_case(const std::string& what, const std::string& id) {
  const std::string_view whole = id;
  return matches(what, whole) || matches(what, whole.substr(0, whole.rfind('@'))) ||
         matches(what, variant_of(whole));
}

bool accepts(const Acceptance& acceptance, const std::string& id) { return names_case(acceptance.what, id); }

void apply(const std::vector<Acceptance>& acceptances, GateReport& report) {
  for (const auto& acceptance : acceptances) {
    std::size_t named = 0, used = 0;
    for (auto& one : report.cases) {
      if (!accepts(acceptance, one.id)) continue;
      ++named;
      if (!regressed(one)) continue;
      ++used;
      if (!one.accepted) one.accepted = fmt::format("{} ({})", acceptance.reason, acceptance.by);
      settle(one);
    }
    if (used > 0) continue;
    report.notes.push_back(
        fmt::format("accepted by {}, \"{}\": {}", acceptance.by, acceptance.what,
                    named == 0 ? "no case is named like that" : "nothing of it regressed"));
  }
}

}  // namespace uotbench
