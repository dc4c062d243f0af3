#include "tools/uotbench/flags/figure_flags.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <map>

#include "results/base/error.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {
namespace {

/// "uot/one_read=Ours" of every --label or --colour.
std::map<std::string, std::string> pairs_of(const char* flag, const std::vector<std::string>& texts) {
  std::map<std::string, std::string> pairs;
  for (const auto& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw UsageError(
          fmt::format("{}: expected VARIANT=LABEL, such as uot/one_read=Ours, got \"{}\"", flag, text));
    pairs[text.substr(0, equals)] = text.substr(equals + 1);
  }
  return pairs;
}

std::map<std::string, std::string> colours_of(const std::vector<std::string>& texts) {
  const auto colours = pairs_of("--colour", texts);
  for (const auto& [variant, colour] : colours)
    if (colour.size() != 7 || colour[0] != '#' ||
        colour.find_first_not_of("0123456789abcdefABCDEF", 1) != std::string::npos)
      throw UsageError(
          fmt::format("--colour {}: expected #rrggbb, such as #d55e00, got \"{}\"", variant, colour));
  return colours;
}

}  // namespace

void add_figure_flags(CLI::App& command, FigureFlags& flags) {
  command.option_defaults()->group("The file");
  command.add_option("-o,--output", flags.output, "the figure: FILE.pdf, FILE.svg or FILE.png")
      ->type_name("FILE")
      ->required();
  command
      .add_option("--width", flags.width,
                  "cm, mm, in or pt; 8.8cm, the default, is a column of a two-column paper, 18cm a page")
      ->type_name("WIDTH");
  command.option_defaults()->group("What is drawn");
  command.add_option("--title", flags.title, "above the figure")->type_name("TITLE");
  command.add_option("--filter", flags.filter, "only cases whose id matches this regular expression")
      ->type_name("RE");
  command.add_option("--order", flags.order, "variants first to last; others follow in the run's order")
      ->type_name("VARIANT,...")
      ->delimiter(',')
      ->allow_extra_args(false);
  command.add_option("--label", flags.labels, "name of a variant in the figure: uot/one_read=Ours")
      ->type_name("VARIANT=LABEL")
      ->allow_extra_args(false);
  command.add_option("--colour", flags.colours, "a variant's colour: uot/one_read=#d55e00")
      ->type_name("VARIANT=#rrggbb")
      ->allow_extra_args(false);
  command.option_defaults()->group("The file");
  command.add_flag("--keep", flags.options.keep,
                   "leave gnuplot's script, data included, next to the figure: FILE.gp");
  command.add_flag("--data", flags.options.data,
                   "write what is drawn as a table next to the figure: FILE.csv");
  command.add_flag(
      "--caption", flags.options.caption,
      "write a LaTeX caption next to the figure: FILE.tex (machine, date, what vertical lines mean, "
      "what was left out, how many times are doubtful)");
}

FigureSpec spec_of(const std::string& kind, const FigureFlags& flags) {
  FigureSpec spec{.kind = kind, .filter = flags.filter};
  spec.width = parse_length(flags.width);
  spec.order = flags.order;
  spec.labels = pairs_of("--label", flags.labels);
  spec.colours = colours_of(flags.colours);
  if (!flags.title.empty()) spec.title = flags.title;
  return spec;
}

}  // namespace uotbench
