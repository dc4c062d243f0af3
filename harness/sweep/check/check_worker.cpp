#include "harness/sweep/check/check_worker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <set>

#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

constexpr const char* a_hello = R"({"type":"hello","protocol":1,"worker":"mine","build":{...}} on stdout)";
// How long a run waits after it asks a worker to quit, before it kills it.
constexpr double patience = 2;

bool check_hello(CheckSession& session) {
  const auto start = std::chrono::steady_clock::now();
  const bool greeted = session.check("hello", a_hello, [&] {
    session.worker();
    const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
    return fmt::format("after {}, protocol {}", format_seconds(waited.count()), protocol_version);
  });
  if (!greeted) return false;
  if (session.worker().build() == Json::object()) {
    session.note("build", R"(no facts, so records cannot distinguish builds; say "build":{"compiler":...})");
    return true;
  }
  return session.check("build", R"(an object: {"compiler":"g++ 12.2","flags":"-O3"})", [&] {
    std::vector<std::string> facts;
    for (const auto& [fact, value] : session.worker().build().items()) facts.push_back(fact);
    return fmt::format("{}", fmt::join(facts, ", "));
  });
}

VariantInfo sound_variant(const VariantEntry& entry, WorkerPool& pool, std::set<std::string>& known) {
  const auto require = [](const std::optional<Violation>& wrong) {
    if (wrong) throw Wrong{wrong->found, wrong->expected};
  };
  if (!entry.contradiction.empty()) throw Error(entry.contradiction);
  VariantInfo variant = entry.variant;
  require(validate_description(variant, known));
  const auto& families = pool.families();
  const auto family = families.find(variant.family());
  if (family == families.end()) {
    std::vector<std::string> names;
    for (const auto& [name, info] : families) names.push_back(name);
    throw Wrong{fmt::format("the oracle knows no family \"{}\"{}", variant.family(),
                            did_you_mean(variant.family(), names)),
                fmt::format("one of {}", fmt::join(names, ", "))};
  }
  require(validate_description(variant, family->second));
  require(loose_tolerance(variant, family->second));
  known.insert(variant.name);
  return variant;
}

std::vector<VariantInfo> check_description(CheckSession& session) {
  std::vector<VariantEntry> list;
  session.check("describe", R"({"type":"described","variants":[{"name":"uot/mine",...},...]})", [&] {
    DescribedReply described = session.ask_to_describe();
    for (const auto& own : described.families)
      if (!session.pool().take_own(own))
        throw Wrong{fmt::format("its own family {}", own.name), "a name that no family of the oracle has"};
    list = std::move(described.variants);
    return fmt::format("{} variant{}", list.size(), list.size() == 1 ? "" : "s");
  });
  std::vector<VariantInfo> sound;
  std::set<std::string> known;
  for (const auto& entry : list) {
    const std::string what = "describe " + entry.variant.name;
    session.check(what, R"({"name":"uot/mine","summary":"...","axes":[],"tolerance":null})", [&] {
      sound.push_back(sound_variant(entry, session.pool(), known));
      std::vector<std::string> axes;
      for (const auto& axis : sound.back().axes) axes.push_back(axis.name);
      return axes.empty() ? "no axes of its own" : fmt::format("axes {}", fmt::join(axes, ", "));
    });
    if (!entry.has_summary) session.note(what, "no summary for uotbench list");
  }
  return sound;
}

/// What it cannot do it says, and goes on.
void check_manners(CheckSession& session) {
  const auto refused = [&](const std::string& what, const Json& request) {
    session.check(what, R"({"type":"error","message":"why"}, and then the next request as ever)", [&] {
      const std::string refusal = session.refusal(request);
      session.ask_to_describe();
      return refusal;
    });
  };
  refused("unknown request", {{"type", "sing"}});
  const auto& [name, family] = *session.pool().families().begin();
  const Json point = family.checked.empty() ? Json::object() : family.checked.front().json();
  refused(
      "unknown variant",
      {{"type", "plan"}, {"variant", name + "/of_nobody"}, {"common", point}, {"points", {Json::object()}}});
}

void check_ends(CheckSession& session) {
  const auto ends = [&](const std::string& what, const std::string& want, bool by_quit) {
    session.check(what, want, [&] {
      const ProcessEnd end = session.worker().end(by_quit, patience);
      if (by_quit ? end.code != 0 : !end.code) throw Wrong{end.text};
      return end.text;
    });
  };
  ends("quit", fmt::format("it ends with code 0 within {} s", patience), true);
  ends("closed stdin",
       fmt::format("it ends within {} s, or it outlives a uotbench that was killed", patience), false);
}

// The arrays of a check are small; the oracle's answers take milliseconds.
constexpr double checked_oracle_seconds = 60;

}  // namespace

void check_worker(const Manifest& worker, WorkerPool& pool, double timeout, const Tell& tell) {
  pool.families();  // where the oracle does not work, that is said first
  CheckSession session(worker, pool, timeout, tell);
  if (!check_hello(session)) return;
  const auto variants = check_description(session);
  check_manners(session);
  for (const auto& variant : variants) check_variant(session, variant);
  check_ends(session);
  if (session.text_lines() > 0)
    session.note(
        "text", fmt::format("{} line{} that are no messages, passed on in a run; the last: {}",
                            session.text_lines(), session.text_lines() == 1 ? "" : "s", session.last_text()));
}

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
