#include "harness/sweep/check/check_worker.hpp"

#include <fmt/ranges.h>

#include <chrono>
#include <set>

#include "harness/protocol/axis_json.hpp"
#include "harness/protocol/suggest.hpp"
#include "harness/sweep/check/session.hpp"
#include "harness/sweep/check/variant.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {
namespace {

constexpr const char* a_hello = R"({"type":"hello","protocol":1,"worker":"mine","build":{...}} on stdout)";
// What a run gives a worker that is told to quit before it kills it.
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
    session.note("build", R"(no facts, so records cannot tell builds apart; say "build":{"compiler":...})");
    return true;
  }
  return session.check("build", R"(an object: {"compiler":"g++ 12.2","flags":"-O3"})", [&] {
    const Json& build = session.worker().build();
    if (!build.is_object()) throw Wrong{to_line(build)};
    std::vector<std::string> facts;
    for (const auto& [fact, value] : build.items()) facts.push_back(fact);
    return fmt::format("{}", fmt::join(facts, ", "));
  });
}

void require_sound_axis(const Axis& axis, const FamilyInfo& family, std::set<std::string>& names) {
  if (axis.name.empty() ||
      axis.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
          std::string::npos)
    throw Wrong{fmt::format("the axis name \"{}\"", axis.name), "letters, digits and '_'"};
  for (const auto& other : family.axes)
    if (other.name == axis.name)
      throw Wrong{fmt::format("the axis {} is the family's", axis.name),
                  "a name of its own, or no such axis"};
  if (axis.role == Role::problem)
    throw Wrong{fmt::format("the axis {} has the role problem", axis.name),
                "setting or tunable: what is computed is the family's"};
  if (!names.insert(axis.name).second) throw Wrong{fmt::format("the axis {} stands twice", axis.name)};
  if (axis.derived || axis.standard.is_none())
    throw Wrong{fmt::format("the axis {} has no default", axis.name), "a default that never changes"};
  if (const auto reason = objection(axis, to_json(axis.standard)); !reason.empty())
    throw Wrong{fmt::format("the axis {} does not accept its own default: {}", axis.name, reason)};
}

VariantInfo sound_variant(const Json& json, Crew& crew, std::set<std::string>& known) {
  VariantInfo variant{.name = json.at("name"), .summary = {}, .axes = {}, .tolerance = {}};
  const auto& families = crew.families();
  std::vector<std::string> names;
  for (const auto& [name, family] : families) names.push_back(name);
  const auto slash = variant.name.rfind('/');
  if (slash == std::string::npos || slash == 0 || slash + 1 == variant.name.size())
    throw Wrong{fmt::format("the name \"{}\"", variant.name), "FAMILY/VARIANT, such as uot/mine"};
  if (!families.contains(variant.family()))
    throw Wrong{fmt::format("the oracle knows no family \"{}\"{}", variant.family(),
                            did_you_mean(variant.family(), names)),
                fmt::format("one of {}", fmt::join(names, ", "))};
  if (!known.insert(variant.name).second) throw Wrong{"two variants have this name"};
  variant.summary = json.value("summary", "");
  std::set<std::string> axes;
  for (const auto& described : json.value("axes", Json::array())) {
    variant.axes.push_back(axis_from(described, Describes::variant));
    require_sound_axis(variant.axes.back(), families.at(variant.family()), axes);
  }
  if (const Json tolerance = json.value("tolerance", Json()); !tolerance.is_null()) {
    variant.tolerance = tolerance.get<double>();
    if (!(*variant.tolerance > 0))
      throw Wrong{fmt::format("the tolerance {}", to_line(tolerance)), "null, or a relative error above 0"};
  }
  return variant;
}

std::vector<VariantInfo> check_description(CheckSession& session) {
  Json list;
  session.check("describe", R"({"type":"described","variants":[{"name":"uot/mine",...},...]})", [&] {
    list = session.ask({{"type", "describe"}}, "described").value("variants", Json());
    if (!list.is_array() || list.empty()) throw Wrong{fmt::format("variants: {}", to_line(list))};
    return fmt::format("{} variant{}", list.size(), list.size() == 1 ? "" : "s");
  });
  std::vector<VariantInfo> sound;
  std::set<std::string> known;
  for (const auto& entry : list) {
    const bool named = entry.is_object() && entry.value("name", Json()).is_string();
    session.check(named ? "describe " + entry["name"].get<std::string>() : "describe",
                  R"({"name":"uot/mine","summary":"...","axes":[],"tolerance":null})", [&] {
                    sound.push_back(sound_variant(entry, session.crew(), known));
                    std::vector<std::string> axes;
                    for (const auto& axis : sound.back().axes) axes.push_back(axis.name);
                    return axes.empty() ? "no axes of its own"
                                        : fmt::format("axes {}", fmt::join(axes, ", "));
                  });
    if (named && entry.value("summary", Json()) == Json())
      session.note("describe " + entry["name"].get<std::string>(), "no summary for uotbench list");
  }
  return sound;
}

/// What it cannot do it says, and goes on.
void check_manners(CheckSession& session) {
  const auto refused = [&](const std::string& what, const Json& request) {
    session.check(what, R"({"type":"error","message":"why"}, and then the next request as ever)", [&] {
      const std::string refusal = refusal_in(session.ask(request, "error"));
      session.ask({{"type", "describe"}}, "described");
      return refusal;
    });
  };
  refused("unknown request", {{"type", "sing"}});
  const auto& [name, family] = *session.crew().families().begin();
  const Json point = family.checked.empty() ? Json::object() : family.checked.front();
  refused(
      "unknown variant",
      {{"type", "plan"}, {"variant", name + "/of_nobody"}, {"common", point}, {"points", {Json::object()}}});
}

void check_ends(CheckSession& session) {
  const auto ends = [&](const std::string& what, const std::string& want, bool by_quit) {
    session.check(what, want, [&] {
      const std::string how = session.worker().end(by_quit, patience);
      if (by_quit ? how != "exited with code 0" : !how.starts_with("exited")) throw Wrong{how};
      return how;
    });
  };
  ends("quit", fmt::format("it ends with code 0 within {} s", patience), true);
  ends("closed stdin",
       fmt::format("it ends within {} s, or it outlives a uotbench that was killed", patience), false);
}

}  // namespace

void check_worker(const Manifest& worker, Crew& crew, double timeout, const Tell& tell) {
  crew.families();  // where the oracle does not work, that is said first
  CheckSession session(worker, crew, timeout, tell);
  if (!check_hello(session)) return;
  const auto variants = check_description(session);
  check_manners(session);
  for (const auto& variant : variants) check_variant(session, variant);
  check_ends(session);
  if (session.text_lines() > 0)
    session.note(
        "text", fmt::format("{} line{} besides messages, passed on in a run; the last: {}",
                            session.text_lines(), session.text_lines() == 1 ? "" : "s", session.last_text()));
}

}  // namespace uotbench
