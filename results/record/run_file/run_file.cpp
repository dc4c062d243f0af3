#include "results/record/run_file/run_file.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <fstream>
#include <map>
#include <optional>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/run_builder.hpp"

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

off_t size_of(int fd) {
  struct stat status {};
  ::fstat(fd, &status);
  return status.st_size;
}

}  // namespace

RunFile::RunFile(fs::path path, Mode mode, bool resumable) : path_(std::move(path)), resumable_(resumable) {
  std::error_code ignored, unmade;
  if (path_.has_parent_path()) fs::create_directories(path_.parent_path(), unmade);
  if (unmade && !fs::is_directory(path_.parent_path(), ignored))
    throw UsageError(fmt::format("{}: cannot be written: the folder {} cannot be made: {}", path_.string(),
                                 path_.parent_path().string(), unmade.message()));
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

void RunFile::append(const Json& line) { append_all({line}); }

std::vector<std::string> RunFile::append_all(const std::vector<Json>& lines) {
  std::vector<std::string> texts;
  std::string text;
  for (const auto& line : lines) text += texts.emplace_back(to_line(line)) + '\n';
  const off_t before = size_of(fd_);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(fd_, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  if (written == text.size() && ::fsync(fd_) == 0) return texts;
  const std::string reason = std::strerror(errno);
  const bool whole = ::ftruncate(fd_, before) == 0, empty = before == 0;
  throw Error(fmt::format("{}: cannot be written: {}; {}; make room and {}", path_.string(), reason,
                          whole && empty ? "nothing was kept"
                          : whole        ? "the file is whole up to its last record"
                                         : "its last line is torn",
                          resumable_ && !empty ? "go on with --resume" : "run it again"));
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

// Which stored run is meant by a name.

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

/// When a stored run was begun, as its name says.
std::optional<std::chrono::sys_time<std::chrono::milliseconds>> time_in(const fs::path& path) {
  const std::string file = path.filename().string(), stamp = file.substr(file.rfind('-') + 1);
  std::tm time{};
  int milliseconds = 0, end = 0;
  if (std::sscanf(stamp.c_str(), "%4d%2d%2dT%2d%2d%2d.%3dZ%n", &time.tm_year, &time.tm_mon, &time.tm_mday,
                  &time.tm_hour, &time.tm_min, &time.tm_sec, &milliseconds, &end) != 7 ||
      end != 20)
    return std::nullopt;
  time.tm_year -= 1900;
  time.tm_mon -= 1;
  return std::chrono::sys_time<std::chrono::milliseconds>(std::chrono::seconds(::timegm(&time)) +
                                                          std::chrono::milliseconds(milliseconds));
}

}  // namespace

fs::path new_run(const std::string& name, const fs::path& folder) {
  auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  const auto path_at = [&](std::chrono::sys_time<std::chrono::milliseconds> time) {
    return folder / fmt::format("{}-{:%Y%m%dT%H%M%S}.{:03}Z.jsonl", name,
                                fmt::gmtime(std::chrono::system_clock::to_time_t(time)),
                                time.time_since_epoch().count() % 1000);
  };
  // The newest is the last by its name. A clock that went back must not make an older one the newest.
  if (const auto runs = runs_of(name, folder); !runs.empty() && runs.front() >= path_at(now))
    if (const auto newest = time_in(runs.front())) now = *newest + std::chrono::milliseconds(1);
  return path_at(now);
}

std::vector<fs::path> shards_of(const std::string& name, const fs::path& folder) {
  // Of every number of shards, the newest file of each shard; stamps sort by time.
  std::map<int, std::map<int, fs::path>> sets;
  std::string newest;
  int shards = 0;
  const auto stamp = [](const fs::path& path) {
    const std::string file = path.filename().string();
    return file.substr(file.rfind('-'));
  };
  for (const auto& [run, path] : stored_runs(folder)) {
    int index = 0, of = 0, end = 0;
    if (!run.starts_with(name + '.') ||
        std::sscanf(run.c_str() + name.size() + 1, "%dof%d%n", &index, &of, &end) != 2 ||
        name.size() + 1 + static_cast<std::size_t>(end) != run.size())
      continue;
    auto& known = sets[of][index];
    if (known.empty() || stamp(known) < stamp(path)) known = path;
    if (newest < stamp(path)) newest = stamp(path), shards = of;
  }
  if (sets.empty())
    throw UsageError(
        fmt::format("no shards of \"{0}\" in {1}: give files, or the name of a sweep with "
                    "{0}.1of2-... there",
                    name, folder.string()));
  std::vector<fs::path> files;
  for (const auto& [index, path] : sets[shards]) files.push_back(path);
  return files;
}

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
