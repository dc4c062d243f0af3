// Ceilings as JSON: in the first line of a run, and as files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {
namespace {

std::string require_text(const Json& json, const char* key, const std::string& where) {
  const auto found = json.find(key);
  if (found == json.end()) return "";
  if (!found->is_string()) throw Error(fmt::format("{}{} has to be a text", where, key));
  return found->get<std::string>();
}

template <class Value>
void take(std::optional<Value>& into, const Json& json, const char* key, const std::string& where) {
  const auto found = json.find(key);
  if (found == json.end() || found->is_null()) return;
  if constexpr (std::is_same_v<Value, std::string>) {
    into = require_text(json, key, where);
  } else {
    const bool right = std::is_same_v<Value, double> ? found->is_number() : found->is_number_integer();
    if (!right || found->template get<double>() < 0)
      throw Error(fmt::format("{}{} has to be a number that is not negative", where, key));
    into = found->template get<Value>();
  }
}

/// The points of a curve share all but these: [bytes of the working set, bytes per second, noise or null].
Json curve_point(const Roof& roof) {
  return {*roof.working_set, std::round(roof.value),
          roof.noise ? Json(std::round(1e4 * *roof.noise) / 1e4) : Json()};
}

bool same_curve(const Roof& a, const Roof& b) {
  return a.kernel == b.kernel && a.dtype == b.dtype && a.threads == b.threads && a.place == b.place &&
         a.worker == b.worker;
}

constexpr std::array rates{"bytes_per_second", "flops_per_second", "operations_per_second"};

/// The key of its value.
const char* rate_of(const Roof& roof) { return rates[roof.is_bandwidth() ? 0 : roof.is_flops() ? 1 : 2]; }

Json to_json(const Roof& roof) {
  Json json{{"kernel", roof.kernel}};
  const auto give = [&](const char* key, const auto& value) {
    if (value) json[key] = *value;
  };
  if (roof.is_bandwidth()) json["level"] = roof.level;
  if (!roof.form.empty()) json["form"] = roof.form;
  if (!roof.operation.empty()) json["operation"] = roof.operation;
  give("dtype", roof.dtype);
  give("threads", roof.threads);
  give("place", roof.place);
  give("worker", roof.worker);
  give("working_set", roof.working_set);
  json[rate_of(roof)] = roof.value;
  give("noise", roof.noise);
  return json;
}

Roof roof_from(const Json& json, const std::string& where) {
  if (!json.is_object()) throw Error(fmt::format("{} is no object", where));
  const std::string at = where + "/";
  Roof roof{.kernel = require_text(json, "kernel", at),
            .level = require_text(json, "level", at),
            .form = require_text(json, "form", at),
            .operation = require_text(json, "operation", at)};
  if (roof.kernel.empty()) throw Error(at + "kernel is missing");
  if (std::ranges::count_if(rates, [&](const char* rate) { return json.contains(rate); }) != 1)
    throw Error(where + " needs one of bytes_per_second, flops_per_second and operations_per_second");
  const bool is_point = json.contains(rates[0]) && json.contains("working_set");
  if (json.contains(rates[0]) == roof.level.empty() && !is_point)
    throw Error(where + (roof.level.empty() ? " needs a level: L1, L2, L3 or DRAM"
                                            : " has a level, but is no bandwidth"));
  if (json.contains(rates[2]) == roof.operation.empty())
    throw Error(where + (roof.operation.empty() ? " needs an operation, such as exp"
                                                : " has an operation, but is no rate of it"));
  take(roof.working_set, json, "working_set", at);
  const Json& value = json.at(rate_of(roof));
  // From slower than anybody's paper to beyond all machines: what figures can show.
  if (!value.is_number() || !(value.get<double>() >= 1e3) || !(value.get<double>() <= 1e21))
    throw Error(where + ": its rate has to be a number from 1e3 to 1e21");
  roof.value = value;
  take(roof.dtype, json, "dtype", at);
  take(roof.threads, json, "threads", at);
  take(roof.place, json, "place", at);
  take(roof.worker, json, "worker", at);
  take(roof.noise, json, "noise", at);
  return roof;
}

Json curves_json(const std::vector<Roof>& roofs) {
  std::vector<std::vector<const Roof*>> curves;
  for (const auto& roof : roofs) {
    if (!roof.is_point()) continue;
    const auto its =
        std::ranges::find_if(curves, [&](const auto& curve) { return same_curve(*curve.front(), roof); });
    (its == curves.end() ? curves.emplace_back() : *its).push_back(&roof);
  }
  Json list = Json::array();
  for (auto& curve : curves) {
    std::ranges::stable_sort(curve, {}, [](const Roof* point) { return *point->working_set; });
    Json json = to_json(*curve.front());
    for (const char* of_a_point : {"working_set", "bytes_per_second", "noise"}) json.erase(of_a_point);
    for (const Roof* point : curve) json["points"].push_back(curve_point(*point));
    list.push_back(std::move(json));
  }
  return list;
}

std::vector<Roof> points_from(const Json& json, const std::string& where) {
  if (!json.is_object()) throw Error(fmt::format("{} is no object", where));
  const Json points = json.value("points", Json());
  if (!points.is_array() || points.empty())
    throw Error(fmt::format("{}/points has to be a list of at least one point", where));
  std::vector<Roof> curve;
  Json roof = json;
  roof.erase("points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Json& point = points[i];
    const std::string at = fmt::format("{}/points/{}", where, i);
    if (!point.is_array() || point.size() != 3 || !point[0].is_number() || !(point[0].get<double>() > 0))
      throw Error(
          fmt::format("{}: expected [bytes of the working set, bytes per second, noise or null], got {}", at,
                      to_line(point)));
    roof["working_set"] = point[0];
    roof["bytes_per_second"] = point[1];
    roof["noise"] = point[2];
    curve.push_back(roof_from(roof, at));
  }
  return curve;
}

}  // namespace

Json to_json(const Ceilings& ceilings) {
  Json json{{"source", ceilings.source}, {"name", ceilings.name}, {"device", ceilings.device}};
  for (const auto& [key, text] : {std::pair{"fingerprint", &ceilings.fingerprint},
                                  std::pair{"made", &ceilings.made}, std::pair{"about", &ceilings.about}})
    if (!text->empty()) json[key] = *text;
  json["roofs"] = Json::array();
  for (const auto& roof : ceilings.roofs)
    if (!roof.is_point()) json["roofs"].push_back(to_json(roof));
  if (Json curves = curves_json(ceilings.roofs); !curves.empty()) json["curves"] = std::move(curves);
  return json;
}

Document document_of(const Ceilings& ceilings) { return Json::array({to_json(ceilings)}); }

Ceilings ceilings_from(const Json& json) {
  if (!json.is_object()) throw Error("ceilings have to be an object");
  Ceilings ceilings{.source = require_text(json, "source", "/"),
                    .name = require_text(json, "name", "/"),
                    .device = require_text(json, "device", "/"),
                    .fingerprint = require_text(json, "fingerprint", "/"),
                    .made = require_text(json, "made", "/"),
                    .about = require_text(json, "about", "/"),
                    .roofs = {}};
  if (ceilings.source != "measured" && ceilings.source != "specification")
    throw Error(fmt::format("/source: expected measured or specification, got \"{}\"", ceilings.source));
  if (ceilings.device != "cpu" && ceilings.device != "gpu")
    throw Error(fmt::format("/device: expected cpu or gpu, got \"{}\"", ceilings.device));
  const auto roofs = json.find("roofs"), curves = json.find("curves");
  const bool has_curves = curves != json.end();
  if (has_curves && !curves->is_array()) throw Error("/curves has to be a list of curves");
  if (roofs == json.end() || !roofs->is_array() || (roofs->empty() && !has_curves))
    throw Error("/roofs has to be a list of at least one roof");
  for (std::size_t i = 0; i < roofs->size(); ++i)
    ceilings.roofs.push_back(roof_from((*roofs)[i], fmt::format("/roofs/{}", i)));
  for (std::size_t i = 0; has_curves && i < curves->size(); ++i)
    for (auto& point : points_from((*curves)[i], fmt::format("/curves/{}", i)))
      ceilings.roofs.push_back(std::move(point));
  ceilings.cluster = cluster_from(json);
  return ceilings;
}

Ceilings read_ceilings(const std::filesystem::path& path) {
  const auto wrong = [&](const std::string& text) {
    return UsageError(fmt::format("{}: {}", path.string(), text));
  };
  try {
    if (path.extension() == ".jsonl") {
      const auto list = ceilings_of(read_run(path));
      if (list.empty()) throw wrong("this run holds no ceilings; uotbench machine measures them");
      return list.front();
    }
    std::ifstream in(path);
    std::stringstream text;
    if (!in || !(text << in.rdbuf())) throw wrong("cannot be read; expected a machine's specification");
    const auto json = parse_visible(text.str());
    if (!json) throw wrong("is no JSON");
    return ceilings_from(*json);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    throw wrong(error.what());
  } catch (const Json::Exception& error) {
    throw wrong(error.what());
  }
}

// What a specification tells of nodes that a network joins, and what others published of processes on them.

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
