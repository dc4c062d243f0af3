#include "results/record/reach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/statistics/statistics.hpp"

namespace uotbench {

double seconds_of(const Reach& reach) { return median(reach.samples); }

const Reach* reach_of(const std::vector<Reach>& all, const std::string& of, double target) {
  constexpr double rounding = 1e-9;
  const auto found = std::ranges::find_if(all, [&](const Reach& one) {
    return one.of == of && std::abs(one.target - target) <= rounding * target;
  });
  return found == all.end() ? nullptr : &*found;
}

std::string name_of(const Reach& reach) { return fmt::format("{} {:g}", reach.of, reach.target); }

Json to_json(const std::vector<Reach>& all) {
  Json list = Json::array();
  for (const auto& one : all) {
    list.push_back({{"of", one.of}, {"target", one.target}});
    if (one.reason.empty())
      list.back().update({{"iterations", one.iterations}, {"found", one.found}, {"samples", one.samples}});
    else
      list.back()["reason"] = one.reason;
  }
  return list;
}

std::vector<Reach> reach_from(const Json& json) {
  std::vector<Reach> all;
  for (const auto& one : json) {
    all.push_back({.of = one.at("of"), .target = one.at("target"), .reason = text_in(one, "reason")});
    if (!all.back().reason.empty()) continue;
    for (const char* key : {"iterations", "found", "samples"})
      if (!one.contains(key))
        throw Error(fmt::format("not a case record: /reach/{}/{}: missing, and there is no reason",
                                all.size() - 1, key));
    all.back().iterations = one.at("iterations");
    all.back().found = one.at("found");
    all.back().samples = one.at("samples").get<std::vector<double>>();
  }
  return all;
}

}  // namespace uotbench
