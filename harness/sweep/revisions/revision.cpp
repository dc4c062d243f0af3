#include "harness/sweep/revisions/revision.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "harness/host/process/files.hpp"
#include "harness/host/process/program.hpp"
#include "harness/sweep/workers/worker_process.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t short_hash = 8;

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

/// As git reads a list of folders: in quotes, for one of them may hold a ':'.
std::string quoted(const fs::path& folder) {
  std::string text = "\"";
  for (const char c : folder.string()) {
    if (c == '"' || c == '\\') text += '\\';
    text += c;
  }
  return text + '"';
}

std::string last_line(const std::string& text) {
  const auto lines = parts_of(text, '\n');
  return lines.empty() ? "it said nothing" : lines.back();
}

}  // namespace

Repository::Repository(const fs::path& folder, const volatile sig_atomic_t* stop)
    : folder_(folder.empty() ? fs::current_path() : fs::absolute(folder)), stop_(stop) {
  if (!fs::is_directory(folder_)) throw UsageError(fmt::format("{}: no such folder", folder_.string()));
  const Answer top = ask({"rev-parse", "--show-toplevel", "--absolute-git-dir"});
  const auto lines = parts_of(top.text, '\n');
  if (top.code != 0 || lines.size() != 2)
    throw UsageError(fmt::format(
        "{} is not in a git repository with files checked out ({}): run it where revisions can be asked for",
        folder_.string(), last_line(top.error)));
  top_ = lines[0];
  git_ = lines[1];
  inner_ = trimmed(must({"rev-parse", "--show-prefix"}));
  temp_dir_ = LockedFolder(temporary_root(), "uotbench-git");
  if (!temp_dir_) throw Error(fmt::format("no folder can be made in {}", temporary_root().string()));
}

Repository::Answer Repository::ask(const Words& arguments, const Words& environment,
                                   const fs::path& folder) const {
  // A checkout may belong to another user, as in a container. No hook of the repository's is run, and nothing
  // is started that goes on.
  Words command{"git", "--no-optional-locks",
                "-c",  "safe.directory=*",
                "-c",  "core.quotePath=false",
                "-c",  "core.hooksPath=/dev/null",
                "-c",  "core.fsmonitor=false",
                "-c",  "core.sparseCheckout=false",
                "-c",  "gc.auto=0"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  // Set where a hook calls us, they would have git work on another repository.
  Words variables{"LC_ALL=C", "GIT_PREFIX", "GIT_COMMON_DIR", "GIT_NAMESPACE"};
  for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
                           "GIT_ALTERNATE_OBJECT_DIRECTORIES"})
    if (std::ranges::none_of(environment,
                             [&](const auto& its) { return its.starts_with(std::string(name) + "="); }))
      variables.emplace_back(name);
  variables.insert(variables.end(), environment.begin(), environment.end());
  try {
    Ended ended = run_program({.command = command,
                               .folder = folder.empty() ? folder_ : folder,
                               .environment = variables,
                               .errors_apart = true,
                               .stop = stop_});
    if (ended.stopped) throw Interrupted{};
    return {ended.code, std::move(ended.said), std::move(ended.errors)};
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{}; git finds revisions: install it", error.what()));
  }
}

std::string Repository::must(const Words& arguments, const Words& environment, const fs::path& folder) const {
  Answer answer = ask(arguments, environment, folder);
  if (answer.code != 0)
    throw Error(fmt::format("git {} in {} ended with code {}: {}", fmt::join(arguments, " "),
                            (folder.empty() ? folder_ : folder).string(), answer.code,
                            last_line(answer.error)));
  return std::move(answer.text);
}

/// The variables that have git write to an index and objects of our own.
Repository::Words Repository::own_index() const {
  fs::create_directories(temp_dir_.path() / "objects");
  fs::path objects = trimmed(must({"rev-parse", "--git-path", "objects"}));
  if (objects.is_relative()) objects = folder_ / objects;
  return {"GIT_INDEX_FILE=" + (temp_dir_.path() / "index").string(),
          "GIT_OBJECT_DIRECTORY=" + (temp_dir_.path() / "objects").string(),
          "GIT_ALTERNATE_OBJECT_DIRECTORIES=" + quoted(objects)};
}

Revision Repository::revision(const std::string& name) const {
  const bool an_option = name.starts_with('-');
  const Answer found =
      an_option ? Answer{1, {}, {}} : ask({"rev-parse", "--verify", "--quiet", name + "^{commit}"});
  if (found.code == 0) {
    const std::string commit = trimmed(found.text);
    const std::string abbreviated = commit.substr(0, short_hash);
    const bool itself = name.size() >= 4 && commit.starts_with(name);
    return {trimmed(must({"rev-parse", "--verify", commit + "^{tree}"})), commit,
            itself ? abbreviated : fmt::format("{} ({})", name, abbreviated)};
  }
  if (!an_option && ask({"cat-file", "-e", name}).code == 0)
    throw UsageError(fmt::format("{} is no commit: expected a branch, a tag or a commit's hash", name));
  const std::string root = name.substr(0, name.find_first_of("~^"));  // of main~3: main
  if (root == "HEAD" || root == "@")
    if (const std::string branch = unborn_branch(); !branch.empty())
      throw UsageError(fmt::format(
          "{}: the branch {} has no commit yet: expected another branch, a tag or a commit's hash", name,
          branch));
  if (is_shallow())
    throw UsageError(fmt::format(
        "{} is not in this clone: set fetch-depth: 0 (the clone is shallow; by hand: git fetch --unshallow)",
        name));
  if (!an_option && root != name && !root.empty() &&
      ask({"rev-parse", "--verify", "--quiet", root + "^{commit}"}).code == 0)
    throw UsageError(
        fmt::format("{} is not in this clone: {} has no such ancestor", name, revision(root).about));
  auto names = parts_of(must({"for-each-ref", "--format=%(refname:short)"}), '\n');
  names.emplace_back("HEAD");
  throw UsageError(fmt::format("{} is not in this clone{}: expected a branch, a tag or a commit's hash", name,
                               did_you_mean(name, names)));
}

/// The branch that HEAD is on, where it has no commit; else empty.
std::string Repository::unborn_branch() const {
  if (ask({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"}).code == 0) return "";
  return trimmed(ask({"symbolic-ref", "--short", "--quiet", "HEAD"}).text);
}

Revision Repository::working_tree() const {
  const Answer head = ask({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"});
  if (head.code != 0)
    throw UsageError(fmt::format("{}: the branch {} has no commit yet; expected one, to compare changes with",
                                 top_.string(), unborn_branch()));
  const std::string commit = trimmed(head.text);
  const Words ours = own_index();
  fs::path index = trimmed(must({"rev-parse", "--git-path", "index"}));
  if (index.is_relative()) index = folder_ / index;
  if (fs::exists(index)) {
    fs::copy_file(index, temp_dir_.path() / "index", fs::copy_options::overwrite_existing);
    // By its time git knows of which files it has to read the contents.
    fs::last_write_time(temp_dir_.path() / "index", fs::last_write_time(index));
  }
  must({"add", "--update", "--", "."}, ours, top_);
  const std::string tree = trimmed(must({"write-tree"}, ours, top_));
  const bool changed = tree != trimmed(must({"rev-parse", "--verify", commit + "^{tree}"}));
  return {tree, commit,
          fmt::format("working tree ({}{})", commit.substr(0, short_hash), changed ? " and changes" : ""),
          changed};
}

std::vector<std::string> Repository::unknown_files() const {
  return parts_of(must({"ls-files", "--others", "--exclude-standard", "-z"}, {}, top_), '\0');
}

bool Repository::has_submodules(const Revision& revision) const {
  const auto entries = parts_of(must({"ls-tree", "-r", "-z", revision.tree}, own_index(), top_), '\0');
  return std::ranges::any_of(entries, [](const auto& entry) { return entry.starts_with("160000 "); });
}

void Repository::check_out(const Revision& revision, const fs::path& folder) const {
  Words environment = own_index();
  environment.front() = "GIT_INDEX_FILE=" + (temp_dir_.path() / "checkout").string();
  environment.push_back("GIT_DIR=" + git_.string());
  environment.push_back("GIT_WORK_TREE=" + folder.string());
  must({"read-tree", revision.tree}, environment, folder);
  must({"checkout-index", "--all"}, environment, folder);
}

std::vector<std::string> Repository::merge_bases(const std::string& one, const std::string& other) const {
  const Answer answer = ask({"merge-base", "--all", one, other});
  if (answer.code > 1)  // 1: there is none
    throw Error(fmt::format("git merge-base in {} ended with code {}: {}", folder_.string(), answer.code,
                            last_line(answer.error)));
  return parts_of(answer.text, '\n');
}

std::size_t Repository::count(const std::string& from, const std::string& to) const {
  return std::stoul(must({"rev-list", "--count", from + ".." + to, "--"}));
}

bool Repository::is_cut_after(const std::string& base, const std::vector<std::string>& tips) const {
  fs::path file = trimmed(must({"rev-parse", "--git-path", "shallow"}));
  if (file.is_relative()) file = folder_ / file;
  const auto cut = parts_of(read_text(file).value_or(""), '\n');
  Words words{"rev-list", "^" + base};
  words.insert(words.end(), tips.begin(), tips.end());
  words.emplace_back("--");
  return std::ranges::any_of(parts_of(must(words), '\n'),
                             [&](const auto& commit) { return std::ranges::find(cut, commit) != cut.end(); });
}

std::string Repository::log(const std::string& from, const std::string& to, const std::string& format) const {
  return must({"log", "--format=" + format, from + ".." + to, "--"});
}

std::string Repository::first_parents(const std::string& commit, const std::string& format,
                                      std::optional<std::size_t> newest) const {
  Words words{"log", "--first-parent", "--format=" + format};
  if (newest) words.push_back(fmt::format("--max-count={}", *newest));
  words.insert(words.end(), {commit, "--"});
  return must(words);
}

std::size_t Repository::count_first_parents(const std::string& commit) const {
  return std::stoul(must({"rev-list", "--count", "--first-parent", commit, "--"}));
}

std::vector<fs::path> Repository::tops() const {
  fs::path common = trimmed(must({"rev-parse", "--git-common-dir"}));
  if (common.is_relative()) common = folder_ / common;
  std::vector<fs::path> all{top_};
  if (common.filename() == ".git") all.push_back(common.lexically_normal().parent_path());
  return all;
}

bool Repository::is_shallow() const {
  return trimmed(must({"rev-parse", "--is-shallow-repository"})) == "true";
}

CommitFacts Repository::facts(const std::string& commit) const {
  const std::string text = must({"log", "-1", "--format=%H%n%an <%ae>%n%aI%n%P%n%s", commit, "--"});
  std::istringstream lines(text);
  CommitFacts facts;
  std::string parents;
  for (auto* line : {&facts.hash, &facts.author, &facts.date, &parents, &facts.subject})
    std::getline(lines, *line);
  facts.parents = parts_of(parents, ' ');
  return facts;
}

bool Repository::holds(const std::string& commit, const std::string& ancestor) const {
  return ask({"merge-base", "--is-ancestor", ancestor, commit}).code == 0;
}

std::vector<std::string> Repository::halving(const std::vector<std::string>& from,
                                             const std::string& to) const {
  Words words{"rev-list", "--bisect-all", "--ancestry-path", to};
  for (const auto& commit : from) words.push_back("^" + commit);
  words.emplace_back("--");
  std::vector<std::string> commits;
  for (const auto& line : parts_of(must(words), '\n'))
    commits.push_back(line.substr(0, line.find(' ')));  // "HASH (dist=3)"
  // Of equal distance git has no order that it promises.
  std::ranges::stable_partition(commits, [&](const auto& one) { return one != to; });
  return commits;
}

}  // namespace uotbench
