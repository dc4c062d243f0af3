// The judge: makes inputs, poisons outputs, compares results. Built for the baseline instruction set.
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "harness/protocol/messages.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/worker/oracle/family.hpp"
#include "harness/worker/oracle/input_files.hpp"
#include "harness/worker/serve/serve.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

const Family& family_of(const Json& request) {
  const std::string name = request.at("family");
  for (const Family* family : families())
    if (family->spec().name == name) return *family;
  throw Error(fmt::format("the oracle knows no family {}", name));
}

Json described(const Json&, Channel&) {
  Json list = Json::array();
  for (const Family* family : families()) {
    const auto& spec = family->spec();
    Json axes = Json::array();
    for (const auto& axis : spec.axes) axes.push_back(to_json(axis));
    Json checked = Json::array();
    for (const auto& point : spec.checked) checked.push_back(to_json(point));
    Json arrays = Json::array();
    for (const auto& array : spec.arrays)
      arrays.push_back({{"name", array.name},
                        {"shape", array.shape},
                        {"type", array.type},
                        {"output", array.output},
                        {"about", array.about}});
    list.push_back({{"name", spec.name},
                    {"summary", spec.summary},
                    {"axes", axes},
                    {"mathematics", spec.mathematics},
                    {"arrays", arrays},
                    {"iterations", spec.iterations},
                    {"memoryless", spec.memoryless},
                    {"loosest", spec.loosest},
                    {"checked", checked}});
  }
  return {{"type", "described"}, {"families", list}};
}

double output_bytes(const Family& family, const Point& point) {
  double bytes = 0;
  for (const auto& spec : family.outputs(point)) {
    double elements = 1;
    for (const auto extent : spec.shape) elements *= static_cast<double>(extent);
    bytes += elements * (spec.type.back() - '0');
  }
  return bytes;
}

/// What the files that were noted hold; `known`: files that were looked at before.
InputContents contents_noted(const InputFiles& files, std::map<std::string, std::string>& known) {
  InputContents contents;
  for (const auto& path : files.paths()) {
    const auto [found, fresh] = known.try_emplace(path);
    if (fresh) found->second = content_of_file(path);
    contents[visible(path)] = found->second;
  }
  return contents;
}

/// Per point: the derived axis values and the bytes of shared memory it takes, or why there is no such
/// problem.
Json planned(const Json& request, Channel&) {
  const Family& family = family_of(request);
  Json list = Json::array();
  std::map<std::string, std::string> known;
  for (auto& point : planned_points(request)) try {
      const InputFiles files;
      const Point derived = family.derive(point);
      for (const auto& [axis, value] : derived.values())
        if (!point.has(axis)) point.set(axis, value);
      list.push_back({{"derived", to_json(derived)},
                      {"memory", family.input_bytes(point) + output_bytes(family, point)},
                      {"judged_after", family.judged_after(point)}});
      if (!files.paths().empty()) list.back()["files"] = contents_noted(files, known);
    } catch (const Error& error) {
      list.push_back({{"refused", error.what()}});
    }
  return {{"type", "planned"}, {"points", std::move(list)}};
}

Json prepared(const Json& request, Channel&) {
  const InputFiles files;
  family_of(request).prepare(point_from(request.at("point")), request.at("folder").get<std::string>());
  std::map<std::string, std::string> known;
  return to_json(PreparedReply{contents_noted(files, known)});
}

/// What the files of a folder hold.
Json hashed(const Json& request, Channel&) {
  return to_json(HashedReply{contents_of(request.at("folder").get<std::string>())});
}

Json poisoned(const Json& request, Channel&) {
  poison(family_of(request), point_from(request.at("point")), request.at("folder").get<std::string>());
  return {{"type", "poisoned"}};
}

/// What is wrong with the outputs that a worker names, before any is opened; empty: nothing.
std::string violation_of(const std::vector<std::string>& named, const std::vector<ArraySpec>& outputs,
                         const std::filesystem::path& folder) {
  for (const auto& name : named)
    if (std::ranges::find(outputs, name, &ArraySpec::name) == outputs.end()) {
      std::vector<std::string> known;
      for (const auto& output : outputs) known.push_back(output.name);
      return fmt::format("names the output \"{}\"; outputs are {}", name, fmt::join(known, ", "));
    }
  for (const auto& output : outputs) {
    // A link could lead to a file that is not the worker's to show.
    const auto path = folder / (output.name + ".npy");
    std::error_code none;
    if (std::filesystem::symlink_status(path, none).type() != std::filesystem::file_type::regular)
      return fmt::format("the output {} is no regular file any more", output.name);
  }
  return "";
}

Json judged(const Json& request, Channel&) {
  const Json& arrays = request.at("arrays");
  const Family& family = family_of(request);
  const Point point = point_from(request.at("point"));
  const std::string out = arrays.at("out");
  const std::vector<std::string> outputs = request.at("outputs");
  if (const auto violation = violation_of(outputs, family.outputs(point), out); !violation.empty())
    return to_json(JudgedReply{.check = {}, .reason = violation});
  const auto judgement = family.judge(
      point, arrays.at("in").get<std::string>(), out,
      {.variant = request.at("variant"),
       .outputs = outputs,
       .iterations = request.at("iterations"),
       .tolerance =
           request.at("tolerance").is_null() ? std::nullopt : std::optional<double>(request.at("tolerance")),
       .threads = point.has("threads") ? static_cast<int>(point.number("threads")) : 1});
  return to_json(JudgedReply{.check = judgement.check, .reason = judgement.reason});
}

}  // namespace
}  // namespace uotbench

int main() {
  using namespace uotbench;
  return serve(this_build().name, {{"build", to_json(this_build())}},
               {{"describe", described},
                {"plan", planned},
                {"prepare", prepared},
                {"poison", poisoned},
                {"hash", hashed},
                {"judge", judged}},
               "uotbench run --help");
}
