#include "roofline/report/sources.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/record/rounds.hpp"

namespace uotbench {
namespace {

/// Whole bytes in groups of three digits, so that a reader can do the division.
std::string exact_bytes(double bytes) {
  if (!(bytes < 1e15)) return fmt::format("{:.3e}", bytes);  // no double tells these to the byte
  std::string digits = fmt::format("{:.0f}", bytes);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

}  // namespace

Sources::Sources(const RunView& view)
    : view_(view), file_(view.run->path.filename().string()), ceilings_(ceilings_of(*view.run)) {}

std::string Sources::of(const CaseView& member, std::string_view column) const {
  struct Named {
    std::string_view column;
    std::string (Sources::*source)(const CaseView& member) const;
  };
  static constexpr Named all[]{{"case", &Sources::label},
                               {"median", &Sources::median},
                               {"iterations", &Sources::iterations},
                               {"time/iter", &Sources::per_iteration},
                               {"spread", &Sources::spread},
                               {"bandwidth", &Sources::bandwidth},
                               {"predicted", &Sources::predicted},
                               {"vs model", &Sources::of_predicted},
                               {"roof", &Sources::roof},
                               {"speedup", &Sources::speedup},
                               {"error", &Sources::error},
                               {"status", &Sources::status}};
  for (const auto& one : all)
    if (one.column == column) return (this->*one.source)(member);
  return "";
}

std::string Sources::label(const CaseView& member) const {
  std::string text = on_one_line(member.record->id);
  for (const auto& warning : member.warnings) text += "; " + on_one_line(warning);
  return text;
}

std::string Sources::median(const CaseView& member) const {
  if (!member.time) return "not timed";
  const Timing& time = *member.record->time;
  const std::size_t processes = process_medians(time).size(), samples = member.time->samples;
  std::string text =
      processes == 1 ? "median of one process" : fmt::format("median of {} processes' medians", processes);
  text += fmt::format(", {} sample{}", samples, samples == 1 ? "" : "s");
  if (time.inner > 1) text += fmt::format(" of {} {}s each", time.inner, name_of(time.per));
  text += fmt::format(", {} clock, per {}, stopped by {}; {}", time.clock, name_of(time.per), time.stopped_by,
                      file_);
  return on_one_line(text);
}

std::string Sources::iterations(const CaseView& member) const {
  if (!member.time) return "";
  return member.record->time->iterations ? "as the worker counted them; the most, where processes differ"
                                         : fmt::format("timed per {}", name_of(member.record->time->per));
}

std::string Sources::per_iteration(const CaseView& member) const {
  if (!member.per_iteration) return member.time ? "timed per part" : "";
  return member.record->time->iterations
             ? fmt::format("{} over {} iterations", format_seconds(member.time->median),
                           *member.record->time->iterations)
             : "the median";
}

std::string Sources::spread(const CaseView& member) const {
  if (!member.time) return "";
  if (!member.time->noise) return "too few samples";
  return process_medians(*member.record->time).size() > 1
             ? "half the range of the processes' medians, over the median: no confidence interval"
             : "half the 95% interval of the process's median, over it";
}

std::string Sources::bandwidth(const CaseView& member) const {
  const auto& work = member.record->work;
  if (!member.bandwidth) return member.time && !work ? "the variant declares no work model" : "";
  return fmt::format("{} bytes of the work model ({} read, {} written) over the median",
                     exact_bytes(work->bytes()), exact_bytes(work->bytes_read),
                     exact_bytes(work->bytes_written));
}

/// "; read 78.0 GB/s, rmw 120.0 GB/s; f32, 2 threads; measured 2026-01-31T12:00:00Z"
std::string Sources::limits(const CaseView& member) const {
  const Record& record = *member.record;
  const auto* ceilings = ceilings_for(ceilings_, *view_.run, record);
  if (!ceilings || !record.work) return "";
  const Setting setting = setting_of(record);
  std::string text;
  for (const auto& roof : limits_of(member, *ceilings, Caches(view_.run->machine_of(record))))
    text += fmt::format("{}{}", text.empty() ? "" : ", ",
                        roof.is_bandwidth() ? roof.kernel + " " + format_bandwidth(roof.value)
                        : roof.is_flops()   ? fmt::format("{:.4g} GFLOP/s", roof.value / 1e9)
                                          : fmt::format("{} {}/s", format_count(roof.value), roof.operation));
  return fmt::format("; {}; {}; {} {}", text, text_of(setting), ceilings->source,
                     ceilings->made.empty() ? ceilings->name : ceilings->made);
}

std::string Sources::roof(const CaseView& member) const {
  if (!member.roof) return "";
  const RoofView& roof = *member.roof;
  std::string text =
      fmt::format("{} at least, over the median; {} is the limit, data in {}", format_seconds(roof.floor),
                  roof.bound,
                  roof.level.empty() ? "a working set of " + format_bytes(*roof.working_set) : roof.level) +
      limits(member);
  if (roof.intensity) text += fmt::format("; {:.3g} flops a byte", *roof.intensity);
  if (!roof.cause.empty()) text += "; above 100%: " + roof.cause;
  return on_one_line(text);
}

std::string Sources::predicted(const CaseView& member) const {
  const auto& record = *member.record;
  if (!member.prediction) return "";
  const ElementWork& element = *record.work->element;
  return fmt::format(
      "Eq. {} of X. He, PLOS ONE 2023, with alpha {:g}, beta_lo {:g}, beta_hi {:g} of the work model and "
      "measured ceilings",
      member.prediction->equation, element.flops, element.memory, element.cached);
}

std::string Sources::of_predicted(const CaseView& member) const {
  if (!member.prediction) return "";
  return fmt::format("{} measured: beta_lo elements over the median",
                     format_bandwidth(member.prediction->measured));
}

std::string Sources::speedup(const CaseView& member) const {
  if (!member.speedup || !member.time) return member.time ? "its reference was not timed" : "";
  const bool each = member.speedup_of_iterations;
  const double own = each ? *member.per_iteration : member.time->median;
  return fmt::format(
      "{}{} of {}, over {}", format_seconds(*member.speedup * own), each ? " an iteration" : "",
      view_.reference.given() ? on_one_line(view_.reference.text()) : "the group's first variant",
      each ? "that of its own iterations" : "the median");
}

std::string Sources::error(const CaseView& member) const {
  if (!member.record->check) return "not verified";
  const Check& check = *member.record->check;
  if (check.kind == "command") return on_one_line("verified by " + check.oracle);
  return on_one_line(fmt::format("verified by {}, {} check, tolerance {:.1e}{}", check.oracle, check.kind,
                                 check.tolerance, check.worst.empty() ? "" : ", largest in " + check.worst) +
                     (check.found.empty() ? "" : ", found " + to_line(check.found.json())));
}

std::string Sources::status(const CaseView& member) const {
  return member.record->repeat ? "to see it again: " + on_one_line(*member.record->repeat) : "";
}

Table cases_table(const RunView& view) {
  const Sources sources(view);
  return run_table(view, AbsentWorkers::shown, [&](const CaseView& member, std::string_view column) {
    return sources.of(member, column);
  });
}

}  // namespace uotbench
