#include "roofline/figures/ladder/key.hpp"

#include <fmt/format.h>

#include <iterator>

#include "roofline/draw/drawing.hpp"

namespace uotbench {
namespace {

constexpr double margin = 0.1, sample = 0.45, gap = 0.3;  // cm

}  // namespace

const char* ladder_step_colour(std::size_t machine) {
  static constexpr const char* colours[]{"#000000", "#d55e00", "#009e73", "#b8a800"};
  return colours[machine % std::size(colours)];
}

LadderKey::LadderKey(const std::vector<std::string>& workers, const std::vector<std::string>& machines,
                     double width)
    : width_(width) {
  for (const auto& worker : workers) entries_.push_back({"ours, " + worker, entries_.size(), true});
  for (const auto& machine : machines)
    entries_.push_back({"published, " + machine, entries_.size() - workers.size(), false});
  double x = margin;
  int row = 0;
  for (auto& entry : entries_) {
    const double its = sample + 0.1 + text_width(entry.text, text_size);
    if (x > margin && x + its > width - margin) ++row, x = margin;
    entry.x = x, entry.row = row;
    x += its + gap;
  }
}

double LadderKey::height() const { return (entries_.empty() ? 1 : entries_.back().row + 1) * line_height(); }

std::string LadderKey::commands(const Screen& screen, double top) const {
  std::string text;
  int object = 1;
  for (const auto& entry : entries_) {
    const double x = entry.x, y = top - (entry.row + 0.5) * line_height();
    if (entry.ours)
      text += fmt::format("set object {} rectangle from {} to {} fs solid 1 noborder fc rgb {}\n", object++,
                          screen.at(x + 0.08, y - 0.08), screen.at(x + sample - 0.08, y + 0.08),
                          gnuplot_text(look(entry.index).colour));
    else
      text += fmt::format("set arrow from {} to {} nohead lw {:g} lc rgb {}\n", screen.at(x, y),
                          screen.at(x + sample, y), ladder_step_width,
                          gnuplot_text(ladder_step_colour(entry.index)));
    text += screen.label(fitted(entry.text, width_ - x - sample - 0.2, text_size), x + sample + 0.1, y);
  }
  return text;
}

}  // namespace uotbench
