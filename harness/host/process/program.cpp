#include "harness/host/process/program.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "harness/host/process/process.hpp"

namespace uotbench {
namespace {

using Clock = std::chrono::steady_clock;

/// This process', but for what is changed.
std::vector<std::string> environment_with(const std::vector<std::string>& changes) {
  const auto name_of = [](std::string_view setting) { return setting.substr(0, setting.find('=')); };
  std::vector<std::string> all;
  for (char** each = environ; *each; ++each)
    if (std::ranges::none_of(changes, [&](const auto& change) { return name_of(change) == name_of(*each); }))
      all.emplace_back(*each);
  for (const auto& change : changes)
    if (change.find('=') != std::string::npos) all.push_back(change);
  return all;
}

/// What it started first, so that nothing is left without a parent that names it.
void kill_all(pid_t pid) {
  ::kill(pid, SIGSTOP);  // it starts no more
  std::ifstream children(fmt::format("/proc/{0}/task/{0}/children", pid));
  for (pid_t child = 0; children >> child;) kill_all(child);
  ::kill(pid, SIGKILL);
}

class Running {
 public:
  explicit Running(const ProgramRun& run)
      : run_(run),
        child_({.command = run.command,
                .environment = environment_with(run.environment),
                .folder = run.folder,
                .group = run.own_group ? ChildStart::Group::own : ChildStart::Group::shared,
                .out = {ChildStream::Kind::pipe},
                .errors = {ChildStream::Kind::pipe},
                .errors_to_out = !run.errors_apart}) {}

  Ended to_its_end() {
    const auto start = Clock::now();
    constexpr int patience = 20, at_the_end = 1;  // milliseconds between looks; where it has closed its ends
    while (!child_.has_ended()) {
      result_.stopped = run_.stop && *run_.stop;
      result_.in_time = std::chrono::duration<double>(Clock::now() - start).count() < run_.seconds;
      if (result_.stopped || !result_.in_time) break;
      read_on(child_.out.is_open() || child_.errors.is_open() ? patience : at_the_end);
    }
    if (child_.alive() && run_.own_group) {
      // A compiler that is told to end removes what it has half written; what does not end then is killed.
      child_.end(std::chrono::seconds(1));
    } else if (child_.alive()) {
      kill_all(child_.pid());
      child_.wait();
    }
    while (read_on(0)) continue;
    result_.code = child_.code();
    return std::move(result_);
  }

 private:
  /// Takes what can be read now, a bounded part of it, after waiting at most so long; false: nothing.
  bool read_on(int milliseconds) {
    const std::array<Fd*, 2> streams{&child_.out, &child_.errors};
    std::array<pollfd, 2> ends{{{streams[0]->get(), POLLIN, 0}, {streams[1]->get(), POLLIN, 0}}};
    if (::poll(ends.data(), ends.size(), milliseconds) <= 0) return false;
    bool any = false;
    std::array<char, 1 << 16> buffer;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (!ends[i].revents) continue;
      const ssize_t count = ::read(ends[i].fd, buffer.data(), buffer.size());
      if (count <= 0) {  // closed, though perhaps not at its end: polled on, it would be ready for ever
        streams[i]->close();
        continue;
      }
      any = true;
      const std::string_view text(buffer.data(), static_cast<std::size_t>(count));
      if (i == 1)
        result_.errors += text;
      else if (run_.on_said)
        run_.on_said(text);
      else
        result_.said += text;
    }
    return any;
  }

  const ProgramRun& run_;
  ChildProcess child_;
  Ended result_;
};

}  // namespace

namespace fs = std::filesystem;

std::string sudo() { return ::geteuid() == 0 ? "" : "sudo "; }

bool is_program(const fs::path& file) {
  std::error_code unreadable;  // a folder in PATH that we may not search holds nothing for us
  return fs::is_regular_file(file, unreadable) && ::access(file.c_str(), X_OK) == 0;
}

fs::path program_in_path(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path file = fs::path(folder.empty() ? "." : folder) / name;
    if (is_program(file)) return file;
  }
  return {};
}

Ended run_program(const ProgramRun& run) { return Running(run).to_its_end(); }

}  // namespace uotbench
