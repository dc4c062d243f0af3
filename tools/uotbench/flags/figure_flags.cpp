#include "tools/uotbench/flags/figure_flags.hpp"

#include <CLI/CLI.hpp>

#include "roofline/figures/figure_spec.hpp"

namespace uotbench {

void add_figure_flags(CLI::App& command, FigureFlags& flags) {
  command.add_option("-o,--output", flags.output, "the figure: FILE.pdf, FILE.svg or FILE.png")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--width", flags.width,
                  "cm, mm, in or pt; 8.8cm, the default, is a column of a two-column paper, 18cm a page")
      ->type_name("WIDTH");
  command.add_option("--title", flags.title, "above the figure")->type_name("TITLE");
  command.add_option("--filter", flags.filter, "only cases whose id matches this regular expression")
      ->type_name("RE");
  command.add_flag("--keep", flags.options.keep,
                   "leave gnuplot's script, data included, beside the figure: FILE.gp");
  command.add_flag("--data", flags.options.data,
                   "write what is drawn as a table beside the figure: FILE.csv");
}

FigureSpec spec_of(const std::string& kind, const FigureFlags& flags) {
  FigureSpec spec{.kind = kind, .filter = flags.filter};
  spec.width = parse_length(flags.width);
  if (!flags.title.empty()) spec.title = flags.title;
  return spec;
}

}  // namespace uotbench
