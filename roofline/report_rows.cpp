#include "roofline/report_rows.hpp"

#include <fmt/format.h>

#include <cmath>

#include "results/cells.hpp"
#include "results/error.hpp"
#include "results/units.hpp"

namespace uotbench {
namespace {

/// Bytes as bandwidths count them: in powers of ten.
std::string decimal_bytes(double bytes) {
  const std::string text = format_bandwidth(bytes);
  return text.substr(0, text.size() - 2);  // "/s"
}

std::string counted(std::size_t number, const char* word, const char* plural) {
  return fmt::format("{} {}", number, number == 1 ? word : plural);
}

/// One case's numbers, and in words where each is from.
class Sources {
 public:
  Sources(const RunView& view, const CaseView& member) : view_(view), member_(member) {}

  std::string label() const {
    std::string text = on_one_line(record().id);
    for (const auto& warning : member_.warnings) text += "; " + on_one_line(warning);
    return text;
  }

  std::string median() const {
    if (!member_.time) return record().time ? "not timed to the end" : "not timed";
    const Timing& time = *record().time;
    const std::size_t processes = processes_timed();
    std::string text =
        processes == 1 ? "median of one process" : fmt::format("median of {} processes' medians", processes);
    text += ", " + counted(member_.time->samples, "sample", "samples");
    if (time.inner > 1) text += fmt::format(" of {} {}s each", time.inner, time.per);
    return text + fmt::format(", {} clock, per {}, stopped by {}; {}", time.clock, time.per, time.stopped_by,
                              file());
  }

  std::string noise() const {
    if (!member_.time) return "";
    if (!member_.time->noise) return "too few samples to tell";
    return processes_timed() > 1
               ? "half the distance between the fastest and the slowest process, relative to the median"
               : "half the 95% interval of the process's median, relative to it";
  }

  std::string bandwidth() const {
    if (!record().work) return "the variant declares no work model";
    if (!member_.bandwidth) return "";
    return fmt::format("{} of the work model ({} read, {} written) over the median",
                       decimal_bytes(record().work->bytes()), decimal_bytes(record().work->bytes_read),
                       decimal_bytes(record().work->bytes_written));
  }

  std::string roof() const {
    if (!member_.roof) return member_.time ? "no ceilings for its threads and place, or no work model" : "";
    const RoofView& roof = *member_.roof;
    std::string text = fmt::format("at least {} at the {} limit of {}, over the median; {:.3g} flops a byte",
                                   format_seconds(roof.floor), roof.bound, roof.level, roof.intensity);
    return roof.cause.empty() ? text : text + "; above 100%: " + on_one_line(roof.cause);
  }

  std::string speedup() const {
    if (!member_.speedup || !member_.time) return member_.time ? "its reference was not timed" : "";
    return fmt::format(
        "{} of {}, over the median", format_seconds(*member_.speedup * member_.time->median),
        view_.reference.given() ? on_one_line(view_.reference.text()) : "the first variant of the group");
  }

  std::string error() const {
    if (!record().check) return "not judged";
    const Check& check = *record().check;
    return fmt::format("judged by {}, {} check, tolerance {:.1e}{}", on_one_line(check.oracle),
                       on_one_line(check.kind), check.tolerance,
                       check.worst.empty() ? "" : ", largest in " + on_one_line(check.worst));
  }

  std::string status() const {
    return record().repeat ? "to see it again: " + on_one_line(*record().repeat) : "";
  }

 private:
  const Record& record() const { return *member_.record; }
  std::string file() const { return view_.run->path.filename().string(); }
  std::size_t processes_timed() const {
    std::size_t count = 0;
    for (const auto& process : record().time->processes) count += !process.samples.empty();
    return count;
  }

  const RunView& view_;
  const CaseView& member_;
};

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

template <class T>
Json value_of(const std::optional<T>& value) {
  return value ? finite(*value) : Json(nullptr);
}

Json row_of(const RunView& view, const CaseView& member, double usual, Sentences& sentences) {
  const Cells cells = cells_of(member, usual);
  const Sources sources(view, member);
  const auto text = [&](const std::string& shown, const std::string& source) {
    return Json::array({on_one_line(shown), sentences.number_of(source)});
  };
  const auto number = [&](const std::string& shown, Json value, const std::string& source) {
    return Json::array({shown, sentences.number_of(source), std::move(value)});
  };
  const Record& record = *member.record;
  return Json::array(
      {text(cells.label, sources.label()),
       number(cells.median, member.time ? finite(member.time->median) : Json(nullptr), sources.median()),
       number(cells.noise, member.time ? value_of(member.time->noise) : Json(nullptr), sources.noise()),
       number(cells.bandwidth, value_of(member.bandwidth), sources.bandwidth()),
       number(roof_text(member), member.roof ? finite(member.roof->fraction) : Json(nullptr), sources.roof()),
       number(cells.speedup, value_of(member.speedup), sources.speedup()),
       number(cells.error, record.check ? finite(record.check->error) : Json(nullptr), sources.error()),
       text(cells.status, sources.status())});
}

}  // namespace

std::size_t Sentences::number_of(const std::string& sentence) {
  const auto [place, fresh] = numbers_.emplace(sentence, all_.size());
  if (fresh) all_.push_back(sentence);
  return place->second;
}

const std::vector<ReportColumn>& report_columns() {
  static const std::vector<ReportColumn> columns{
      {"case", "variant, the axes that tell it from its group, worker", false},
      {"median", "seconds of one unit (iteration, solve or part): the median of the processes' medians",
       true},
      {"noise", "half the distance between the fastest and the slowest process, relative to the median",
       true},
      {"bandwidth", "bytes that the variant's work model says a unit moves, over the median", true},
      {"roof",
       "the least time that the machine's limits allow, over the median, and the level of memory that holds "
       "the working set",
       true, true},
      {"speedup", "the time of its reference over its own", true},
      {"error", "as the judge found it, relative; with the tolerance where that is larger than usual", true,
       true},
      {"status", "ok, skipped (cannot run here), failed (wrong), crashed, timeout, interrupted", false}};
  return columns;
}

std::string roof_text(const CaseView& member) {
  return member.roof ? fmt::format("{} {}", format_percent(member.roof->fraction), member.roof->level) : "-";
}

Json table_data(const RunView& view, Sentences& sentences) {
  Json groups = Json::array(), rows = Json::array();
  for (const auto& group : view.groups) {
    const double usual = usual_tolerance(group);
    const CaseView* const best = fastest(group);
    for (const auto& member : group.cases) {
      Json row = Json::array({groups.size(), name_of(member.record->status), &member == best});
      for (auto& cell : row_of(view, member, usual, sentences)) row.push_back(std::move(cell));
      rows.push_back(std::move(row));
    }
    groups.push_back(on_one_line(group.title));
  }
  return {{"groups", std::move(groups)}, {"rows", std::move(rows)}};
}

}  // namespace uotbench
