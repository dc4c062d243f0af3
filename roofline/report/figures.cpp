#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include "results/base/error.hpp"
#include "results/base/parallel.hpp"
#include "results/base/text.hpp"
#include "results/view/published.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/explain/hot_code.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/report/report.hpp"

namespace uotbench {
namespace {

/// More points than a page shows apart from each other, each of them half a kilobyte of SVG.
constexpr std::size_t most_points = 500;

std::string svg_in_page(const std::string& kind, const Drawing& drawing) {
  const std::size_t rows = drawing.data.rows.size(), left_out = drawing.left_out.size();
  if (const std::size_t points = rows - std::min(rows, left_out); points > most_points)
    throw UsageError(fmt::format(
        "{} points are too many to distinguish; uotbench figure {} RUN --filter RE draws some of them",
        points, kind));
  return svg_of(drawing, kind + "-");
}

/// A variant has one colour in all figures of a page.
std::map<std::string, std::string> colours_of(const std::vector<const RunView*>& runs) {
  std::map<std::string, std::string> colours;
  for (const auto* view : runs)
    for (const auto& group : view->groups)
      for (const auto& member : group.cases)
        if (member.record->status == Status::ok)
          colours.try_emplace(member.record->variant, look(colours.size()).colour);
  return colours;
}

/// A figure before it is drawn by gnuplot; or why there is none.
struct Drawn {
  std::optional<Drawing> drawing;
  std::string missing;
};

/// Of 10^5 cases each takes a second.
std::vector<Drawn> drawn_as(const std::vector<std::string>& kinds, const std::vector<const RunView*>& runs,
                            const std::vector<Ceilings>& ceilings, const AnalyseCode& analyse) {
  const auto colours = colours_of(runs);
  std::vector<Drawn> drawn(kinds.size());
  in_parts(kinds.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) try {
        FigureSpec spec{.kind = kinds[i], .filter = ""};
        spec.width = 14;
        spec.colours = colours;
        spec.analyse = analyse;
        if (kinds[i] == "sizes") spec.value = "bandwidth";  // steps where the caches end
        drawn[i].drawing = figure_of(spec, runs, ceilings);
      } catch (const Error& error) {
        drawn[i].missing = error.what();
      }
  });
  return drawn;
}

std::string file_names(const std::vector<const RunView*>& runs) {
  std::vector<std::string> names;
  for (const auto* view : runs) names.push_back(view->run->path.filename().string());
  return shortened(names);
}

}  // namespace

std::vector<ReportFigure> report_figures(const std::vector<const RunView*>& runs,
                                         const std::vector<Ceilings>& ceilings, const AnalyseCode& analyse) {
  std::vector<ReportFigure> figures;
  std::vector<ReportFigure> missing;  // a reason each, with the kinds that it keeps from being drawn
  const bool published = std::ranges::any_of(
      runs, [](const RunView* view) { return published_of(view->run->header).has_value(); });
  std::vector<std::string> kinds = figure_kinds();
  if (!published) std::erase(kinds, "ladder");  // without it speedups tell the same
  const bool over_ranks = std::ranges::any_of(runs, [](const RunView* view) {
    return std::ranges::any_of(view->run->records,
                               [](const Record& record) { return record.point.contains("ranks"); });
  });
  if (!over_ranks) std::erase(kinds, "ranks");
  const auto any_solution = [](const RunView* view) {
    return std::ranges::any_of(view->groups, [](const GroupView& group) {
      return std::ranges::any_of(group.cases, ends_by_a_test);
    });
  };
  if (std::ranges::none_of(runs, any_solution)) std::erase(kinds, "solves");
  const bool coded = std::ranges::any_of(runs, [](const RunView* view) {
    return std::ranges::any_of(view->run->records, [](const Record& record) {
      return record.counters.contains(counter_names::by_block);
    });
  });
  if (!coded) std::erase(kinds, "ecm");  // without code it is the roofline
  const auto drawn = drawn_as(kinds, runs, ceilings, analyse);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    ReportFigure figure{
        .title = kind_words(kinds[i]).title, .caption = "", .svg = "", .missing = drawn[i].missing};
    try {
      if (drawn[i].drawing) figure.svg = svg_in_page(kinds[i], *drawn[i].drawing);
    } catch (const Error& error) {
      figure.missing = error.what();
    }
    if (!figure.missing.empty()) {
      const std::string kind = kinds[i] + ": ";  // its title says so
      if (figure.missing.starts_with(kind)) figure.missing.erase(0, kind.size());
      const auto same = std::ranges::find(missing, figure.missing, &ReportFigure::missing);
      if (same == missing.end())
        missing.push_back(std::move(figure));
      else
        same->title += fmt::format(", {}", figure.title);
      continue;
    }
    figure.caption = fmt::format("{} From {}.", drawn[i].drawing->caption, file_names(runs));
    figures.push_back(std::move(figure));
  }
  std::ranges::move(missing, std::back_inserter(figures));
  return figures;
}

}  // namespace uotbench
