#include "harness/sweep/check/session.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {
// The arrays of a check are small; the oracle's answers take milliseconds.
constexpr double checked_oracle_seconds = 60;
}  // namespace

std::string name_of(Checked::Level level) {
  switch (level) {
    case Checked::Level::ok:
      return "ok";
    case Checked::Level::note:
      return "note";
    case Checked::Level::doubtful:
      return "doubtful";
    case Checked::Level::wrong:
      return "wrong";
  }
  return "?";
}

CheckSession::CheckSession(const Manifest& manifest, WorkerPool& pool, double timeout, Tell tell)
    : manifest_(manifest),
      pool_(pool),
      timeout_(timeout),
      // Text from a worker is printed without its control characters.
      tell_([tell = std::move(tell)](const Checked& checked) {
        tell({checked.level, on_one_line(checked.what), on_one_line(checked.found),
              on_one_line(checked.want)});
      }) {}

bool CheckSession::check(const std::string& what, const std::string& want,
                         const std::function<std::string()>& act) {
  const auto wrong = [&](const std::string& found, const std::string& expected) {
    tell_({Checked::Level::wrong, what, found, expected});
    return false;
  };
  try {
    tell_({Checked::Level::ok, what, act()});
    return true;
  } catch (const Wrong& thrown) {
    return wrong(thrown.found, thrown.want.empty() ? want : thrown.want);
  } catch (const WorkerFailure& failure) {
    if (const auto& violation = failure.violation) return wrong(violation->found, violation->expected);
    const bool silent = failure.status != Status::failed && process_;
    return wrong(explained(failure), silent ? "an answer, and a process that then serves the next" : want);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    return wrong(error.what(), want);
  }
}

WorkerProcess& CheckSession::worker() {
  if (process_ && process_->alive()) return *process_;
  process_.reset();
  asked_ = 0;
  process_ = another_worker();
  return *process_;
}

std::unique_ptr<WorkerProcess> CheckSession::another_worker() {
  return std::make_unique<WorkerProcess>(manifest_, pool_.context(), pool_.context().cpus,
                                         [this](std::string_view line) {
                                           ++text_lines_;
                                           last_text_ = on_one_line(std::string(line.substr(0, 60)));
                                         });
}

RunReply CheckSession::ask(const RunRequest& request) {
  RunReply reply = worker().ask(request, timeout_);
  ++asked_;
  if (reply.work) work_ = reply.work;
  return reply;
}

std::vector<PlannedPoint> CheckSession::ask_to_plan(const Json& request) {
  auto planned = worker().ask_to_plan(request, timeout_);
  ++asked_;
  return planned;
}

DescribedReply CheckSession::ask_to_describe() {
  DescribedReply described = worker().ask_to_describe(timeout_);
  ++asked_;
  return described;
}

std::string CheckSession::refusal(const Json& request) {
  const Json error = worker().exchange(request, "error", timeout_);
  ++asked_;
  const std::string text = on_one_line(text_in(error, "message"));
  return text.size() <= 50 ? text : text.substr(0, 47) + "...";
}

std::vector<PlannedPoint> CheckSession::ask_oracle_to_plan(const Json& request) {
  try {
    return pool_.oracle().ask_to_plan(request, checked_oracle_seconds);
  } catch (const WorkerFailure& failure) {
    const WorkerFailure its = at_place("the oracle: ", failure);
    throw its.violation ? Wrong{its.violation->found, its.violation->expected} : Wrong{its.reason};
  }
}

/// The failure, with the usual reasons for it in a worker that somebody is writing.
std::string CheckSession::explained(const WorkerFailure& failure) const {
  const std::string& reason = failure.reason;
  if (asked_ > 0)
    return failure.status == Status::crashed ? fmt::format("{} (after {} answers)", reason, asked_) : reason;
  if (failure.status != Status::timeout) return reason;
  if (!last_text_.starts_with('{')) return reason + "; is every message flushed?";
  return fmt::format("{}; it printed {}: a message is the byte 0x1E, JSON on one line, newline", reason,
                     last_text_);
}

}  // namespace uotbench
