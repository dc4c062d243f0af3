// Ceilings as JSON: in the first line of a run, and as files.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include "results/base/error.hpp"
#include "results/base/shape.hpp"
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
  if (json.contains(rates[0]) == roof.level.empty())
    throw Error(where + (roof.level.empty() ? " needs a level: L1, L2, L3 or DRAM"
                                            : " has a level, but is no bandwidth"));
  if (json.contains(rates[2]) == roof.operation.empty())
    throw Error(where + (roof.operation.empty() ? " needs an operation, such as exp"
                                                : " has an operation, but is no rate of it"));
  const Json& value = json.at(rate_of(roof));
  // From slower than anybody's paper to beyond all machines: what figures can show.
  if (!value.is_number() || !(value.get<double>() >= 1e3) || !(value.get<double>() <= 1e21))
    throw Error(where + ": its rate has to be a number from 1e3 to 1e21");
  roof.value = value;
  take(roof.dtype, json, "dtype", at);
  take(roof.threads, json, "threads", at);
  take(roof.place, json, "place", at);
  take(roof.worker, json, "worker", at);
  take(roof.working_set, json, "working_set", at);
  take(roof.noise, json, "noise", at);
  return roof;
}

}  // namespace

Json to_json(const Ceilings& ceilings) {
  Json json{{"source", ceilings.source}, {"name", ceilings.name}, {"device", ceilings.device}};
  for (const auto& [key, text] : {std::pair{"fingerprint", &ceilings.fingerprint},
                                  std::pair{"made", &ceilings.made}, std::pair{"about", &ceilings.about}})
    if (!text->empty()) json[key] = *text;
  json["roofs"] = Json::array();
  for (const auto& roof : ceilings.roofs) json["roofs"].push_back(to_json(roof));
  return json;
}

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
    throw Error(fmt::format("/source: found \"{}\"; accepted: measured, specification", ceilings.source));
  if (ceilings.device != "cpu" && ceilings.device != "gpu")
    throw Error(fmt::format("/device: found \"{}\"; accepted: cpu, gpu", ceilings.device));
  const auto roofs = json.find("roofs");
  if (roofs == json.end() || !roofs->is_array() || roofs->empty())
    throw Error("/roofs has to be a list of at least one roof");
  for (std::size_t i = 0; i < roofs->size(); ++i)
    ceilings.roofs.push_back(roof_from((*roofs)[i], fmt::format("/roofs/{}", i)));
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
    if (!in || !(text << in.rdbuf())) throw wrong("cannot be read; a machine's specification would be right");
    const Json json = parse_visible(text.str());
    if (json.is_discarded()) throw wrong("is no JSON");
    return ceilings_from(json);
  } catch (const UsageError&) {
    throw;
  } catch (const Error& error) {
    throw wrong(error.what());
  } catch (const Json::exception& error) {
    throw wrong(plain_words(error));
  }
}

}  // namespace uotbench
