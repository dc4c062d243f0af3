#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "results/error.hpp"
#include "roofline/figure.hpp"
#include "roofline/gnuplot.hpp"
#include "roofline/report.hpp"

namespace uotbench {
namespace {

struct Words {
  const char* title;
  const char* caption;
};

Words words_of(const std::string& kind) {
  static const std::map<std::string, Words> words{
      {"roofline",
       {"Roofline",
        "Flop rate over intensity (flops per byte of the work model) under the machine's limits. A point "
        "on a slope moves bytes as fast as that level of memory allows."}},
      {"speedup",
       {"Speedups", "Time of the reference over a case's own; higher is faster, 1 is the reference."}},
      {"tiles",
       {"Tiles",
        "Median time over two tunable axes; outlined are all tiles that the samples cannot tell from the "
        "best one."}},
      {"scaling",
       {"Scaling",
        "Speedup over one thread of the same variant; the line is what perfect scaling would be."}},
      {"sizes", {"Sizes", "Bandwidth over the working set, with the caches' sizes marked."}},
      {"misses", {"Misses", "Counted cache misses."}}};
  const auto found = words.find(kind);
  return found == words.end() ? Words{kind.c_str(), ""} : found->second;
}

/// More points than a page shows apart from each other, each of them half a kilobyte of SVG.
constexpr std::size_t most_points = 500;

std::string svg_in_page(const std::string& kind, const Drawing& drawing) {
  if (const std::size_t points = drawing.data.rows.size(); points > most_points)
    throw UsageError(fmt::format(
        "{} points are too many to tell apart; uotbench figure {} RUN --filter RE draws some of them", points,
        kind));
  return svg_of(drawing, kind + "-");
}

std::string files_of(const std::vector<const RunView*>& runs) {
  std::vector<std::string> names;
  for (const auto* view : runs) names.push_back(view->run->path.filename().string());
  return shortened(names);
}

}  // namespace

std::vector<ReportFigure> report_figures(const std::vector<const RunView*>& runs,
                                         const std::vector<Ceilings>& ceilings) {
  auto kinds = kinds_for(runs);
  // Every reader looks for it, so that its absence has to be told.
  if (std::ranges::find(kinds, "roofline") == kinds.end()) kinds.insert(kinds.begin(), "roofline");
  std::vector<ReportFigure> figures;
  for (const auto& kind : kinds) {
    const Words words = words_of(kind);
    ReportFigure figure{.title = words.title, .caption = "", .svg = "", .missing = ""};
    try {
      FigureSpec spec{.kind = kind, .filter = ""};
      spec.width = 14;
      if (kind == "sizes") spec.value = "bandwidth";  // steps where the caches end, as the caption says
      figure.svg = svg_in_page(kind, figure_of(spec, runs, ceilings));
      figure.caption = fmt::format("{} From {}.", words.caption, files_of(runs));
    } catch (const Error& error) {
      figure.missing = error.what();
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace uotbench
