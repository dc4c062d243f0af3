#include "harness/sweep/workers/validation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "harness/host/process/cpu_use.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/sweep/language/schema.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/document.hpp"
#include "results/base/json.hpp"
#include "results/base/rules.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

const Rules& rules() {
  static const Rules made(protocol_schema());
  return made;
}

/// What a record must hold after a step.
constexpr std::array<std::pair<const char*, const char*>, 6> held_after{{{"verify", "outputs"},
                                                                         {"time", "time"},
                                                                         {"count", "counts"},
                                                                         {"prove", "proved"},
                                                                         {"state", "state"},
                                                                         {"once", "env"}}};

std::vector<std::string> steps_of(const Json& request) {
  std::vector<std::string> steps;
  for (const auto& step : value_in(request, "steps"))
    if (step.is_string()) steps.push_back(step.get<std::string>());
  return steps;
}

/// It becomes a file's name, in a folder that others share.
bool is_array_name(const std::string& name) {
  return name.find_first_of(std::string_view("/\0", 2)) == std::string::npos && name != "." && name != "..";
}

std::optional<Violation> validate_outputs(const Json& outputs, const std::string& where) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!is_array_name(outputs[i]))
      return at_place(fmt::format("{}/{}: ", where, i),
                      not_accepted(outputs[i], "the name of an output array, such as \"plan\""));
  return std::nullopt;
}

/// Of what is well-formed, but no answer to this request.
std::optional<Violation> validate_record(const Json& record, const Json& request) {
  if (const Json asked = value_in(request, "case"); record.contains("case") && record["case"] != asked)
    return at_place("/case: ", not_accepted(record["case"], to_line(asked) + " (the case of the request)"));
  for (const auto& step : steps_of(request))
    for (const auto& [name, held] : held_after)
      if (step == name && !record.contains(held)) return at_place("/: ", missing(held, accepted_of(held)));
  if (const auto wrong = validate_outputs(value_in(record, "outputs"), "/outputs")) return wrong;
  if (const auto wrong = validate_outputs(value_in(record, "state", "outputs"), "/state/outputs"))
    return wrong;
  return validate_outputs(value_in(record, "proved", "outputs"), "/proved/outputs");
}

std::optional<Violation> validate_plan(const Json& planned, const Json& request) {
  const auto points = request.find("points");
  const std::size_t given = planned["points"].size(), asked = points == request.end() ? 0 : points->size();
  if (given == asked) return std::nullopt;
  const std::string expected =
      fmt::format("{} entr{} (one for each point of the request)", asked, asked == 1 ? "y" : "ies");
  return at_place("/points: ", expected_got(expected, std::to_string(given)));
}

bool consists_of(const std::string& text, const std::string& others) {
  return !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(static_cast<char>(c)) != std::string::npos;
  });
}

std::optional<Violation> validate_description(const Axis& axis) {
  if (!consists_of(axis.name, "_"))
    return found_instead(fmt::format("the axis name \"{}\"", axis.name), "letters, digits and '_'");
  if (axis.role == Role::problem || axis.role == Role::size)
    return found_instead(fmt::format("the axis {} has the role {}", axis.name, name_of(axis.role)),
                         "setting or tunable: what is computed is the family's");
  if (axis.derived || axis.standard.is_none())
    return found_instead(fmt::format("the axis {} has no default", axis.name),
                         "a default that never changes");
  if (const auto reason = value_violation(axis, axis.standard); !reason.empty())
    return found_instead(fmt::format("the axis {} does not accept its own default: {}", axis.name, reason),
                         "a default that is one of its values");
  return std::nullopt;
}

constexpr double long_enough = 0.03;  // messages and interrupts take less than a hundredth of that
constexpr double doubtful_at = 1.5, impossible_at = 5;
constexpr int attempts = 6;
// Questions that want outputs cost much by themselves, and not always the same: units have to be this share
// of it.
constexpr double share_of_question = 1. / 3;
// An answer that took so many times as long as is enough, and was hardly anything but waiting, says nothing
// of units; nor will a longer one.
constexpr double hidden_at = 50;
// At a nanosecond a unit, which no call is faster than, these take 18 minutes.
constexpr std::int64_t most_units = std::int64_t{1} << 40;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// How long an answer took.
struct Answered {
  double clock = 0;    ///< seconds
  double at_work = 0;  ///< without the time in line, which is most of it on a busy machine; may be below 0
};

Answered answer(WorkerProcess& process, const AskUnits& ask, std::int64_t units) {
  const std::vector<int> cpus = process.cpus();
  const CpuUse before = cpu_use(process.processes(), cpus);
  const double throttled_before = throttled_seconds();
  const double start = now();
  ask(units);
  const double clock = now() - start;
  // The kernel adds up the CPUs, and groups within groups.
  const double throttled = std::min(clock, throttled_seconds() - throttled_before);
  const CpuUse after = cpu_use(process.processes(), cpus);
  return {.clock = clock, .at_work = clock - throttled - seconds_in_line(before, after, clock, cpus.size())};
}

// Looking at a clock around one call, where samples are of thousands of calls.
constexpr double clock_seconds = 2e-7;

}  // namespace

std::string accepted_of(const std::string& part) { return rules().accepted(part); }

std::string answer_to(const Json& request) {
  const auto steps = steps_of(request);
  const std::string type = text_in(request, "type");
  return steps.empty() ? fmt::format("answer to {}", type)
                       : fmt::format("answer to {} ({})", type, fmt::join(steps, ", "));
}

std::optional<Violation> validate_hello(const Json& message) { return rules().validate("hello", message); }

std::optional<Violation> validate_answer(const Json& message, const Json& request, const std::string& reply,
                                         bool judges) {
  const std::string type = text_in(message, "type");
  if (type == "progress" || type == "error") return rules().validate(type, message);
  if (type != reply) {
    const std::string others = reply == "error"    ? ""
                               : reply == "record" ? R"(, "progress" or "error")"
                                                   : R"( or "error")";
    return at_place("/type: ",
                    not_accepted(value_in(message, "type"), fmt::format("\"{}\"{}", reply, others)));
  }
  const std::string definition = judges && reply == "described" ? "families" : reply;
  if (const auto wrong = rules().validate(definition, message)) return wrong;
  if (reply == "record") return validate_record(message, request);
  return reply == "planned" ? validate_plan(message, request) : std::nullopt;
}

std::optional<Violation> validate_description(const VariantInfo& variant,
                                              const std::set<std::string>& others) {
  const auto slash = variant.name.rfind('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == variant.name.size())
    return found_instead(fmt::format("the name \"{}\"", variant.name), "FAMILY/VARIANT, such as uot/mine");
  if (!consists_of(variant.name, "_.+-/"))
    return found_instead(fmt::format("the name \"{}\"", variant.name),
                         "letters, digits, '_', '.', '+' and '-' around one '/'");
  if (others.contains(variant.name)) return found_instead("two variants have this name", "each variant once");
  std::set<std::string> names;
  for (const auto& axis : variant.axes) {
    if (auto wrong = validate_description(axis)) return wrong;
    if (!names.insert(axis.name).second)
      return found_instead(fmt::format("the axis {} is there twice", axis.name), "each axis once");
  }
  for (const auto& json : variant.points) {
    const ObjectDocument point(json);
    for (const auto& name : point.names()) {
      const auto axis = std::ranges::find(variant.axes, name, &Axis::name);
      if (axis == variant.axes.end())
        return found_instead(fmt::format("a point has the axis {}", name), "one of its own axes");
      if (const auto reason = axis_violation(*axis, *point.find(name)); !reason.empty())
        return found_instead(fmt::format("a point's {}: {}", name, reason), "a value that the axis accepts");
    }
  }
  return std::nullopt;
}

std::optional<Violation> validate_description(const VariantInfo& variant, const FamilyInfo& family) {
  for (const auto& axis : variant.axes)
    if (std::ranges::find(family.axes, axis.name, &Axis::name) != family.axes.end())
      return found_instead(fmt::format("the axis {} is the family's", axis.name),
                           "a name of its own, or no such axis");
  return std::nullopt;
}

std::optional<Violation> loose_tolerance(const VariantInfo& variant, const FamilyInfo& family) {
  if (!variant.tolerance || *variant.tolerance <= family.loosest) return std::nullopt;
  return found_instead(
      fmt::format("{} declares a tolerance of {}", variant.name, *variant.tolerance),
      fmt::format("at most {}, with which the family {} still distinguishes right from wrong", family.loosest,
                  family.name));
}

std::optional<UnitOutside> seconds_outside(WorkerProcess& process, const AskUnits& ask, std::int64_t steps,
                                           std::int64_t zero) {
  const auto answered = [&](std::int64_t units) { return answer(process, ask, units); };
  const Answered first = answered(zero), second = answered(zero);
  const double base = std::min(first.at_work, second.at_work),
               base_clock = std::min(first.clock, second.clock);
  const double enough = std::max(long_enough, share_of_question * base);
  double more = 0;
  std::optional<UnitOutside> below;
  // On a busy machine the last question takes many times as long as its work, so that no more is asked than
  // needed.
  const auto next = [&](std::int64_t times) {
    const double factor = std::clamp(1.5 * enough / std::max(more, 1e-9), 1.5, 4.0);
    return std::max(times + 1, static_cast<std::int64_t>(static_cast<double>(times) * factor));
  };
  for (std::int64_t times = 1; times * steps <= most_units; times = next(times)) {
    const std::int64_t units = times * steps;
    const auto ask_for_them = [&] { return answered(zero + units); };
    const Answered seen = ask_for_them();
    more = seen.at_work - base;
    // What took so long once may have been an interrupt; a long one it was not.
    if (more >= enough && more < 10 * enough) more = std::min(more, ask_for_them().at_work - base);
    if (more >= enough) return UnitOutside{.seconds = more / static_cast<double>(units)};
    if (seen.clock - base_clock >= hidden_at * enough) return std::nullopt;
    below = {.seconds = enough / static_cast<double>(units), .below = true};
  }
  return below;
}

Plausible plausible(const ReportedUnit& reported, double seen) {
  if (seen > impossible_at * reported.median) return Plausible::no;
  if (seen > doubtful_at * reported.median) return Plausible::doubtful;
  return reported.least > impossible_at * seen ? Plausible::too_long : Plausible::yes;
}

SeenOutside held_against(const ReportedUnit& reported, WorkerProcess& process, const AskUnits& ask,
                         std::int64_t steps, std::int64_t zero) {
  std::optional<SeenOutside> found;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto unit = seconds_outside(process, ask, steps, zero);
    if (!unit) return {};
    const Plausible now = plausible(reported, unit->seconds);
    // That it takes less than some time contradicts no report of less.
    if (unit->below && now != Plausible::too_long) return {};
    if (now == Plausible::yes) return {.unit = unit, .plausible = now};
    // Attempts that are too long and too short contradict each other: then nothing is seen.
    if (found && (found->plausible == Plausible::too_long) != (now == Plausible::too_long)) return {};
    const auto closer = [&](double before) {
      return now == Plausible::too_long ? unit->seconds > before : unit->seconds < before;
    };
    if (!found || closer(found->unit->seconds)) found = {.unit = unit, .plausible = now};
  }
  return *found;
}

std::vector<double> possible_seconds(const std::vector<double>& seconds, double passed) {
  const double all = std::accumulate(seconds.begin(), seconds.end(), 0.);
  if (all > 1.01 * passed)
    throw WorkerFailure{
        Status::failed,
        fmt::format("reported {:.3g} s of iterations in an answer that took {:.3g} s", all, passed)};
  return seconds;
}

void FirstIterations::add(const std::vector<double>& seconds) {
  for (std::size_t i = 0; i < seconds.size(); ++i)
    if (i < shortest_.size())
      shortest_[i] = std::min(shortest_[i], seconds[i]);
    else
      shortest_.push_back(seconds[i]);
}

std::optional<double> FirstIterations::slowest() const {
  if (shortest_.size() < 2) return {};
  return *std::max_element(shortest_.begin() + 1, shortest_.end()) / steps_;
}

std::optional<double> FirstIterations::typical() const {
  if (shortest_.size() < 2) return {};
  return median(std::span(shortest_).subspan(1)) / steps_;
}

Plausible FirstIterations::plausible(double reported) const {
  const auto held_to = [&](std::optional<double> seconds) {
    const double seen = seconds.value_or(0) - clock_seconds / steps_;
    return seen > 0 ? uotbench::plausible({.median = reported}, seen) : Plausible::yes;
  };
  return held_to(slowest()) == Plausible::no ? Plausible::no : held_to(typical());
}

}  // namespace uotbench
