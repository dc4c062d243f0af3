#include "harness/sweep/workers/problem_files.hpp"

#include <fmt/format.h>

#include <csignal>
#include <exception>
#include <string>

#include "harness/host/facts/usable.hpp"
#include "harness/host/process/files.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"

namespace uotbench {

namespace fs = std::filesystem;

namespace {

constexpr const char* folder_name = "uotbench-arrays";
// For headers and folders.
constexpr double headroom = 1 << 20;

}  // namespace

Workspace::Workspace() : memory_("/dev/shm", folder_name), disk_(temporary_root(), folder_name) {
  if (!memory_ && !disk_)
    throw Error(fmt::format("neither /dev/shm nor {} can be written: arrays have no place",
                            temporary_root().string()));
}

fs::path Workspace::fresh(double bytes) {
  std::string room;
  for (auto* place : {&memory_, &disk_}) {
    if (!place->restore()) continue;
    const fs::path& folder = place->path();
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) remove_tree(entry.path());
    const double free = shared_memory_free(folder);
    const std::string parent = folder.parent_path().string();
    if (bytes + headroom > free) {
      room += fmt::format("; {} has {}", parent, format_bytes(free));
      continue;
    }
    std::error_code failed;  // a file system may have bytes and no inodes
    for (const char* name : {"in", "out"})
      if (!failed) fs::create_directory(folder / name, failed);
    if (!failed) return folder;
    room += fmt::format("; in {} no folder can be made: {}", parent, failed.message());
  }
  throw Error(fmt::format("the arrays need {}, and {} for headers and folders{}", format_bytes(bytes),
                          format_bytes(headroom), room));
}

namespace {

/// An empty folder where anything may lie: a file, a link, a folder that somebody made unreadable.
void make_folder(const fs::path& folder) {
  remove_tree(folder);
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) throw Error(fmt::format("{} cannot be made: {}", folder.string(), failed.message()));
}

}  // namespace

ProblemFiles::ProblemFiles(WorkerPool& pool, std::string family, ObjectDocument problem, Place place)
    : pool_(pool),
      family_(std::move(family)),
      oracle_(pool.families().at(family_).oracle),
      problem_(std::move(problem)),
      place_(std::move(place)) {
  make_inputs();
}

/// A failing oracle is not a kernel's crash: a case could not be judged. What is asked leaves nothing in it,
/// so that another process can answer as well.
Json ProblemFiles::ask(const Json& request, const char* reply) {
  const auto failed = [](const WorkerFailure& failure) {
    // What the system or the user limits is no outcome of the case: it can be judged another time.
    const bool limited = failure.status == Status::interrupted || failure.signal == SIGXFSZ;
    WorkerFailure own = at_place("oracle: ", failure);
    own.status = limited ? Status::interrupted : Status::failed;
    return own;
  };
  try {
    return pool_.oracle().exchange(request, reply, oracle_seconds);
  } catch (const WorkerFailure& failure) {
    if (failure.status != Status::crashed) throw failed(failure);
  }
  try {
    return pool_.oracle().exchange(request, reply, oracle_seconds);
  } catch (const WorkerFailure& failure) {
    throw failed(failure);
  }
}

void ProblemFiles::make_inputs() {
  folder_ = place_();
  const fs::path in = folder_ / "in";
  make_folder(in);
  if (!oracle_) return;
  user_files_ =
      prepared_reply_from(
          ask({{"type", "prepare"}, {"family", family_}, {"point", problem_.json()}, {"folder", in.string()}},
              "prepared"))
          .files;
  made_ = contents();
  // What is written by mistake fails where it is written. Who is root, or means it, is told by the contents.
  using fs::perms;
  const perms readable = perms::owner_read | perms::group_read | perms::others_read;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(in, ignored))
    fs::permissions(entry.path(), readable, ignored);
  fs::permissions(in, readable | perms::owner_exec | perms::group_exec | perms::others_exec, ignored);
}

void ProblemFiles::make_outputs() {
  const fs::path out = folder_ / "out";
  make_folder(out);
  if (!oracle_) return;
  ask({{"type", "poison"}, {"family", family_}, {"point", problem_.json()}, {"folder", out.string()}},
      "poisoned");
}

JudgedReply ProblemFiles::judge(const ClaimedResult& claim) {
  return judged_reply_from(ask({{"type", "judge"},
                                {"family", family_},
                                {"point", claim.point.json()},
                                {"arrays", {{"in", in()}, {"out", out()}}},
                                {"variant", claim.variant},
                                {"outputs", claim.outputs},
                                {"iterations", claim.iterations},
                                {"tolerance", or_null(claim.tolerance)}},
                               "judged"));
}

std::map<std::string, std::string> ProblemFiles::contents() {
  if (!oracle_) return {};
  return hashed_reply_from(ask({{"type", "hash"}, {"folder", in()}}, "hashed")).files;
}

std::string ProblemFiles::changed_input() {
  const auto now = contents();
  const auto name = [](std::string file) {
    if (file.ends_with(".npy")) file.resize(file.size() - 4);
    return file;
  };
  for (const auto& [file, content] : made_)
    if (const auto found = now.find(file); found == now.end() || found->second != content) return name(file);
  for (const auto& [file, content] : now)
    if (!made_.contains(file)) return name(file);
  return "";
}

void ProblemFiles::watched(const std::string& worker, const std::function<void()>& act) {
  std::exception_ptr failure;
  try {
    act();
  } catch (const Error&) {  // WorkerFailure among them
    failure = std::current_exception();
  }
  if (const std::string input = changed_input(); !input.empty()) {
    make_inputs();
    throw WorkerFailure{Status::failed,
                        fmt::format("worker {} changed the input {}, which all cases of the group share. "
                                    "Copy what is iterated on",
                                    worker, input)};
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace uotbench
