// uotbench pack: an artefact to hand in with a paper, and whether one is what it says.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>

#include "harness/host/process/files.hpp"
#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/base/whole_file.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/packing/artefact.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

struct PackOptions {
  std::vector<std::string> runs, claims;
  std::string output, figures, pages, verify, into;
};

int pack(const PackOptions& options) {
  if (options.runs.empty())
    throw UsageError("pack: give RUN and --output FILE.zip, or --verify FILE.zip; see uotbench pack --help");
  const fs::path output = options.output;
  if (output.extension() != ".zip")
    throw UsageError(options.output.empty()
                         ? "pack: --output is required; see uotbench pack --help"
                         : fmt::format("--output: expected FILE.zip (an artefact is a ZIP file), got \"{}\"",
                                       options.output));
  const PackedFiles files = artefact_of({.name = output.stem().string(),
                                         .runs = options.runs,
                                         .claims = options.claims,
                                         .figures = options.figures,
                                         .pages = options.pages});
  const std::string zip = zip_of(files);
  write_whole(output, zip);
  std::size_t todo = 0;
  for (const char* page : author_pages) {
    const std::string& text = files.at(page);
    for (auto at = text.find(open_place); at != std::string::npos; at = text.find(open_place, at + 1)) ++todo;
  }
  fmt::print("{}: {} files, {}\n", options.output, files.size(),
             format_bytes(static_cast<double>(zip.size())));
  fmt::print("{} places say {}, for what only its author knows: README.md, appendix.md, checklist.md\n", todo,
             open_place);
  fmt::print("check it: uotbench pack --verify {}\n", options.output);
  return exit_ok;
}

/// An empty folder of the user's, or one of its own.
class Place {
 public:
  explicit Place(const std::string& given) : path_(given) {
    std::error_code none;
    if (given.empty())
      path_ = own_.emplace("verify").path();
    else if (fs::exists(path_, none) && (!fs::is_directory(path_, none) || !fs::is_empty(path_, none)))
      throw UsageError(
          fmt::format("--into: expected an empty folder, or one that is not there yet, got \"{}\"", given));
  }
  const fs::path& path() const { return path_; }

 private:
  std::optional<TemporaryFolder> own_;
  fs::path path_;
};

struct Remade {
  std::size_t equal = 0, made = 0;
  std::vector<std::string> wrong = {};
  std::vector<std::string> pictures = {};  ///< a line for each that another gnuplot drew
  std::vector<std::string> unmade = {};    ///< what no run tells, or its author wrote
};

/// "GNUPLOT 5.4 patchlevel 4", as a picture says of itself; empty: it says nothing.
std::string drawn_by(const std::string& svg) {
  const std::string before = "<desc>Produced by ", after = " </desc>";
  const auto at = svg.find(before), end = at == std::string::npos ? at : svg.find(after, at);
  if (end == std::string::npos) return "";
  return on_one_line(svg.substr(at + before.size(), std::min<std::size_t>(end - at - before.size(), 60)));
}

bool is_made(const std::string& name) {
  return (name.starts_with("figures/") && name != "figures/figures.json") || name.starts_with("sweeps/") ||
         name.ends_with(".verdicts.json") || (name.starts_with("claims/") && name.ends_with(".md"));
}

Remade compared(const PackedFiles& packed, const PackedFiles& again) {
  Remade found{.made = again.size()};
  for (const auto& [name, text] : again) {
    const auto file = packed.find(name);
    if (file == packed.end()) {
      found.wrong.push_back(fmt::format("{}: is missing", name));
    } else if (file->second == text) {
      ++found.equal;
    } else if (std::ranges::find(author_pages, name) != std::end(author_pages)) {
      found.unmade.push_back(name);
    } else if (const std::string there = drawn_by(file->second), here = drawn_by(text);
               name.ends_with(".svg") && !there.empty() && there != here) {
      found.pictures.push_back(
          fmt::format("{}: not compared: drawn by {}, and {} is here", name, there, here));
      found.unmade.push_back(name);
    } else {
      found.wrong.push_back(fmt::format("{}: comes out different", name));
    }
  }
  for (const auto& [name, text] : packed)
    if (again.contains(name) || name == checksums_file)
      continue;
    else if (is_made(name))
      found.wrong.push_back(fmt::format("{}: nothing in the artefact makes it", name));
    else
      found.unmade.push_back(name);
  std::ranges::sort(found.unmade);
  return found;
}

int verify(const PackOptions& options) {
  const fs::path zip = options.verify;
  if (!fs::is_regular_file(zip)) throw UsageError(fmt::format("--verify {}: no such file", options.verify));
  const PackedFiles files = read_zip(zip);
  auto wrong = wrong_checksums(files);
  Remade found;
  if (wrong.empty()) {
    const Place place(options.into);
    unpack(files, place.path());
    fmt::print("{} files, their checksums are right\n", files.size());
    found = compared(files, made_again(files, place.path(), zip.stem().string()));
    wrong = found.wrong;
    fmt::print("{} of {} files made again from the runs, byte by byte the same\n", found.equal, found.made);
  }
  for (const auto& line : found.pictures) fmt::print("{}\n", line);
  for (const auto& line : wrong) fmt::print("{}\n", line);
  if (!wrong.empty()) {
    fmt::print("{}: is not what it was\n", options.verify);
    return exit_failed;
  }
  fmt::print("{}: verified; not made again, their checksums alone were checked: {}\n", options.verify,
             fmt::join(found.unmade, ", "));
  return exit_ok;
}

}  // namespace

void add_pack(CLI::App& program, Action& chosen) {
  auto options = std::make_shared<PackOptions>();
  auto* command = program.add_subcommand("pack", "make the artefact of a paper, or check one");
  auto* runs = command->add_option("RUN", options->runs,
                                   "run files, or sweeps' names: the newest run of each in results/runs");
  command->option_defaults()->group("To make one");
  command->add_option("-o,--output", options->output, "the artefact: FILE.zip")->type_name("FILE");
  command
      ->add_option("--claims", options->claims,
                   "a paper whose claims are checked in these runs: a name in configs/claims, or a file")
      ->type_name("PAPER")
      ->allow_extra_args(false);
  command
      ->add_option("--figures", options->figures,
                   "the figures that FILE describes (configs/figures); default: all kinds that can be drawn")
      ->type_name("FILE");
  command
      ->add_option("--pages", options->pages,
                   "take README.md, appendix.md and checklist.md of FOLDER, where their author wrote on them")
      ->type_name("FOLDER");
  command->option_defaults()->group("To check one");
  auto* check = command
                    ->add_option("--verify", options->verify,
                                 "check the artefact FILE, and make all that follows from its runs again")
                    ->type_name("FILE")
                    ->excludes(runs);
  command->add_option("--into", options->into, "with --verify: unpack into the empty FOLDER, and keep it")
      ->type_name("FOLDER")
      ->needs(check);
  command->footer(
      "Examples:\n"
      "  uotbench pack single_thread threads -o artefact.zip\n"
      "  uotbench pack single_thread --claims map_uot -o artefact.zip\n"
      "  uotbench pack --verify artefact.zip");
  command->callback([options, &chosen] {
    chosen = [options] {
      require_zip();
      return options->verify.empty() ? pack(*options) : verify(*options);
    };
  });
}

}  // namespace uotbench
