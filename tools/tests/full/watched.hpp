// What is watched while a worker misbehaves: a user's files, processes, arrays and temporary files.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "harness/protocol/npy.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {

/// Files of a user's, of which worker and program have no business to change any.
class Victims {
 public:
  Victims() {
    // Beside the arrays: a hard link reaches no other file system.
    std::string name = fs::is_directory("/dev/shm") ? "/dev/shm/victims-XXXXXX" : "/tmp/victims-XXXXXX";
    if (!::mkdtemp(name.data())) throw std::runtime_error("cannot make " + name);
    path_ = name;
    write_text(path_ / "thesis.txt", "my thesis\n");
    for (const char* array : {"array", "plan", "u", "v"})
      NpyArray::create((path_ / (std::string(array) + ".npy")).string(), "<f4", {7, 4})
          .as_mutable<float>()[0] = 1;
    before_ = contents();
  }
  ~Victims() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Victims(const Victims&) = delete;
  Victims& operator=(const Victims&) = delete;

  const fs::path& path() const { return path_; }
  void expect_unharmed() const {
    const std::string stray = "stray of " + path_.string();
    EXPECT_TRUE(eventually([&] { return processes_named(stray).empty(); })) << stray << " computes on";
    for (const auto& [file, text] : before_)
      EXPECT_TRUE(text_of(path_ / file) == text) << file << ", a file of the user's, was changed";
  }

 private:
  std::map<std::string, std::string> contents() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::directory_iterator(path_))
      all[entry.path().filename()] = text_of(entry.path());
    return all;
  }

  fs::path path_;
  std::map<std::string, std::string> before_;
};

/// A program whose temporary files have a folder of their own. Where it lays arrays is watched.
class Watched {
 public:
  Watched(const std::vector<std::string>& arguments, const fs::path& folder) : tmp_(folder / "tmp") {
    fs::create_directory(tmp_);
    program_.emplace(joined({"env", "TMPDIR=" + tmp_.string(), uotbench_program}, arguments), folder);
  }
  bool running() {
    if (!program_->running()) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now - looked_ < std::chrono::milliseconds(100)) return true;
    looked_ = now;  // through all of /proc
    for (const auto& folder : program_->array_folders())
      if (fs::is_directory(folder)) arrays_.insert(folder);
    return true;
  }
  Outcome wait(double seconds) {
    while (running() && (seconds -= 0.1) > 0) pause(0.1);
    return program_->wait(1);
  }
  void expect_nothing_left() const {
    EXPECT_TRUE(eventually([this] { return program_->processes().empty(); }, 20)) << "something computes on";
    for (const auto& folder : arrays_) EXPECT_FALSE(fs::exists(folder)) << folder << " stays behind";
    EXPECT_TRUE(fs::is_empty(tmp_)) << fs::directory_iterator(tmp_)->path() << " stays behind";
  }
  bool laid_arrays() const { return !arrays_.empty(); }

 private:
  fs::path tmp_;
  std::optional<Program> program_;
  std::set<fs::path> arrays_;
  std::chrono::steady_clock::time_point looked_ = {};
};

}  // namespace uotbench
