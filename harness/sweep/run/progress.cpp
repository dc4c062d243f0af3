#include "harness/sweep/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "harness/host/facts/terminal.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {
namespace {

/// An id in `columns`: what is left out is left out of its middle, as the ends tell variant and worker.
std::string shortened_id(const std::string& id, std::size_t columns) {
  const std::size_t all = columns_of(id);
  if (all <= columns) return id;
  const std::size_t head = columns / 2, tail = columns - head - 1;
  return std::string(cut_to(id, head)) + "…" + id.substr(cut_to(id, all - tail).size());
}

/// A terminal that is gone, or a full disk behind a redirection, ends no run: nothing is made of errors.
void say(std::FILE* out, const std::string& text) { std::fputs(text.c_str(), out); }

/// Of the work model's bytes; empty where there are none.
std::string rate_of(const Record& record, double median) {
  const double bytes = record.work ? record.work->bytes() : 0;
  return bytes > 0 && median > 0 ? format_bandwidth(bytes / median) : "";
}

double median_of(const Record& record) {
  std::vector<std::vector<double>> processes;
  for (const auto& process : record.time->processes) processes.push_back(process.samples);
  return summarize(processes).median;
}

std::string outcome(const Record& record) {
  if (record.status != Status::ok)
    return fmt::format("{}: {}", name_of(record.status), on_one_line(record.reason.value_or("")));
  if (!record.time) return outcome_of(record);
  const double median = median_of(record);
  const std::string rate = rate_of(record, median);
  return format_seconds(median) + (rate.empty() ? "" : "  " + rate);
}

}  // namespace

Progress::Style Progress::style_for(std::FILE* out, bool quiet) {
  if (quiet) return Style::quiet;
  return ::isatty(::fileno(out)) ? Style::terminal : Style::plain;
}

Progress::Progress(std::FILE* out, Style style, std::size_t cases, int steps, std::size_t there)
    : out_(out), style_(style), cases_(cases), there_(there), steps_(steps) {}

void Progress::doing(const std::string& id, const std::string& what) {
  id_ = on_one_line(id);
  what_ = what;
  draw();
}

void Progress::advance() {
  ++in_work_;
  draw();
}

void Progress::finished(const Record& record) {
  ++done_;
  in_work_ = std::max(0, in_work_ - steps_);  // a group's records come one after the other
  if (is_bad(record.status)) ++bad_;
  if (record.status == Status::ok && record.time)
    if (const std::string rate = rate_of(record, median_of(record)); !rate.empty()) rate_ = rate;
  if (style_ == Style::plain)
    say(out_, fmt::format("[{}/{}] {}  {}\n", done_, cases_, on_one_line(record.id), outcome(record)));
  else
    draw();
}

void Progress::left_out(const Record& record) {
  ++done_;
  if (left_out_.insert(record.worker).second && style_ == Style::plain)
    say(out_, fmt::format("cases of {}  {}\n", record.worker, outcome(record)));
  else
    draw();
}

void Progress::text(std::string_view id, std::string_view line) {
  if (style_ == Style::quiet) return;
  if (style_ == Style::terminal) say(out_, "\r\033[K");
  say(out_, fmt::format("{}: {}\n", on_one_line(std::string(id)), visible(line)));
  draw();
}

void Progress::close() {
  if (style_ == Style::terminal) say(out_, "\r\033[K");
  std::fflush(out_);
}

std::string Progress::time_left() const {
  const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double steps_done = static_cast<double>(done_ - there_) * steps_ + in_work_;
  if (steps_done < 1 || spent < 1) return "";
  const double steps = static_cast<double>(cases_ - there_) * steps_;
  return fmt::format(", {} left", format_wait(spent / steps_done * (steps - steps_done)));
}

void Progress::draw() {
  if (style_ != Style::terminal) return;
  const std::string head =
      fmt::format("{}/{}{}{}  ", done_, cases_, time_left(), bad_ ? fmt::format(", {} failed", bad_) : "");
  const std::string what =
      "  " + on_one_line(what_) + (rate_.empty() ? "" : fmt::format(" (the last: {})", rate_));
  const std::size_t room =
      terminal_of(out_).width.value_or(80) - 1;  // in the last column some terminals wrap
  const std::size_t others = columns_of(head) + columns_of(what);
  const std::string line =
      head + shortened_id(id_, std::max<std::size_t>(12, room - std::min(room, others))) + what;
  say(out_, "\r\033[K" + std::string(cut_to(line, room)));
  std::fflush(out_);
}

}  // namespace uotbench
