#include "harness/protocol/messages.hpp"
#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

std::vector<Axis> axes_from(const Json& list, Describes whose) {
  std::vector<Axis> axes;
  for (const auto& axis : list) axes.push_back(axis_from(axis, whose));
  return axes;
}

std::optional<Measures> measures_from(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Measures{.rate = json.at("rate"), .arrays = json.value("arrays", 0)};
}

FamilyInfo family_from(const Json& json) {
  FamilyInfo family;
  family.name = json.at("name");
  family.summary = text_in(json, "summary");
  family.axes = axes_from(json.at("axes"), Describes::family);
  family.iterations = json.value("iterations", family.iterations);
  for (const auto& point : json.value("checked", Json::array())) family.checked.emplace_back(point);
  family.loosest = json.value("loosest", family.loosest);
  family.memoryless = json.value("memoryless", false);
  family.mathematics = json.value("mathematics", std::vector<std::string>{});
  for (const auto& array : json.value("arrays", Json::array()))
    family.arrays.push_back({.name = array.at("name"),
                             .shape = array.at("shape"),
                             .type = array.at("type"),
                             .about = text_in(array, "about"),
                             .output = array.value("output", false)});
  return family;
}

FamilyInfo own_family_from(const Json& json) {
  FamilyInfo family;
  family.name = json.at("name");
  family.summary = text_in(json, "summary");
  family.iterations = 1;
  family.oracle = false;
  return family;
}

VariantInfo variant_from(const Json& json) {
  VariantInfo variant;
  variant.name = json.at("name");
  variant.summary = text_in(json, "summary");
  variant.axes = axes_from(value_in(json, "axes"), Describes::variant);
  variant.tolerance = optional_from<double>(json, "tolerance");
  variant.code = text_in(json, "code");
  variant.kernels = value_in(json, "kernels");
  for (const auto& point : value_in(json, "points")) variant.points.emplace_back(point);
  variant.measures = measures_from(value_in(json, "measures"));
  return variant;
}

}  // namespace

DescribedReply described_reply_from(const Json& json) {
  DescribedReply reply;
  for (const auto& own : value_in(json, "families")) reply.families.push_back(own_family_from(own));
  for (const auto& one : json.at("variants")) {
    VariantEntry& entry = reply.variants.emplace_back();
    entry.has_summary = one.contains("summary");
    try {
      entry.variant = variant_from(one);
    } catch (const Error& error) {
      entry.variant.name = one.at("name");
      entry.contradiction = error.what();
    }
  }
  return reply;
}

std::vector<FamilyInfo> families_from(const Json& json) {
  std::vector<FamilyInfo> families;
  for (const auto& one : json.at("families")) families.push_back(family_from(one));
  return families;
}

}  // namespace uotbench
