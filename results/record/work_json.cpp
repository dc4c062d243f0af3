#include "results/record/work_json.hpp"

#include "results/base/json.hpp"

namespace uotbench {

Json to_json(const Work& work) {
  Json json{{"flops", work.flops},
            {"bytes_read", work.bytes_read},
            {"bytes_written", work.bytes_written},
            {"write_allocate", work.write_allocate}};
  if (work.bytes_nontemporal > 0) json["bytes_nontemporal"] = work.bytes_nontemporal;
  if (work.working_set) json["working_set"] = *work.working_set;
  if (const auto& element = work.element)
    json["element"] = {{"elements", element->elements},
                       {"flops", element->flops},
                       {"memory", element->memory},
                       {"cached", element->cached}};
  for (const auto& [name, count] : work.operations) json["operations"][name] = count;
  if (work.counted) json["from"] = "run";
  if (!work.repeats) json["repeats"] = false;
  return json;
}

Work work_from(const Json& json) {
  Work work{.flops = json.value("flops", 0.0),
            .bytes_read = json.value("bytes_read", 0.0),
            .bytes_written = json.value("bytes_written", 0.0),
            .write_allocate = json.value("write_allocate", 0.0),
            .bytes_nontemporal = json.value("bytes_nontemporal", 0.0)};
  if (json.contains("working_set")) work.working_set = json.at("working_set").get<double>();
  if (json.contains("element")) {
    const Json& element = json.at("element");
    work.element = ElementWork{.elements = element.value("elements", 0.0),
                               .flops = element.value("flops", 0.0),
                               .memory = element.value("memory", 0.0),
                               .cached = element.value("cached", 0.0)};
  }
  const Json operations = json.value("operations", Json::object());
  for (const auto& [name, count] : operations.items())
    work.operations.push_back({.name = name, .count = count.get<double>()});
  work.counted = json.value("from", "model") == "run";
  work.repeats = json.value("repeats", true);
  return work;
}

}  // namespace uotbench
