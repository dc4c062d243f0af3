#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {
namespace {

/// "Intel(R) Xeon(R) Processor (family 6, model 207), 2 CPUs, 2026-11-26".
std::string origin_of(const RunHeader& header) {
  const Json& hashed = header.machine.hashed();
  std::string text = header.machine.cpu();
  if (text.empty()) text = "a machine that the run does not name";
  const Json family = hashed.value("family", Json()), model = hashed.value("model", Json());
  if (family.is_number() && model.is_number())
    text += fmt::format(" (family {}, model {})", to_line(family), to_line(model));
  if (const Json cpus = hashed.value("logical_cpus", Json()); cpus.is_number())
    text += fmt::format(", {} CPU{}", to_line(cpus), cpus == Json(1) ? "" : "s");
  const std::string hypervisor = text_in(hashed, "hypervisor");
  if (!hypervisor.empty()) text += fmt::format(", a virtual machine ({})", hypervisor);
  const std::string& started = header.started;
  return started.size() < 10 ? text : text + ", " + started.substr(0, 10);
}

std::string sentence(std::string text) {
  if (text.empty()) return "";
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text.ends_with('.') ? text : text + '.';
}

}  // namespace

KindWords kind_words(const std::string& kind) {
  static const std::map<std::string, KindWords> words{
      {"roofline",
       {"Roofline",
        "Flop rate over operational intensity (flops per byte of the work model) under the machine's "
        "limits."}},
      {"speedup",
       {"Speedups",
        "Time of the reference over a case's own; higher is faster, 1 is the reference. A solve is compared "
        "with iterations by its time per iteration."}},
      {"tiles",
       {"Tiles",
        "Median time over two tunable axes; outlined are all tiles that the samples cannot distinguish from "
        "the best one."}},
      {"scaling", {"Scaling", "Speedup over the number of threads; the dashed line is perfect scaling."}},
      {"sizes", {"Sizes", "Time or bandwidth over the working set."}},
      {"misses",
       {"Misses",
        "Cache misses per access of L1D, counted or simulated by the source that each plot's title names."}},
      {"ladder",
       {"Ladder",
        "Flop rates and counts of the variants, one after another, as bars; what was published of them as "
        "steps."}},
      {"solves",
       {"Solves",
        "What a solution takes over what makes the problem hard; a solve ends by its family's stopping "
        "test."}},
      {"ranks",
       {"Processes", "Speedup over processes: measured, and as the model of time has it, here and beyond."}},
      {"phases",
       {"Phases", "Where the time of a case goes: the parts that its kernel reports, and the rest."}},
      {"ecm",
       {"Components of a time",
        "By the ECM model: left the core's work, right loads, stores and transfers between levels; the "
        "longer of "
        "the two predicts the measured time, which is the line at 100%, or a bar of its own."}}};
  const auto found = words.find(kind);
  return found == words.end() ? KindWords{.title = kind, .about = ""} : found->second;
}

std::string caption_of(const std::string& kind, const std::vector<const RunView*>& views,
                       const Drawing& drawing) {
  std::vector<std::string> sentences{
      sentence(drawing.about.empty() ? kind_words(kind).about : drawing.about)};
  if (!drawing.intervals.empty()) sentences.push_back(sentence("Vertical lines: " + drawing.intervals));
  std::vector<std::string> origins;
  for (const auto* view : views)
    if (const std::string origin = origin_of(view->run->header);
        std::ranges::find(origins, origin) == origins.end())
      origins.push_back(origin);
  if (!origins.empty()) sentences.push_back(fmt::format("Measured on {}.", fmt::join(origins, "; ")));
  sentences.push_back(sentence(drawing.doubts));
  for (const auto& note : drawing.notes) sentences.push_back(sentence(on_one_line(note)));
  std::erase(sentences, "");
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace uotbench
