#include "roofline/figures/charts/key.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace uotbench {
namespace {

constexpr double sample_width = 0.6;  ///< cm

}  // namespace

std::string bar_fill(std::size_t look) {
  constexpr std::array hatches{4, 5, 1, 6, 2, 7};
  // After eight looks colours come again: what was solid is hatched then, and the other way round.
  return (look + look / 8) % 2 == 0 ? "solid 1"
                                    : fmt::format("pattern {}", hatches[look / 2 % hatches.size()]);
}

ChartKey::ChartKey(const Chart& chart, double width)
    : entries_(chart.series), ideal_(chart.series.size()), bars_(chart.bars), width_(width) {
  if (std::ranges::any_of(chart.panels, [](const Panel& panel) { return !panel.ideal.empty(); }))
    entries_.push_back({.label = "ideal", .note = {}, .colour = guide_colour, .look = 0});
  for (const auto& entry : entries_) {
    label_width_ = std::max(label_width_, text_width(entry.label, text_size) + 0.3);
    if (!entry.note.empty()) note_width_ = std::max(note_width_, text_width(entry.note, text_size) + 0.3);
  }
  const double most = width_ - sample_width - 0.65;
  for (auto& entry : entries_) entry.label = fitted(entry.label, most, text_size);
  label_width_ = std::min(label_width_, most + 0.3);
  if (sample_width + 0.15 + label_width_ + note_width_ > width_) {  // names are needed, sums are not
    for (auto& entry : entries_) entry.note.clear();
    note_width_ = 0;
  }
}

std::size_t ChartKey::columns() const {
  const double column = sample_width + 0.15 + label_width_ + note_width_;
  return std::clamp<std::size_t>(static_cast<std::size_t>((width_ - 0.2) / column), 1, entries_.size());
}

std::size_t ChartKey::rows() const { return (entries_.size() + columns() - 1) / columns(); }

double ChartKey::height() const { return static_cast<double>(rows()) * line_height() + 0.1; }

std::string ChartKey::commands(const Screen& screen, double top) const {
  std::string text;
  const double column = (width_ - 0.2) / static_cast<double>(columns());
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    const double left = 0.15 + column * static_cast<double>(i / rows());
    const double y = top - line_height() * (static_cast<double>(i % rows()) + 0.5);
    const double words = left + sample_width + 0.12;
    text += sample(screen, i, left, y) + screen.label(entries_[i].label, words, y);
    if (!entries_[i].note.empty()) text += screen.label(entries_[i].note, words + label_width_, y);
  }
  return text;
}

std::string ChartKey::sample(const Screen& screen, std::size_t entry, double left, double y) const {
  const auto& [label, note, colour, index] = entries_[entry];
  const bool ideal = entry == ideal_;
  if (bars_ && !ideal)
    return fmt::format("set object rectangle from {} to {} fc rgb {} fs {} border lc rgb {} lw 1\n",
                       screen.at(left + 0.1, y - 0.09), screen.at(left + sample_width, y + 0.09),
                       gnuplot_text(colour), bar_fill(index), gnuplot_text(colour));
  std::string text =
      fmt::format("set arrow from {} to {} nohead lw 2 dt {} lc rgb {}\n", screen.at(left, y),
                  screen.at(left + sample_width, y), ideal ? 2 : look(index).dash, gnuplot_text(colour));
  if (!ideal)
    text +=
        fmt::format("set label '' at {} point pt {} ps {} lc rgb {}\n", screen.at(left + sample_width / 2, y),
                    look(index).shape, chart_point_size, gnuplot_text(colour));
  return text;
}

}  // namespace uotbench
