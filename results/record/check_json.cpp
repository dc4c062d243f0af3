#include "results/record/check_json.hpp"

#include <cmath>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

/// A reference that overflowed has no finite error, and JSON has no way to say infinity.
double error_from(const Json& json) { return json.is_number() ? json.get<double>() : HUGE_VAL; }

Json to_json(const ItemsChecked& items) {
  Json json{{"count", items.count}, {"wrong", items.wrong}, {"first", items.first}};
  if (items.worst) json["worst"] = {{"index", items.worst->index}, {"error", items.worst->error}};
  return json;
}

ItemsChecked items_from(const Json& json) {
  ItemsChecked items{.count = json.at("count"),
                     .wrong = json.at("wrong"),
                     .first = json.value("first", std::vector<std::int64_t>{})};
  if (json.contains("worst"))
    items.worst = {.index = json["worst"].at("index"), .error = error_from(json["worst"].at("error"))};
  return items;
}

}  // namespace

Json to_json(const Check& check) {
  Json json{{"kind", check.kind},
            {"error", check.error},
            {"tolerance", check.tolerance},
            {"oracle", check.oracle},
            {"worst", check.worst}};
  if (!check.found.empty()) json["found"] = check.found.json();
  if (check.items) json["items"] = to_json(*check.items);
  return json;
}

Check check_from(const Json& json) {
  Check check{.kind = json.value("kind", "full"),
              .error = error_from(json.at("error")),
              .tolerance = json.at("tolerance"),
              .oracle = json.value("oracle", ""),
              .worst = json.value("worst", ""),
              .found = json.value("found", Json::object())};
  if (json.contains("items")) check.items = items_from(json["items"]);
  return check;
}

}  // namespace uotbench
