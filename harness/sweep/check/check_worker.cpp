#include "harness/sweep/check/check_worker.hpp"

#include <fmt/ranges.h>

#include <chrono>
#include <set>

#include "harness/protocol/suggest.hpp"
#include "harness/sweep/check/session.hpp"
#include "harness/sweep/check/variant.hpp"
#include "harness/sweep/workers/validate_description.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
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

}  // namespace uotbench
