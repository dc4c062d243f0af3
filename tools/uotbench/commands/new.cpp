// uotbench new: writes the files that something of one's own begins with.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "tools/uotbench/commands/found_benchmarks.hpp"
#include "tools/uotbench/flags/command.hpp"
#include "tools/uotbench/flags/locations.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

/// A word of a template, and what it becomes.
using Words = std::vector<std::pair<std::string, std::string>>;

struct NewFile {
  fs::path model, file;  ///< in templates/, and from the current folder
};

struct Made {
  std::vector<NewFile> files;
  Words words;
  std::vector<std::string> next;  ///< commands that build and try it
  std::string found = {};         ///< what it was made for, and where that is; empty: a template alone
};

/// "my_kernel.py" as "my_kernel" and ".py".
struct Name {
  explicit Name(const std::string& text) : ending(fs::path(text).extension()), stem(fs::path(text).stem()) {}
  std::string ending, stem;
};

/// Letters, digits and '_', as C++ and the ids of cases take it.
void require_name(const std::string& name) {
  const auto fits = [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '_'; };
  if (name.empty() || !std::islower(static_cast<unsigned char>(name[0])) || !std::ranges::all_of(name, fits))
    throw UsageError(fmt::format(
        "new: \"{}\" is no name: small letters, digits and '_', a letter first, such as my_kernel", name));
}

/// my_kernel: MyKernel
std::string as_class(const std::string& name) {
  std::string text;
  bool start = true;
  for (const char c : name) {
    if (c != '_') text += start ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    start = c == '_';
  }
  return text;
}

bool in_a_clone() { return fs::is_regular_file("rooms.txt") && fs::is_directory("kernels/uot"); }

/// What find_package(uotbench) is told: where this program is installed, else where it may be.
std::string prefix(std::vector<std::string>& commands) {
  const fs::path installed = bin_folder().parent_path();
  if (fs::is_directory(installed / "share/uotbench/worker")) return shell_quoted(installed.string());
  commands.push_back(fmt::format("cmake --install {} --prefix ~/uotbench", shell_quoted(installed.string())));
  return "~/uotbench";
}

constexpr const char* checks =
    "-a 'M,N=37,53;64,33' -a dtype=f32,f64 -a scheme=unbalanced,damped -a threads=1,2";

Made variant(const std::string& text) {
  const Name given(text.starts_with("uot/") ? text.substr(4) : text);
  if (text.find('/') != std::string::npos && !text.starts_with("uot/"))
    throw UsageError(fmt::format(
        "new: {}: the template is a variant of uot; for another family, begin with a file of kernels/{}/",
        text, text.substr(0, text.find('/'))));
  const std::string& name = given.stem;
  require_name(name);
  Made made{.files = {}, .words = {{"two_passes", name}, {"TwoPasses", as_class(name)}}, .next = {}};
  const std::string id = "uot/" + name;
  if (given.ending == ".py") {
    const fs::path file = in_a_clone() ? fs::path("kernels/uot") / (name + ".py") : fs::path(name + ".py");
    made.files = {{"variant/two_passes.py", file}};
    made.next = {
        fmt::format("uotbench run {} -a M,N=37,53 -a dtype=f32,f64 --verify-only{}", id,
                    in_a_clone() ? "" : fmt::format(" --worker mine='uotbench-worker-python {}.py'", name))};
    return made;
  }
  if (!given.ending.empty() && given.ending != ".cpp")
    throw UsageError(
        fmt::format("new: {}: a variant is written in C++ ({}) or in Python ({}.py)", text, name, name));
  if (in_a_clone()) {
    made.files = {{"variant/two_passes.cpp", fs::path("kernels/uot") / (name + ".cpp")}};
    made.next = {"cmake --preset release", "cmake --build build/release",
                 fmt::format("uotbench run {} {} --verify-only", id, checks)};
    return made;
  }
  made.files = {{"variant/two_passes.cpp", name + ".cpp"}};
  const std::string where = prefix(made.next);
  if (fs::exists("CMakeLists.txt"))
    made.next.push_back(fmt::format("echo 'uotbench_add_worker({} {}.cpp)' >>CMakeLists.txt", name, name));
  else
    made.files.push_back({"variant/CMakeLists.txt", "CMakeLists.txt"});
  made.next.push_back("cmake -B build -DCMAKE_PREFIX_PATH=" + where);
  made.next.emplace_back("cmake --build build");
  made.next.push_back(
      fmt::format("uotbench run {} --worker {}=./build/uotbench-worker-{} {}", id, name, name, checks));
  return made;
}

Made family(const std::string& name) {
  require_name(name);
  if (!in_a_clone())
    throw UsageError(
        "new: a family is a folder of kernels/, built into the oracle: run this in the top folder of "
        "a clone of uotbench");
  const fs::path folder = fs::path("kernels") / name;
  if (fs::exists(folder)) throw UsageError(fmt::format("new: {} is there already", folder.string()));
  Made made{.files = {}, .words = {{"demo", name}, {"Demo", as_class(name)}}, .next = {}};
  for (const char* file : {"problem.hpp", "oracle/oracle.cpp", "loop.cpp", "awkward.json"})
    made.files.push_back({fs::path("family") / file, folder / file});
  made.next = {"cmake --preset release", "cmake --build build/release",
               fmt::format("uotbench run --sweep {}/awkward.json --verify-only", name)};
  return made;
}

Made worker(const std::string& text) {
  const std::string name = Name(text).stem;
  require_name(name);
  return {
      .files = {{"worker/my_worker.py", name + ".py"}},
      .words = {{"python_lists", name}, {"my_worker", name}},
      .next = {fmt::format("uotbench check-worker 'python3 {}.py'", name),
               fmt::format("uotbench run uot/{} -a M,N=37,53 --worker mine='python3 {}.py'", name, name)}};
}

Made project(const std::string& text) {
  const Name given(text);
  require_name(given.stem);
  const bool python = given.ending == ".py";
  if (const auto found = python ? std::nullopt : find_benchmarks(fs::current_path()))
    return {.files = {{fs::path("project") / found->model, "uotbench.project.json"}},
            .words = {{"mine", given.stem}, {"TARGET", found->target}, {"PROGRAM", found->program}},
            .next = {"git add uotbench.project.json && git commit -m 'How uotbench builds a commit'",
                     "uotbench gate 'external/*' --baseline-ref HEAD"},
            .found = found->where};
  return {.files = {{python ? "project/python.json" : "project/compiled.json", "uotbench.project.json"}},
          .words = {{"mine", given.stem}},
          .next = {"git add uotbench.project.json",
                   fmt::format("uotbench gate uot/{} -a M,N=300,400 --baseline-ref HEAD", given.stem)}};
}

Made figure(const std::string& text) {
  const std::string name = Name(text).stem;
  require_name(name);
  return {.files = {{"figure/figures.json", name + ".json"}},
          .words = {{"mine", name}},
          .next = {fmt::format("uotbench figure --spec {}.json", name)}};
}

Made data(const std::string& text) {
  const std::string name = Name(text).stem;
  require_name(name);
  Made made;
  for (const char* file : {"a.csv", "b.csv", "X.csv", "Y.csv"})
    made.files.push_back({fs::path("data") / file, fs::path(name) / file});
  for (const char* variant : {"uot/matrix_free", "sinkhorn_log/points", "simplex/colgen"})
    made.next.push_back(fmt::format("uotbench run {} -a data=npy -a path={}", variant, name));
  return made;
}

struct NewKind {
  const char *name, *about;
  Made (*make)(const std::string& name);
};

constexpr NewKind kinds[]{
    {"variant", "NAME.cpp or NAME.py, a kernel of uot", variant},
    {"family", "in a clone: a folder with problem, oracle, kernel and sweep", family},
    {"worker", "NAME.py, a worker in plain Python that speaks the protocol", worker},
    {"project", "uotbench.project.json, of benchmarks found here; NAME.py: in Python", project},
    {"figure", "NAME.json, for uotbench figure --spec", figure},
    {"data", "NAME/, a folder of points and masses, for -a data=npy -a path=NAME", data}};

/// docs/my_worker.py is a page's example, too: in a clone it is there alone.
fs::path place_of(const fs::path& model) {
  const fs::path installed = templates_folder() / model;
  if (fs::exists(installed)) return installed;
  return templates_folder().parent_path() / "docs" / model.filename();
}

std::string filled(const fs::path& model, const Words& words) {
  std::ifstream in(model, std::ios::binary);
  if (!in) throw Error(fmt::format("{}: cannot be read: {}", model.string(), std::strerror(errno)));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  std::string made;
  for (std::size_t at = 0; at < text.size();) {  // once over it: a name may hold a template's word
    const auto word = std::ranges::find_if(
        words, [&](const auto& each) { return text.compare(at, each.first.size(), each.first) == 0; });
    made += word == words.end() ? text.substr(at, 1) : word->second;
    at += word == words.end() ? 1 : word->first.size();
  }
  return made;
}

/// Made here and by nobody else meanwhile.
void write_file(const fs::path& file, const std::string& text) {
  if (file.has_parent_path()) fs::create_directories(file.parent_path());
  std::FILE* const out = std::fopen(file.c_str(), "wbx");
  if (!out) throw Error(fmt::format("{}: cannot be made: {}", file.string(), std::strerror(errno)));
  const bool whole = std::fwrite(text.data(), 1, text.size(), out) == text.size();
  if (std::fclose(out) != 0 || !whole)
    throw Error(fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
}

int write_new(const std::string& kind, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& each : kinds) known.emplace_back(each.name);
  const auto* const found = std::ranges::find(kinds, kind, &NewKind::name);
  if (found == std::end(kinds))
    throw UsageError(fmt::format("new: no kind \"{}\"{}; there are: {}", kind, did_you_mean(kind, known),
                                 fmt::join(known, ", ")));
  const Made made = found->make(name);
  std::vector<std::pair<fs::path, std::string>> texts;
  for (const auto& [model, file] : made.files) {
    if (fs::exists(fs::symlink_status(file)))
      throw UsageError(fmt::format("new: {} is there already, and nothing is overwritten; give another name",
                                   file.string()));
    texts.emplace_back(file, filled(place_of(model), made.words));
  }
  if (!made.found.empty()) fmt::print("found {}\n", made.found);
  for (const auto& [file, text] : texts) {
    write_file(file, text);
    fmt::print("wrote {}\n", file.string());
  }
  fmt::print("next:\n");
  for (const auto& command : made.next) fmt::print("  {}\n", command);
  return exit_ok;
}

}  // namespace

void add_new(CLI::App& program, Action& chosen) {
  struct NewOptions {
    std::string kind, name;
  };
  auto options = std::make_shared<NewOptions>();
  auto* command = program.add_subcommand("new", "write the first files of a kernel, worker or figure");
  std::string choices, lines;
  for (const auto& kind : kinds) {
    choices += fmt::format("{}{}", choices.empty() ? "" : "|", kind.name);
    lines += fmt::format("  {:<9}{}\n", kind.name, kind.about);
  }
  command->add_option("KIND", options->kind, "what is written: see below")->required()->type_name(choices);
  command->add_option("NAME", options->name, "what it is called: small letters, digits and '_'")->required();
  command->footer("Kinds:\n" + lines +
                  "Nothing is overwritten. The commands that build it and try it are printed.\n"
                  "Examples:\n"
                  "  uotbench new variant my_kernel\n"
                  "  uotbench new worker my_worker\n"
                  "  uotbench new figure fig9");
  command->callback(
      [options, &chosen] { chosen = [options] { return write_new(options->kind, options->name); }; });
}

}  // namespace uotbench
