// Programs, run as a user runs them: in a folder of their own, with a time limit, from the outside.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "harness/host/process/files.hpp"
#include "harness/host/process/process.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {

namespace fs = std::filesystem;

inline const std::string bin = UOTBENCH_BIN_DIR;
/// A worker that every machine of its kind runs.
#if defined(__x86_64__)
inline const std::string native_worker = "native-v3";
#else
inline const std::string native_worker = "native";
#endif
inline const std::string golden_run = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/small.jsonl";
inline const std::string uotbench_program = bin + "/uotbench";
/// --worker: kernels that misbehave, as the tests of everything around them need them.
inline const std::string fault_worker = "fault=" + bin + "/uotbench-worker-fault";

inline std::string text_of(const fs::path& file) { return read_bytes(file).value_or(""); }

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

/// Whether it is so in one of ten attempts: what is found by a clock may be missed while other programs have
/// the CPUs.
inline bool in_some_attempt(const std::function<bool()>& is_so) {
  for (int attempt = 0; attempt < 10; ++attempt)
    if (is_so()) return true;
  return false;
}

inline void pause(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

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
    process_.emplace(ChildStart{.command = arguments,
                                .environment = environment(),
                                .folder = folder,
                                .out = {ChildStream::Kind::file, opened("out").get()},
                                .errors = {ChildStream::Kind::file, opened("err").get()}});
  }
  ~Program() {
    process_.reset();
    for (const char* stream : {"out", "err"}) ::unlink(file(stream).c_str());
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return process_->pid(); }
  void kill(int signal) const { process_->signal(signal); }
  bool running() { return !process_->has_ended(); }
  /// Fails the test and kills the program where it does not end in time.
  Outcome wait(double seconds = 270) {
    if (!eventually([this] { return !running(); }, seconds)) {
      ADD_FAILURE() << "it did not end within " << seconds << " s; it said: " << text_of(file("err"));
      kill(SIGKILL);
      eventually([this] { return !running(); });
    }
    return {.code = process_->code(), .out = text_of(file("out")), .err = text_of(file("err"))};
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

  /// Folders with arrays that it, or what it started, holds open: the locks in them.
  std::vector<fs::path> array_folders() const {
    std::vector<fs::path> folders;
    std::error_code gone;
    for (const auto process : processes())
      for (const auto& entry : fs::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone)) {
        const fs::path target = fs::read_symlink(entry.path(), gone);
        if (target.filename().string().starts_with("uotbench-")) folders.push_back(target);
      }
    return folders;
  }

 private:
  std::vector<std::string> environment() const {
    // What the user has stored, ceilings and counter groups, is no part of a test.
    std::vector<std::string> all{"XDG_CACHE_HOME=" + (folder_ / ".cache").string(),
                                 "XDG_CONFIG_HOME=" + (folder_ / ".config").string(), mark_};
    // Most tests are not of ceilings, whose measuring takes seconds.
    if (!std::getenv("UOTBENCH_STORED_CEILINGS")) all.push_back("UOTBENCH_STORED_CEILINGS=true");
    for (char** variable = environ; *variable; ++variable)
      if (const std::string text = *variable;
          !text.starts_with("XDG_CACHE_HOME=") && !text.starts_with("XDG_CONFIG_HOME="))
        all.push_back(text);
    return all;
  }
  Fd opened(const char* stream) const {
    return Fd(::open(file(stream).c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  }
  /// Beside the folder, so that a test sees in it what the program made and nothing else.
  std::string file(const char* stream) const {
    return folder_.string() + "." + mark_.substr(mark_.find('=') + 1) + "." + stream;
  }

  fs::path folder_;
  std::string mark_;
  std::optional<ChildProcess> process_;
};

/// Processes whose command line begins so, whatever they dropped of their environment.
inline std::vector<pid_t> processes_named(const std::string& begin) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") == std::string::npos &&
        text_of(entry.path() / "cmdline").starts_with(begin))
      found.push_back(std::stoi(name));
  }
  return found;
}

inline std::vector<std::string> joined(std::vector<std::string> first,
                                       const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

/// `uotbench ARGUMENTS...` in a folder.
inline Outcome uotbench(const fs::path& folder, const std::vector<std::string>& arguments,
                        double seconds = 270) {
  return Program(joined({uotbench_program}, arguments), folder).wait(seconds);
}

/// The interpreter itself, without its site, and a blank: it starts in a fifth of the time.
inline const std::string& quick_python() {
  static const std::string command = [] {
    const Folder folder;
    std::string path =
        Program({"python3", "-c", "import sys; print(sys.executable)"}, folder.path()).wait().out;
    path.resize(path.find_last_not_of('\n') + 1);
    return "'" + path + "' -IS ";
  }();
  return command;
}

/// golden/small.jsonl under a ceiling of flops that cases of one thread exceed: uot/numpy_order does 1.05e9
/// of them a second.
inline std::string run_under_a_slow_ceiling() {
  std::string text = text_of(golden_run);
  const std::string none = "\"ceilings\":null";
  return text.replace(
      text.find(none), none.size(),
      R"("ceilings":[{"source":"measured","name":"A","device":"cpu","roofs":[{"kernel":"fma",)"
      R"("form":"vector","dtype":"f32","threads":1,"flops_per_second":1e8}]}])");
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
    const Json json = parse_shallow(line).value_or(nullptr);
    if (json.is_object() && json.value("kind", "") == "case" && is_final(record_from(json).status))
      ++count[json.at("id")];
  }
  return count;
}

}  // namespace uotbench
