#include "results/record/counters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/gate/decide/decision.hpp"
#include "results/gate/gate.hpp"

namespace uotbench {
namespace {

/// Of what callgrind counts: see compare_counters.
constexpr double callgrind_tolerance = 0.01;

Verdict verdict_of(double baseline, double candidate, double tolerance) {
  if (candidate > baseline * (1 + tolerance)) return Verdict::regressed;
  return candidate < baseline * (1 - tolerance) ? Verdict::improved : Verdict::ok;
}

CounterVerdict compared(std::string name, std::string source, std::string unit, double baseline,
                        double candidate, double tolerance = 0) {
  return {.name = std::move(name),
          .source = std::move(source),
          .unit = std::move(unit),
          .baseline = baseline,
          .candidate = candidate,
          .tolerance = tolerance,
          .verdict = verdict_of(baseline, candidate, tolerance)};
}

void say(std::vector<std::string>* notes, const std::string& text) {
  if (notes) notes->push_back(on_one_line(text));
}

void compare_work(const Record& a, const Record& b, std::vector<CounterVerdict>& verdicts,
                  std::vector<std::string>* notes) {
  if (a.work.has_value() != b.work.has_value())
    say(notes, fmt::format("only the {} declares its work", a.work ? "baseline" : "candidate"));
  if (!a.work || !b.work) return;
  if (!a.work->repeats || !b.work->repeats)
    return say(notes, fmt::format("work: not compared: another run of the {} may do another amount of it",
                                  a.work->repeats ? "candidate" : "baseline"));
  if (a.work->counted != b.work->counted)
    return say(notes, fmt::format("work: not compared: the {} counted it, the other's is its model's",
                                  a.work->counted ? "baseline" : "candidate"));
  const bool counted = a.work->counted;
  const auto compare = [&](const std::string& name, const char* unit, double before, double now) {
    auto verdict = compared(name, counted ? "run" : "model", unit, before, now);
    if (!counted && before != now) {  // what a variant says of itself: the code may be the same
      say(notes, fmt::format("the work model differs, which has no verdict: {}", text_of(verdict)));
      verdict.verdict = Verdict::ok;
    }
    verdicts.push_back(std::move(verdict));
  };
  for (const auto& [name, count] : a.work->operations)
    for (const auto& other : b.work->operations)
      if (name == other.name) compare(name, "operations", count, other.count);
  compare("flops", "flops", a.work->flops, b.work->flops);
  compare("bytes_read", "bytes", a.work->bytes_read, b.work->bytes_read);
  compare("bytes_written", "bytes", a.work->bytes_written, b.work->bytes_written);
  compare("write_allocate", "bytes", a.work->write_allocate, b.work->write_allocate);
  if (a.work->bytes_nontemporal > 0 || b.work->bytes_nontemporal > 0)
    compare("bytes_nontemporal", "bytes", a.work->bytes_nontemporal, b.work->bytes_nontemporal);
}

/// Whether another run of the same code counts the same.
bool repeats(const std::optional<Counter>& counter) {
  return counter && counter->value &&
         (counter->origin.kind == "simulated" || counter->origin.kind == "exact");
}

/// Where two counters of one name are not of the same thing, in what.
std::string difference(const Counter& a, const Counter& b) {
  const auto differs = [](const char* what, const std::string& in_a, const std::string& in_b) {
    return fmt::format("{} is \"{}\" in the baseline, \"{}\" in the candidate", what, in_a, in_b);
  };
  if (a.origin.source != b.origin.source) return differs("its source", a.origin.source, b.origin.source);
  if (a.unit != b.unit) return differs("its unit", a.unit, b.unit);
  if (a.per != b.per) return differs("what it is per", name_of(a.per), name_of(b.per));
  if (a.from != b.from) return differs("its formula", a.from, b.from);
  if (a.note != b.note) return differs("its note", a.note, b.note);  // a cache with another number of sets
  return "";
}

/// Why a side has no value to compare: a reason, or that it counted in another way.
std::string lack(const std::optional<Counter>& counter) {
  if (!counter) return "not counted";
  return counter->value ? text_of(counter->origin) : counter->reason;
}

bool is_shape(const Counter& counter) { return counter.unit == "blocks" || counter.unit == "threads"; }

using KernelKey = std::pair<std::string, std::string>;  // its name, the architecture

std::map<KernelKey, Json> kernels_in(const Json& list) {
  std::map<KernelKey, Json> kernels;
  if (!list.is_array()) return kernels;
  const auto text = [](const Json& kernel, const char* key) {
    const Json value = kernel.value(key, Json());
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  for (const Json& kernel : list)
    if (kernel.is_object() && !text(kernel, "kernel").empty())
      kernels[{text(kernel, "kernel"), text(kernel, "architecture")}] = kernel;
  return kernels;
}

}  // namespace

bool is_exact_cost(const Counter& counter) { return repeats(counter) && !is_shape(counter); }

double tolerance_of_source(const std::string& source) {
  return source.starts_with("callgrind") ? callgrind_tolerance : 0;
}

std::vector<CounterVerdict> compare_counters(const Record& baseline, const Record& candidate,
                                             std::vector<std::string>* notes) {
  std::vector<CounterVerdict> verdicts;
  compare_work(baseline, candidate, verdicts, notes);
  for (const auto& name : counter_names_in(std::vector<const Record*>{&baseline, &candidate})) {
    const auto a = counter_of(baseline, name), b = counter_of(candidate, name);
    if (!repeats(a) && !repeats(b)) continue;
    if (!repeats(a) || !repeats(b)) {
      say(notes, fmt::format("{}: only the {} has it, {}; the {}: {}", name,
                             repeats(a) ? "baseline" : "candidate", (repeats(a) ? a : b)->origin.kind,
                             repeats(a) ? "candidate" : "baseline", lack(repeats(a) ? b : a)));
    } else if (const std::string why = difference(*a, *b); !why.empty()) {
      say(notes, fmt::format("{}: not compared: {}", name, why));
    } else if (is_shape(*a)) {
      if (*a->value != *b->value)
        say(notes, fmt::format("{}: {} in the baseline, {} in the candidate", name, *a->value, *b->value));
    } else {
      verdicts.push_back(compared(name, a->origin.source, a->unit, *a->value, *b->value,
                                  tolerance_of_source(a->origin.source)));
    }
  }
  return verdicts;
}

std::vector<CounterVerdict> compare_kernels(const Json& baseline, const Json& candidate,
                                            std::vector<std::string>* notes) {
  const auto before = kernels_in(baseline), now = kernels_in(candidate);
  std::set<std::string> architectures;
  for (const auto& [key, kernel] : now) architectures.insert(key.second);
  std::vector<CounterVerdict> verdicts;
  for (const auto& [key, kernel] : before) {
    const auto& [name, architecture] = key;
    const auto found = now.find(key);
    const std::string called = architectures.size() > 1 ? fmt::format("{} for {}", name, architecture) : name;
    if (found == now.end()) {
      say(notes, fmt::format("kernel {} for {}: only the baseline has it", name, architecture));
      continue;
    }
    for (const auto& [fact, text, unit] :
         {std::tuple("registers", "registers", "registers"), std::tuple("spill_bytes", "spills", "bytes"),
          std::tuple("stack_bytes", "stack", "bytes"),
          std::tuple("shared_bytes", "shared memory", "bytes")}) {
      const Json a = kernel.value(fact, Json()), b = found->second.value(fact, Json());
      if (a.is_number() && b.is_number())
        verdicts.push_back(compared(fmt::format("{} of {}", text, called), "ptxas", unit, a, b));
    }
  }
  for (const auto& [key, kernel] : now)
    if (!before.contains(key))
      say(notes, fmt::format("kernel {} for {}: only the candidate has it", key.first, key.second));
  return verdicts;
}

void tell_counters(GateReport& report, const std::string& why, bool requested) {
  if (compared_in(report) == 0) return;
  std::map<std::string, std::size_t> cases;  // by source
  bool any = false;
  for (const auto& one : report.cases) {
    std::set<std::string> sources;
    for (const auto& counter : one.counters) {
      sources.insert(counter.source);
      any = any || is_of_code(counter);
    }
    for (const auto& source : sources) ++cases[source];
  }
  std::string text;
  for (const auto& [source, count] : cases)
    text += fmt::format("{}{} ({} case{})", text.empty() ? "" : ", ",
                        source == "model" ? "work model" : source, count, count == 1 ? "" : "s");
  if (!text.empty()) report.notes.push_back("compared exactly: " + text);
  if (!any) (requested ? report.notes : report.warnings).push_back("no counters were compared: " + why);
}

void CaseNotes::add(const std::string& id, const std::vector<std::string>& notes) {
  for (const auto& note : notes) {
    auto& ids = ids_[note];
    if (ids.empty()) order_.push_back(note);
    ids.push_back(id);
  }
}

std::vector<std::string> CaseNotes::lines() const {
  std::vector<std::string> lines;
  for (const auto& note : order_) {
    const auto& ids = ids_.at(note);
    lines.push_back(ids.size() == 1 ? fmt::format("{}: {}", ids[0], note)
                                    : fmt::format("{} ({} cases)", note, ids.size()));
  }
  return lines;
}

}  // namespace uotbench
