#include "roofline/model/cluster.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

const Json& part_of(const Json& json, const char* key, const std::string& where) {
  if (!json.is_object() || !json.contains(key)) throw Error(fmt::format("{}/{} is missing", where, key));
  return json.at(key);
}

double positive_in(const Json& json, const char* key, const std::string& where) {
  const Json& value = part_of(json, key, where);
  if (!value.is_number() || !(value.get<double>() > 0))
    throw Error(fmt::format("{}/{} has to be a number above 0", where, key));
  return value;
}

int count_in(const Json& json, const char* key, const std::string& where) {
  const double value = positive_in(json, key, where);
  if (!part_of(json, key, where).is_number_integer() || value > 1e6)
    throw Error(fmt::format("{}/{} has to be an integer from 1 to 1000000", where, key));
  return static_cast<int>(value);
}

std::string filled_text(const Json& json, const char* key, const std::string& where) {
  const Json& value = part_of(json, key, where);
  if (!value.is_string() || value.get<std::string>().empty())
    throw Error(fmt::format("{}/{} has to be a text", where, key));
  return value;
}

}  // namespace

std::optional<Cluster> cluster_from(const Json& specification) {
  const auto node = specification.find("node");
  if (node == specification.end()) return std::nullopt;
  Cluster cluster{.cores = count_in(*node, "cores", "/node")};
  cluster.caches = node->value("caches", Json::array());
  if (!cluster.caches.json().is_array()) throw Error("/node/caches has to be a list of caches");
  if (const auto network = specification.find("network"); network != specification.end())
    cluster.network = Network{.latency = positive_in(*network, "latency_seconds", "/network"),
                              .bytes_per_second = positive_in(*network, "bytes_per_second", "/network")};
  const auto published = specification.find("published");
  if (published == specification.end()) return cluster;
  cluster.source = filled_text(*published, "source", "/published");
  cluster.over = filled_text(*published, "over", "/published");
  const Json& problem = part_of(*published, "problem", "/published");
  const Json& speedups = part_of(*published, "speedups", "/published");
  if (!problem.is_object() || !speedups.is_array())
    throw Error("/published needs an object \"problem\" and a list \"speedups\"");
  cluster.problem = problem;
  for (std::size_t i = 0; i < speedups.size(); ++i) {
    const std::string at = fmt::format("/published/speedups/{}", i);
    cluster.published.push_back({.variant = filled_text(speedups[i], "variant", at),
                                 .ranks = count_in(speedups[i], "ranks", at),
                                 .ranks_of_node = count_in(speedups[i], "ranks_of_node", at),
                                 .speedup = positive_in(speedups[i], "speedup", at)});
  }
  return cluster;
}

}  // namespace uotbench
