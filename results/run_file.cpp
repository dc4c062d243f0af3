#include "results/run_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "results/error.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

/// Makes a new name durable: fsync of a file does not cover the folder that names it.
void sync_folder(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

/// "run", "case", …; empty where the line is no JSON object with a kind.
std::string kind_of(const Json& line) {
  const auto kind = line.is_object() ? line.find("kind") : line.end();
  return kind != line.end() && kind->is_string() ? kind->get<std::string>() : "";
}

UsageError not_a_run(const fs::path& path) {
  return UsageError(
      fmt::format("{}: not a run file (its first line is not {{\"kind\":\"run\",...}})", path.string()));
}

off_t size_of(int fd) {
  struct stat status {};
  ::fstat(fd, &status);
  return status.st_size;
}

}  // namespace

RunFile::RunFile(fs::path path, Mode mode) : path_(std::move(path)) {
  std::error_code ignored;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), ignored);
  fresh_ = !fs::exists(path_, ignored);
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0644);
  if (fd_ < 0)
    throw UsageError(fmt::format("{}: cannot be written: {}", path_.string(), std::strerror(errno)));
  try {
    struct stat status {};
    if (::fstat(fd_, &status) != 0 || !S_ISREG(status.st_mode))
      throw UsageError(fmt::format("{}: not a regular file; a run needs one", path_.string()));
    if (::flock(fd_, LOCK_EX | LOCK_NB) != 0)
      throw UsageError(
          fmt::format("{}: another uotbench is writing this file; wait for it, or give another --output",
                      path_.string()));
    if (mode == Mode::create && size_of(fd_) > 0)
      throw UsageError(fmt::format("{}: holds a run already; --resume goes on with it, --force starts over",
                                   path_.string()));
    if (mode != Mode::create) require_run();
    if (mode == Mode::replace && ::ftruncate(fd_, 0) != 0)
      throw UsageError(fmt::format("{}: cannot be emptied: {}", path_.string(), std::strerror(errno)));
    if (mode == Mode::continue_) cut_torn_line();
  } catch (...) {
    ::close(fd_);
    throw;
  }
  sync_folder(path_);
}

RunFile::~RunFile() {
  if (fresh_ && size_of(fd_) == 0) ::unlink(path_.c_str());
  ::close(fd_);
}

void RunFile::append_all(const std::vector<Json>& lines) {
  std::string text;
  for (const auto& line : lines) text += to_line(line) + '\n';
  const off_t before = size_of(fd_);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(fd_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  if (written == text.size() && ::fsync(fd_) == 0) return;
  const std::string reason = std::strerror(errno);
  const bool whole = ::ftruncate(fd_, before) == 0;
  throw Error(fmt::format("{}: cannot be written: {}; {}; make room and go on with --resume", path_.string(),
                          reason,
                          whole ? "the file is whole up to its last record" : "its last line is torn"));
}

/// Somebody's notes, named by mistake, must not be emptied, nor lose their last line.
void RunFile::require_run() const {
  constexpr std::string_view start = R"({"kind":"run",)";
  std::string text(start.size(), '\0');
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::pread(fd_, text.data(), text.size(), 0))));
  if (!start.starts_with(text)) throw not_a_run(path_);
}

void RunFile::cut_torn_line() {
  std::ifstream in(path_, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto last = text.rfind('\n');
  const off_t whole = last == std::string::npos ? 0 : static_cast<off_t>(last + 1);
  if (whole != static_cast<off_t>(text.size()) && ::ftruncate(fd_, whole) != 0)
    throw Error(
        fmt::format("{}: its torn last line cannot be cut: {}", path_.string(), std::strerror(errno)));
}

Run read_run(const fs::path& path) try {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw UsageError(fmt::format("{}: no such run file", path.string()));
  Run run{
      .path = path, .header = {}, .records = {}, .resumes = {}, .end = {}, .unfinished = {}, .warnings = {}};
  std::map<std::string, Record> by_id;
  Json plan = Json::array();  // the last: --resume --force may have changed it
  std::string text;
  for (int line = 1; std::getline(in, text); ++line) {
    const bool torn = in.eof();  // getline stopped at the end of the file, not at a newline
    const Json json = parse_shallow(text);
    const std::string kind = kind_of(json);
    if (line == 1 && (kind != "run" || torn)) throw not_a_run(path);
    if (torn || kind.empty() || (kind == "run" && line > 1)) {
      run.warnings.push_back(fmt::format("line {} of {} is {}: left out", line, path.string(),
                                         torn ? "torn (cut off while being written)" : "not a record"));
    } else if (kind == "run") {
      run.header = json;
      plan = json.value("plan", Json::array());
      if (run.header.value("schema", 0) > run_schema)
        run.warnings.push_back(fmt::format("{} was written by a newer uotbench (schema {})", path.string(),
                                           run.header.value("schema", 0)));
    } else if (kind == "case") {
      try {
        Record record = record_from(json);
        by_id.insert_or_assign(record.id, std::move(record));
      } catch (const Error& error) {
        run.warnings.push_back(fmt::format("line {} of {}: {}: left out", line, path.string(), error.what()));
      }
      run.end.reset();
    } else if (kind == "resume") {
      run.resumes.push_back(json);
      if (json.contains("plan")) plan = json["plan"];
      run.end.reset();
    } else if (kind == "end") {
      run.end = json;
    }
  }
  if (run.header.is_null()) throw UsageError(fmt::format("{}: an empty file, not a run", path.string()));
  for (const std::string id : plan) {
    const auto found = by_id.find(id);
    if (found == by_id.end() || !is_final(found->second.status)) run.unfinished.push_back(id);
    if (found != by_id.end()) run.records.push_back(found->second);
  }
  return run;
} catch (const Json::exception& error) {
  throw UsageError(fmt::format("{}: not a run file: {}", path.string(), error.what()));
}

namespace {

/// Stored runs by sweep name. NAME-20260131T120000.000Z.jsonl: stamps sort by time.
std::multimap<std::string, fs::path> stored_runs(const fs::path& folder) {
  std::multimap<std::string, fs::path> runs;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing)) {
    const std::string file = entry.path().filename().string();
    const auto dash = file.rfind('-');
    if (entry.path().extension() == ".jsonl" && dash != std::string::npos)
      runs.emplace(file.substr(0, dash), entry.path());
  }
  return runs;
}

}  // namespace

std::vector<fs::path> runs_of(const std::string& name, const fs::path& folder) {
  const auto runs = stored_runs(folder);
  std::vector<fs::path> paths;
  for (auto [run, end] = runs.equal_range(name); run != end; ++run) paths.push_back(run->second);
  std::sort(paths.rbegin(), paths.rend());
  return paths;
}

fs::path find_run(const std::string& name, const fs::path& folder) {
  std::error_code unreadable;
  if (fs::is_regular_file(name, unreadable)) return name;
  if (const auto runs = runs_of(name, folder); !runs.empty()) return runs.front();
  std::vector<std::string> names;
  for (const auto& [known, path] : stored_runs(folder))
    if (names.empty() || names.back() != known) names.push_back(known);
  throw UsageError(
      fmt::format("no run \"{}\": give a file, or the name of a sweep with a run in {} (there: {})", name,
                  folder.string(), names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace uotbench
