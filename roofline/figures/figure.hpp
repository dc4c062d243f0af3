// Figures of stored runs: what to draw, as data, and the drawing made of it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/view/view.hpp"
#include "roofline/draw/drawing.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/explain/explanation.hpp"
#include "roofline/model/ceilings.hpp"
#include "roofline/model/model.hpp"

namespace uotbench {

struct FigureSpec {
  std::string kind = {};                ///< as figure_kinds() has them: roofline, tiles, …
  std::string filter = {};              ///< a regular expression that ids have to match; empty: all
  std::vector<std::string> order = {};  ///< variants first to last; others follow in the run's order
  std::map<std::string, std::string> labels = {};   ///< "uot/one_read" -> "Ours"; default: the short name
  std::map<std::string, std::string> colours = {};  ///< variant -> #rrggbb
  std::optional<std::string> title = {};
  double width = 8.8;                     ///< cm
  std::optional<double> height = {};      ///< cm; absent: what its parts need
  std::optional<std::string> level = {};  ///< roofline: the roofs of this level alone
  Counting counting = Counting::model;    ///< roofline
  std::string x = {},
              y = {};  ///< tiles: the axes of the map; scaling, misses, solves: x alone; empty: chosen
  Document over = {};  ///< speedup, scaling: as a sweep's speedup_over; null: the run's own
  /// sizes: time (default) or bandwidth; misses: rate (default) or count; tiles: time (default), or a counter
  /// or metric of the run; ladder: such names, or rate, with commas between; solves: time (default),
  /// reach:NAME:TARGET, iterations, error, phase:NAME or fact:NAME; phases: time (default) or share; ecm:
  /// share (default) or time; scaling: speedup (default) or efficiency
  std::string value = {};
  std::string source = {};  ///< misses: counts of this source alone
  /// ecm: what analyses machine code; not part of a file. Empty: it is not analysed.
  AnalyseCode analyse = {};
};

/// The cases of some runs that a figure shows, in its order.
struct Shown {
  const RunView* view;
  const CaseView* member;
  std::string label;   ///< of its variant
  std::size_t series;  ///< of its variant: 0, 1, … in the figure's order; chooses the look
  std::string colour;  ///< #rrggbb
};

/// The ok cases that match, of these the timed ones or all. Throws UsageError: the filter is no regular
/// expression; nothing is left (and why: nothing matches, nothing is ok).
enum class Need { time, nothing };
std::vector<Shown> selected(const FigureSpec& spec, const std::vector<const RunView*>& views,
                            Need need = Need::time);

/// Throws UsageError in one line where there is nothing to draw: no such kind, an empty selection, no
/// ceilings, not enough axes. `ceilings`: what --machine gave; empty: each run's own.
Drawing figure_of(const FigureSpec& spec, const std::vector<const RunView*>& views,
                  const std::vector<Ceilings>& ceilings = {});

/// All kinds of figure, in the order of a report.
std::vector<std::string> figure_kinds();

// The kinds of figure, a file each. All throw UsageError in one line where the runs have nothing for them.

using MadeFigure = Drawing(const FigureSpec& spec, const std::vector<const RunView*>& views,
                           const std::vector<Ceilings>& ceilings);

MadeFigure roofline_figure, tiles_figure, speedup_figure, scaling_figure, sizes_figure, misses_figure,
    ladder_figure, solves_figure, ranks_figure, phases_figure, ecm_figure;

// What is written below a figure: what it shows, of which machine and when, and what to doubt.

/// A kind of figure on a page.
struct KindWords {
  std::string title;  ///< "Roofline"
  std::string about;  ///< a sentence: what it shows
};
KindWords kind_words(const std::string& kind);

/// Sentences in plain text: what is shown, what the vertical lines are, the machines and dates of the runs,
/// how many times are doubtful, and the drawing's notes. Without a file's name: a paper's reader has no such
/// file.
std::string caption_of(const std::string& kind, const std::vector<const RunView*>& views,
                       const Drawing& drawing);

// A file that describes a paper's figures (configs/figures.schema.json), and values as people write them.

/// One figure of such a file.
struct FigureJob {
  std::string pointer;            ///< to it in the file, for errors: "figs.json: /figures/1"
  std::filesystem::path file;     ///< where it goes; relative ones are from the folder of its specification
  std::vector<std::string> runs;  ///< as written: files or names
  std::vector<std::string> machines;  ///< as written: files of ceilings; empty: the runs' own
  FigureSpec spec;
  DrawOptions options;
};

/// Of a document that the schema accepts; `name` is the file's for errors, `folder` its folder. Throws
/// UsageError naming the JSON pointer: no such kind, a width that cannot be, one file for two figures.
std::vector<FigureJob> figures_from(const Json& json, const std::string& name,
                                    const std::filesystem::path& folder);

/// Centimetres of "8.8cm", "88mm", "3.5in" or "252pt" (of TeX: 1/72.27 inch). Throws UsageError: something
/// else, or not from 2 to 120 cm.
double parse_length(const std::string& text);

/// As a sweep's speedup_over: "uot/numpy_order", "uot/numpy_order@native-v3", "uot/numpy_order,threads=1" or
/// "threads=1". Throws UsageError.
Document parse_over(const std::string& text);

}  // namespace uotbench
