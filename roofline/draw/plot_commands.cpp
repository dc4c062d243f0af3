#include "roofline/draw/plot_commands.hpp"

#include <fmt/format.h>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

std::string open_axes() {
  return fmt::format(
      "set border 3 lw 1\nset tics out nomirror scale 0.4 font ',{:g}' offset 0,0\n"
      "set grid ytics lt 1 lc rgb '{}' lw 0.8\nunset key\n",
      text_size, grid_colour);
}

std::string tics(char axis, const std::vector<Tick>& ticks) {
  std::string text = fmt::format("set {}tics (", axis);
  for (std::size_t i = 0; i < ticks.size(); ++i)
    text += fmt::format("{}{} {:.9g}", i ? ", " : "", gnuplot_tic(ticks[i].text), ticks[i].at);
  return text + ")";
}

void Layers::add(const std::string& name, const std::string& rows, const std::vector<std::string>& hows) {
  if (rows.empty()) return;
  data_ += fmt::format("${} << EOD\n{}EOD\n", name, rows);
  for (const auto& how : hows)
    plots_ += fmt::format("{}${} {}", plots_.empty() ? "plot " : ", \\\n  ", name, how);
}

std::string Layers::commands() const { return data_ + (plots_.empty() ? "plot NaN" : plots_) + "\n"; }

}  // namespace uotbench
