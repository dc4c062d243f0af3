#include "harness/sweep/revisions/project.hpp"

#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <deque>
#include <fstream>

#include "harness/host/facts/machine.hpp"
#include "harness/host/facts/usable.hpp"
#include "harness/host/process/program.hpp"
#include "harness/sweep/language/schema.hpp"
#include "harness/sweep/revisions/revision.hpp"
#include "harness/sweep/revisions/revision_store.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "uotbench.project.json";
constexpr std::size_t kept_builds = 10, shown_lines = 15;
constexpr double hardly_any_room = 64 << 20;  // bytes: less than what a linker writes

std::optional<std::string> text_if_any(const Json& json, const char* key) {
  return json.contains(key) ? std::optional<std::string>(json.at(key)) : std::nullopt;
}

/// The part of a checkout that is the project's: all of it, or where "repo" names an inner folder, that.
ProjectPlaces places_of(const fs::path& checkout, const fs::path& prefix, const fs::path& inner) {
  return {inner.empty() ? checkout : (checkout / inner).lexically_normal(), prefix};
}

/// The first line that a compiler says of itself. One that is not there may not be needed.
Json version_of(const std::string& command) {
  try {
    auto words = split_command(command, "CXX");
    words.emplace_back("--version");
    const std::string said = run_program({.command = words, .environment = {"LC_ALL=C"}, .seconds = 30}).said;
    return said.substr(0, said.find('\n'));
  } catch (const std::runtime_error&) {
    return nullptr;
  }
}

std::string variable(const char* name, const char* standard) {
  const char* value = std::getenv(name);
  return value && *value ? value : standard;
}

/// Of the environment, what compilers and CMake read; not how many of them run, nor what starts them.
Json build_variables() {
  constexpr std::array names{"CC",      "CXX",     "CFLAGS",    "CXXFLAGS",    "CPPFLAGS",
                             "LDFLAGS", "CUDACXX", "CUDAFLAGS", "CUDAHOSTCXX", "CUDAARCHS"};
  std::vector<std::string> found;
  for (char** each = environ; *each; ++each) {
    const std::string_view setting = *each, name = setting.substr(0, setting.find('='));
    const bool no_matter = name == "CMAKE_BUILD_PARALLEL_LEVEL" || name.ends_with("_COMPILER_LAUNCHER");
    if (std::ranges::find(names, name) != names.end() || (name.starts_with("CMAKE_") && !no_matter))
      found.emplace_back(setting);
  }
  std::ranges::sort(found);
  return found;
}

/// All that a build depends on. The CPU, too: -march=native is another command on another one.
Json key_of(const Project& project, const Revision& revision, const fs::path& inner) {
  const bool cuda = project.build.find("nvcc") != std::string::npos ||
                    project.build.find("cuda") != std::string::npos ||
                    project.build.find("CUDA") != std::string::npos;
  const Json machine = machine_facts().at("hashed");
  return {{"schema", 1},
          {"tree", revision.tree},
          {"inner", inner.string()},
          {"build", project.build},
          {"worker", project.worker.value_or("")},
          {"bin", project.bin.value_or("")},
          {"cxx", version_of(variable("CXX", "c++"))},
          {"cc", version_of(variable("CC", "cc"))},
          {"nvcc", cuda ? version_of(variable("CUDACXX", "nvcc")) : Json()},
          {"environment", build_variables()},
          {"cpu", machine.value("cpu", Json())},
          {"cpu_flags", machine.value("flags_hash", Json())},
          {"architecture", machine.value("architecture", Json())}};
}

/// What a build prints, into its log; the last lines are kept.
class Log {
 public:
  explicit Log(const fs::path& file) : out_(file, std::ios::binary) {}

  void add(std::string_view text) {
    out_ << text;
    for (const char c : text) {
      if (c == '\n')
        end_line();
      else if (line_.size() < longest)
        line_ += c;
    }
  }
  std::vector<std::string> last_lines() {
    if (!line_.empty()) end_line();
    return {last_.begin(), last_.end()};
  }

 private:
  static constexpr std::size_t longest = 1000;
  void end_line() {
    last_.push_back(on_one_line(line_));
    if (last_.size() > shown_lines) last_.pop_front();
    line_.clear();
  }

  std::ofstream out_;
  std::string line_;
  std::deque<std::string> last_;
};

std::string room_note(const fs::path& folder) {
  const double room = shared_memory_free(folder);
  return room < hardly_any_room ? fmt::format("; only {} are free in {}", format_bytes(room), folder.string())
                                : "";
}

/// Returns the last lines that it said.
std::vector<std::string> run_build(const Project& project, const Revision& revision,
                                   const StoredBuild& stored, const ProjectPlaces& places,
                                   const BuildOptions& options) {
  const std::string line = filled_in_shell(project.build, places);
  Log log(stored.log());
  log.add(fmt::format("$ {}\n", line));
  const Ended ended = run_program(
      {.command = {"sh", "-c", line},
       .folder = places.checkout,
       // A repository around the store is not that of these files.
       .environment = {"GIT_CEILING_DIRECTORIES=" + stored.folder.string(), "GIT_DIR", "GIT_WORK_TREE",
                       "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX", "GIT_COMMON_DIR"},
       .own_group = true,
       .stop = options.stop,
       .on_said = [&](std::string_view text) { log.add(text); }});
  if (ended.stopped) throw Interrupted{};
  const auto lines = log.last_lines();
  if (ended.code == 0) return lines;
  if (options.on_text)
    for (const auto& said : lines) options.on_text(said);
  throw BuildFailed(fmt::format("{} does not build: `{}` ended with code {}{}; it last said: {}; its log: {}",
                                revision.about, line, ended.code, room_note(stored.folder), lines.back(),
                                stored.log().string()),
                    lines);
}

/// The worker is there: a build that says nothing of its failure is found out here, not in a case.
void require_workers(const Project& project, const Revision& revision, const StoredBuild& stored,
                     const ProjectPlaces& places, const std::vector<std::string>& said) {
  const auto missing = [&](const std::string& key, const std::string& what) {
    const std::string log = fs::exists(stored.log()) ? "; the build's log: " + stored.log().string() : "";
    return BuildFailed(
        fmt::format("{}: {}: {} says {}{}", revision.about, what, project.file.string(), key, log), said);
  };
  if (project.bin) {
    const fs::path bin = filled(*project.bin, places);
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(bin, none))
      if (entry.path().filename().string().starts_with(worker_prefix) && is_program(entry.path())) return;
    throw missing(fmt::format("\"bin\": \"{}\"", *project.bin),
                  fmt::format("no program {}NAME in {} after the build", worker_prefix, bin.string()));
  }
  const auto words = split_command(*project.worker, "worker");
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string word = filled(words[i], places);
    if (const auto program = word.find(":/"); i == 0 && program != std::string::npos)
      word.erase(0, program + 1);  // ADAPTER:PROGRAM
    if (word == words[i] || !word.starts_with('/') || (i == 0 ? is_program(word) : fs::exists(word)))
      continue;
    throw missing(fmt::format("\"worker\": \"{}\"", *project.worker),
                  fmt::format("no {} {} after the build", i == 0 ? "program" : "file", word));
  }
}

void say(const BuildOptions& options, const std::string& text) {
  if (options.on_text) options.on_text(text);
}

StoredBuild make(const Project& project, const Repository& repository, const Revision& revision,
                 const RevisionStore& store, const BuildOptions& options) {
  StoredBuild stored = store.fresh();
  try {
    const ProjectPlaces places = places_of(stored.checkout(), stored.prefix(), repository.inner());
    repository.check_out(revision, stored.checkout());
    if (repository.has_submodules(revision))
      say(options,
          fmt::format("{}: submodules are not checked out; \"build\" has to fetch what it needs of them",
                      revision.about));
    if (!fs::is_directory(places.checkout))
      throw BuildFailed(fmt::format("{} has no folder {}", revision.about, repository.inner().string()), {});
    std::vector<std::string> said;
    if (!project.build.empty()) {
      say(options, fmt::format("building {}; its log: {}", revision.about, stored.log().string()));
      said = run_build(project, revision, stored, places, options);
    }
    require_workers(project, revision, stored, places, said);
  } catch (...) {
    store.discard(stored);
    store.tidy(kept_builds);
    throw;
  }
  return stored;
}

/// A run file, or a history's: no build needs them, and each gate leaves one.
bool is_kept_by_uotbench(const std::string& file) {
  const std::string path = "/" + file;
  return file.ends_with(".jsonl") && (path.find("/results/runs/") != std::string::npos ||
                                      path.find("/.uotbench/history/") != std::string::npos);
}

/// Says what of a working tree is in no build.
void tell_unknown(const Repository& repository, const BuildOptions& options) {
  auto files = repository.unknown_files();
  std::erase_if(files, is_kept_by_uotbench);
  if (files.empty()) return;
  constexpr std::size_t most = 3;
  const std::size_t count = files.size();
  if (count > most) files.resize(most);
  say(options, fmt::format("{} that git does not know {} not in the build: {}{}; git add what belongs to it",
                           count == 1 ? "a file" : fmt::format("{} files", count), count == 1 ? "is" : "are",
                           fmt::join(files, ", "), count > most ? ", …" : ""));
}

}  // namespace

fs::path find_project(const fs::path& from) {
  const fs::path file = Repository(from).top() / file_name;
  if (fs::exists(file)) return file;
  throw UsageError(fmt::format(
      "no {}: it says how a revision is built, such as {{\"build\": \"make -C {{checkout}} PREFIX={{prefix}} "
      "install\", \"worker\": \"{{prefix}}/bin/my-worker\"}}; see docs/guide/gate_project.md",
      file.string()));
}

Project read_project(const fs::path& file) {
  const Json json = read_strictly(file);
  validate(json, project_schema(), file.string());
  const bool worker = json.contains("worker"), bin = json.contains("bin");
  if (worker == bin)
    throw UsageError(fmt::format(
        "{}: expected \"worker\" (one worker's command) or \"bin\" (a folder of programs {}NAME), got {}",
        file.string(), worker_prefix, worker ? "both" : "neither"));
  if (bin && json.contains("name"))
    throw UsageError(
        fmt::format("{}: /name: workers in \"bin\" have names of their own; leave it out", file.string()));
  Project project{.file = fs::absolute(file).lexically_normal(),
                  .repository = {},
                  .build = json.value("build", ""),
                  .worker = text_if_any(json, "worker"),
                  .name = json.value("name", "mine"),
                  .bin = text_if_any(json, "bin")};
  project.repository = (project.file.parent_path() / json.value("repo", ".")).lexically_normal();
  for (const auto& [key, text] :
       {std::pair("build", project.build), std::pair("worker", project.worker.value_or("")),
        std::pair("bin", project.bin.value_or(""))})
    if (const std::string word = unknown_word(text); !word.empty())
      throw UsageError(
          fmt::format("{}: /{}: unknown {{{}}}; expected {{checkout}}, {{prefix}}; {{{{{}}}}} for "
                      "the text {{{}}} itself",
                      file.string(), key, word, word, word));
  if (project.worker && split_command(*project.worker, file.string() + ": /worker").empty())
    throw UsageError(fmt::format("{}: /worker: no command; expected {}", file.string(),
                                 project_schema()["properties"]["worker"]["description"].get<std::string>()));
  return project;
}

Built build_revision(const Project& project, const std::string& revision, const BuildOptions& options) {
  const Repository repository(project.repository, options.stop);
  Revision what = revision.empty() ? repository.working_tree() : repository.revision(revision);
  if (!options.about.empty()) what.about = options.about;
  if (revision.empty()) tell_unknown(repository, options);
  const RevisionStore store(options.cache);
  const Json key = key_of(project, what, repository.inner());
  const FileLock lock = store.lock(key, options.stop, [&] {
    say(options, fmt::format("another uotbench is building {}: waiting for it", what.about));
  });
  auto stored = store.find(key);
  const bool found = stored.has_value();
  if (!found) {
    stored = make(project, repository, what, store, options);
    store.keep(*stored, key);
    store.tidy(kept_builds);
  }
  const ProjectPlaces places = places_of(stored->checkout(), stored->prefix(), repository.inner());
  return {.about = what.about,
          .commit = what.commit,
          .checkout = places.checkout,
          .prefix = places.prefix,
          .stored = found,
          .changed = what.changed,
          .in_use = stored->in_use};
}

std::vector<Manifest> workers_of(const Project& project, const Built& built,
                                 const std::vector<Manifest>& ours) {
  const ProjectPlaces places{built.checkout, built.prefix};
  if (project.bin) {
    const fs::path bin = filled(*project.bin, places);
    auto workers = ours;
    for (auto& worker : workers) {
      if (worker.judge || worker.given) continue;  // one judge for all; what was given is what is meant
      const auto build_of = [&](std::vector<std::string>& words) {
        for (auto& word : words)
          if (const fs::path program = word; program.filename().string().starts_with(worker_prefix))
            word = bin / program.filename();
      };
      build_of(worker.command);
      for (auto& [source, command] : worker.counted_by) build_of(command);
    }
    return workers;
  }
  auto command = split_command(*project.worker, "worker");
  for (auto& word : command) word = filled(word, places);
  std::vector<Manifest> workers{given_worker(project.name, command, ours)};
  constexpr int before_ours = 1000;
  workers.front().about = built.about;
  workers.front().prefer = before_ours;
  std::ranges::copy_if(ours, std::back_inserter(workers), &Manifest::judge);
  std::ranges::copy_if(counter_sources_of(ours), std::back_inserter(workers),
                       [&](const Manifest& source) { return source.name != project.name; });
  return workers;
}

}  // namespace uotbench
