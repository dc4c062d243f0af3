#include "tools/uotbench/running/figure_jobs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

#include "harness/sweep/language/schema.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/record/counters.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/view/metrics.hpp"
#include "results/view/view.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/figures/ladder/ladder.hpp"
#include "roofline/model/model.hpp"
#include "tools/uotbench/flags/locations.hpp"

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

namespace fs = std::filesystem;

namespace {

/// A run that several figures may show, read once.
struct Read {
  explicit Read(const fs::path& path) : run(read_run(path)), view(view_under_roofs(run)) {}
  Read(const Read&) = delete;
  Read& operator=(const Read&) = delete;

  Run run;
  RunView view;
};

/// A file beside the one that names it, else as it stands.
std::string beside(const fs::path& folder, const std::string& name) {
  std::error_code none;
  const fs::path path = folder / name;
  return !folder.empty() && fs::is_regular_file(path, none) ? path.string() : name;
}

class Drawer {
 public:
  explicit Drawer(fs::path folder) : folder_(std::move(folder)) {}

  Drawing drawing(const FigureJob& job) {
    require_kind(job.spec.kind);
    std::vector<const RunView*> views;
    for (const auto& name : job.runs) {
      const fs::path path = find_run(beside(folder_, name));
      views.push_back(&runs_.try_emplace(path.string(), path).first->second.view);
    }
    require_variants(job.spec, views);
    require_counter(job.spec, views);
    std::vector<Ceilings> machines;
    for (const auto& machine : job.machines)
      machines.push_back(read_ceilings(find_machine(beside(folder_, machine))));
    return figure_of(job.spec, views, machines);
  }

 private:
  static void require_kind(const std::string& kind) {
    const auto kinds = figure_kinds();
    if (std::ranges::find(kinds, kind) == kinds.end())
      throw UsageError(fmt::format("no kind of figure is called \"{}\"{}; there are: {}", kind,
                                   did_you_mean(kind, kinds), fmt::join(kinds, ", ")));
  }

  /// A misspelt name would leave a label or a colour out, silently.
  static void require_variants(const FigureSpec& spec, const std::vector<const RunView*>& views) {
    std::set<std::string> known;
    for (const auto* view : views)
      for (const auto& record : view->run->records) known.insert(record.variant);
    const std::vector<std::string> names(known.begin(), known.end());
    const auto require = [&](const char* what, const std::string& name) {
      if (!known.contains(name))
        throw UsageError(fmt::format("{}: no case of \"{}\"{}; there are: {}", what, name,
                                     did_you_mean(name, names), shortened(names, 12)));
    };
    for (const auto& name : spec.order) require("order", name);
    for (const auto& [name, label] : spec.labels) require("labels", name);
    for (const auto& [name, colour] : spec.colours) require("colours", name);
    if (const Json& over = spec.over.json(); over.is_object() && over.contains("variant"))
      require("over", over["variant"]);
  }

  /// What tiles show instead of times, and ladders beside rates.
  static void require_counter(const FigureSpec& spec, const std::vector<const RunView*>& views) {
    if (spec.value.empty() || (spec.kind != "tiles" && spec.kind != "ladder")) return;
    std::vector<std::string> names{spec.kind == "tiles" ? "time" : ladder_rate};
    for (const auto* view : views) {
      for (const auto& name : counter_names_in(view->run->records)) names.push_back(name);
      const Metrics metrics(view->run->header, view->run->records);
      for (const auto& metric : metrics.all()) names.push_back(metric.name);
    }
    for (const auto& value : spec.kind == "tiles" ? std::vector{spec.value} : ladder_values(spec))
      if (std::ranges::find(names, value) == names.end())
        throw UsageError(fmt::format("{}: value \"{}\"{}: no such counter or metric here; there are: {}",
                                     spec.kind, value, did_you_mean(value, names), shortened(names, 12)));
  }

  fs::path folder_;
  std::map<std::string, Read> runs_;  // views stay where they are
};

}  // namespace

std::vector<FigureJob> read_jobs(const fs::path& file, const std::string& only) {
  const Json json = read_strictly(file);
  const std::string name = file.filename().string();
  validate(json, read_strictly(configs_folder() / "figures.schema.json"), name);
  auto jobs = figures_from(json, name, file.parent_path());
  if (only.empty()) return jobs;
  std::vector<std::string> names;
  for (const auto& job : jobs) names.push_back(job.file.filename().string());
  std::erase_if(jobs, [&](const FigureJob& job) {
    return job.file.filename() != only && job.file.stem() != only &&
           !job.file.generic_string().ends_with("/" + only);
  });
  if (jobs.empty())
    throw UsageError(fmt::format("--only {}: {} describes no such figure{}; there are: {}", only, name,
                                 did_you_mean(only, names), fmt::join(names, ", ")));
  return jobs;
}

std::vector<Drawing> drawings_of(const std::vector<FigureJob>& jobs, const fs::path& folder) {
  Drawer drawer(folder);
  std::vector<Drawing> drawings;
  for (const auto& job : jobs) try {
      drawings.push_back(drawer.drawing(job));
    } catch (const UsageError& error) {
      if (job.pointer.empty()) throw;
      throw UsageError(fmt::format("{}: {}", job.pointer, error.what()));
    }
  return drawings;
}

void draw_all(const std::vector<FigureJob>& jobs, const fs::path& folder) {
  const auto drawings = drawings_of(jobs, folder);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    draw(drawings[i], jobs[i].file, jobs[i].options);
    const std::string file = on_one_line(jobs[i].file.string());
    for (const auto& warning : drawings[i].warnings)
      std::fputs(fmt::format("{}: warning: {}\n", file, on_one_line(warning)).c_str(), stderr);
    for (const auto& note : drawings[i].notes)
      std::fputs(fmt::format("{}: note: {}\n", file, on_one_line(note)).c_str(), stderr);
    fmt::print("{}\n", file);
  }
}

}  // namespace uotbench
