// What several tests share: gates of workers whose times are made up (gate_worker.py), so that what is to be
// found is known; runs that are cut off, and gone on with; what a record counted; and what is watched while a
// worker misbehaves.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "harness/protocol/npy.hpp"
#include "results/base/json.hpp"
#include "results/gate/tell/formats.hpp"
#include "results/record/counters.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {

inline std::string gate_worker(const std::string& flags = "") {
  return "python3 -S -I " + std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/gate_worker.py " + flags;
}

class Gate : public testing::Test {
 protected:
  /// 10 pairs a look: the fewest that confirm anything of one or two cases.
  Outcome gate(const std::string& baseline, const std::string& candidate, std::vector<std::string> more = {},
               std::vector<std::string> variants = {"uot/python_lists"}) {
    std::vector<std::string> arguments{"gate",
                                       "--baseline-worker",
                                       gate_worker(baseline),
                                       "--candidate-worker",
                                       gate_worker(candidate),
                                       "-a",
                                       "M,N=4,3",
                                       "--seed",
                                       "1",
                                       "--output",
                                       "gate.jsonl",
                                       "--force"};
    if (std::ranges::find(more, "--pairs") == more.end()) more.insert(more.end(), {"--pairs", "10"});
    return uotbench(folder.path(), joined(joined(arguments, more), variants), 200);
  }
  GateReport report_of(const Outcome& outcome) { return gate_report_from(Json::parse(outcome.out)); }

  const std::string lists = "uot/python_lists/M:4/N:3@worker", other = "uot/python_other/M:4/N:3@worker";
  Folder folder;
};

/// Where a test's run file is, and the command that writes it.
class Durability : public testing::Test {
 protected:
  std::vector<std::string> command(const std::vector<std::string>& arguments) const {
    return joined({uotbench_program, "run", "--worker", fault_worker, "--output", "run.jsonl"}, arguments);
  }
  Outcome run(const std::vector<std::string>& arguments, double seconds = 60) const {
    return Program(command(arguments), folder_.path()).wait(seconds);
  }
  /// One group that is done at once, then one whose second case computes until its timeout.
  std::vector<std::string> with_a_hang(const std::string& timeout) const {
    write_text(folder_ / "hang.json", R"({"name": "hang", "cases": [
      {"variants": ["uot/fault_fine"], "axes": {"M,N": [[12, 7]]}},
      {"variants": ["uot/fault_fine", "uot/fault_hang"], "axes": {"M,N": [[13, 7]]}}]})");
    return joined({"--sweep", "hang.json", "--case-timeout", timeout}, quick);
  }
  bool has_records(std::size_t count) const { return final_records(file_).size() >= count; }

  const std::string worker_name_ = "uotbench-worker-fault";
  Folder folder_;
  const fs::path file_ = folder_ / "run.jsonl";
  const std::string done_ = "uot/fault_fine/M:12/N:7@fault", beside_ = "uot/fault_fine/M:13/N:7@fault",
                    hanging_ = "uot/fault_hang/M:13/N:7@fault";
};

/// A record's counters of a fresh run, without what is zero.
inline std::map<std::string, double> counts_of(const Record& record) {
  std::map<std::string, double> counts;
  for (const auto& name : counter_names_in(std::vector<Record>{record}))
    if (const auto counter = counter_of(record, name); counter && counter->value.value_or(0) != 0)
      counts[name] = *counter->value;
  return counts;
}

/// The order in which threads of a simulated GPU are run, for `run -a`.
inline const std::string any_order = "order=ascending,descending,shuffled";

/// What `uotbench run` with these arguments counts in the worker simt-trace, by variant: all cases of a
/// variant have to count the same.
inline std::map<std::string, std::map<std::string, double>> counts_by_variant(
    const fs::path& folder, const std::vector<std::string>& arguments) {
  const Outcome outcome = uotbench(folder,
                                   joined({"run"}, joined(arguments, {"--worker", "simt-trace", "--rounds",
                                                                      "0", "--output", "run.jsonl"})),
                                   240);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, std::map<std::string, double>> first;
  for (const auto& [id, record] : records_of(folder / "run.jsonl")) {
    const auto counts = counts_of(record);
    EXPECT_GT(counts.size(), 5u) << id;
    const auto [there, fresh] = first.try_emplace(record.variant, counts);
    EXPECT_EQ(counts, there->second) << id;
  }
  return first;
}

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
