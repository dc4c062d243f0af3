// Programs, run as a user runs them: in a folder of their own, with a time limit, from the outside.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "results/error.hpp"
#include "results/run_file.hpp"

namespace uotbench {

namespace fs = std::filesystem;

inline const std::string bin = UOTBENCH_BIN_DIR;
inline const std::string uotbench_program = bin + "/uotbench";
/// --worker: kernels that misbehave, as the tests of everything around them need them.
inline const std::string fault_worker = "fault=" + bin + "/uotbench-worker-fault";

inline std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Waits until something is so, at most `seconds`; false where it never was.
inline bool eventually(const std::function<bool()>& is_so, double seconds = 20) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (!is_so()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return true;
}

inline void pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// A folder of a test's own, removed with everything in it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "test-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw Error("no temporary folder can be made");
    path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  fs::path operator/(const std::string& name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// What a program left.
struct Outcome {
  int code = -1;  ///< 128 + signal where one ended it
  std::string out, err;
};

/// A running program. Its environment holds a mark, inherited by all it starts, so that none can get lost.
class Program {
 public:
  Program(const std::vector<std::string>& arguments, const fs::path& folder) : folder_(folder) {
    static int count = 0;
    mark_ = "UOTBENCH_TEST_MARK=" + std::to_string(::getpid()) + "." + std::to_string(++count);
    std::vector<char*> argv, envp;
    for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    // What the user has stored, ceilings and counter groups, is no part of a test.
    std::string cache = "XDG_CACHE_HOME=" + (folder / ".cache").string();
    std::string config = "XDG_CONFIG_HOME=" + (folder / ".config").string();
    for (char** variable = environ; *variable; ++variable)
      if (const std::string text = *variable;
          !text.starts_with("XDG_CACHE_HOME=") && !text.starts_with("XDG_CONFIG_HOME="))
        envp.push_back(*variable);
    envp.push_back(cache.data());
    envp.push_back(config.data());
    envp.push_back(mark_.data());
    envp.push_back(nullptr);
    const std::string out = file("out"), err = file("err");
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // a test that is killed leaves nothing behind
    const auto replace = [](int fd, const char* path, int flags) {
      const int opened = ::open(path, flags, 0644);
      ::dup2(opened, fd);
      ::close(opened);
    };
    replace(STDIN_FILENO, "/dev/null", O_RDONLY);
    replace(STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    replace(STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC);
    if (::chdir(folder.c_str()) == 0) ::execvpe(argv[0], argv.data(), envp.data());
    ::_exit(127);
  }
  ~Program() {
    kill(SIGKILL);
    wait();
    for (const char* stream : {"out", "err"}) ::unlink(file(stream).c_str());
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  void kill(int signal) const {
    if (!ended_) ::kill(pid_, signal);
  }
  bool running() {
    if (!ended_ && ::waitpid(pid_, &status_, WNOHANG) == pid_) ended_ = true;
    return !ended_;
  }
  /// Fails the test and kills the program where it does not end in time.
  Outcome wait(double seconds = 60) {
    if (!eventually([this] { return !running(); }, seconds)) {
      ADD_FAILURE() << "it did not end within " << seconds << " s; it said: " << text_of(file("err"));
      kill(SIGKILL);
      eventually([this] { return !running(); });
    }
    return {.code = WIFSIGNALED(status_) ? 128 + WTERMSIG(status_) : WEXITSTATUS(status_),
            .out = text_of(file("out")),
            .err = text_of(file("err"))};
  }

  /// It and everything it started, whatever became of it, as far as it still runs `executable` (a file name;
  /// empty: anything).
  std::vector<pid_t> processes(const std::string& executable = "") const {
    std::vector<pid_t> found;
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") != std::string::npos) continue;
      // A zombie has no environment any more.
      if (text_of(entry.path() / "environ").find(mark_) == std::string::npos) continue;
      std::error_code gone;
      const std::string runs = fs::read_symlink(entry.path() / "exe", gone).filename();
      if (executable.empty() || runs == executable) found.push_back(std::stoi(name));
    }
    return found;
  }

  /// Folders with arrays that it holds open: the locks in them.
  std::vector<fs::path> array_folders() const {
    std::vector<fs::path> folders;
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(pid_) + "/fd", gone)) {
      const fs::path target = fs::read_symlink(entry.path(), gone);
      if (target.filename().string().starts_with("uotbench-")) folders.push_back(target);
    }
    return folders;
  }

 private:
  /// Beside the folder, so that a test sees in it what the program made and nothing else.
  std::string file(const char* stream) const {
    return folder_.string() + "." + mark_.substr(mark_.find('=') + 1) + "." + stream;
  }

  fs::path folder_;
  std::string mark_;
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

inline std::vector<std::string> joined(std::vector<std::string> first,
                                       const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// `uotbench ARGUMENTS...` in a folder.
inline Outcome uotbench(const fs::path& folder, const std::vector<std::string>& arguments,
                        double seconds = 60) {
  return Program(joined({uotbench_program}, arguments), folder).wait(seconds);
}

/// Flags for records of which only status and shape matter.
inline const std::vector<std::string> quick{"--rounds", "1", "--max-time", "20ms"};

inline std::map<std::string, Record> records_of(const fs::path& run_file) {
  std::map<std::string, Record> records;
  for (auto& record : read_run(run_file).records) records.emplace(record.id, record);
  return records;
}

/// "ok", or "failed: reason".
inline std::string verdict(const Record& record) {
  return name_of(record.status) + (record.reason ? ": " + *record.reason : "");
}

/// The lines of a run file, and how often each case got a record that counts for good.
inline std::map<std::string, int> final_records(const fs::path& run_file) {
  std::map<std::string, int> count;
  std::ifstream in(run_file);
  for (std::string line; std::getline(in, line);) {
    const Json json = Json::parse(line, nullptr, false);
    if (json.is_object() && json.value("kind", "") == "case" && is_final(record_from(json).status))
      ++count[json.at("id")];
  }
  return count;
}

}  // namespace uotbench
