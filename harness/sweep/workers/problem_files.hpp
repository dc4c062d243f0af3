// The files of a problem, its inputs and a variant's results; and the memory that they are in.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/host/process/files.hpp"
#include "harness/protocol/messages.hpp"
#include "harness/sweep/workers/worker_pool.hpp"
#include "results/base/document.hpp"
#include "results/record/record.hpp"

namespace uotbench {

// The folder where a run's arrays live: shared memory, or TMPDIR where that is too small.

class Workspace {
 public:
  /// Makes a folder in each, and removes those that killed runs left there.
  Workspace();

  /// An empty folder for a group of cases that needs so many bytes, under shared memory or under TMPDIR. Made
  /// again where a worker removed it. Throws Error where neither has room.
  std::filesystem::path fresh(double bytes);

 private:
  LockedFolder memory_, disk_;
};

// A problem's files, which belong to the parent: inputs that stay as the oracle made them, outputs that are
// made anew for each worker that writes them, and the oracle's judgement of these. Where no oracle knows the
// family, both folders are empty.

/// What somebody says he computed.
struct ClaimedResult {
  std::string variant;
  ObjectDocument point;
  std::vector<std::string> outputs;  ///< names of the arrays that were written
  std::int64_t iterations = 0;
  std::optional<double> tolerance = {};  ///< the variant's own
};

class ProblemFiles {
 public:
  /// Gives a folder in which nothing lies. Called once more for each time that inputs are made anew: a worker
  /// may have taken the folder away.
  using Place = std::function<std::filesystem::path()>;

  /// Has the inputs made in FOLDER/in, where nobody may write afterwards. Throws WorkerFailure of status
  /// failed (the oracle's), Interrupted, as all do that ask the oracle, and what `place` throws. An oracle
  /// that is killed is asked again, once.
  ProblemFiles(WorkerPool& pool, std::string family, ObjectDocument problem, Place place);

  const std::filesystem::path& folder() const { return folder_; }
  // The folders of its arrays.
  std::string in() const { return (folder_ / "in").string(); }
  std::string out() const { return (folder_ / "out").string(); }
  /// What the user's files held that the inputs were made from.
  const InputContents& user_files() const { return user_files_; }

  /// Removes whatever lies in FOLDER/out, and has outputs made of which no byte is right.
  void make_outputs();
  /// Only of a family that the oracle knows.
  JudgedReply judge(const ClaimedResult& claim);
  /// The name of an input that is not as it was made; empty: all are.
  std::string changed_input();
  /// Does `act`, in which no worker runs but this one (see WorkerProcess). Where an input is not as it was
  /// made then, makes all again and throws WorkerFailure: the worker changed it. Else throws what `act`
  /// threw.
  void watched(const std::string& worker, const std::function<void()>& act);

 private:
  void make_inputs();
  Json ask(const Json& request, const char* reply);
  std::map<std::string, std::string> contents();

  WorkerPool& pool_;
  std::string family_;
  bool oracle_;  ///< it knows the family
  ObjectDocument problem_;
  Place place_;
  std::filesystem::path folder_;
  std::map<std::string, std::string> made_;  ///< what the inputs hold
  InputContents user_files_;
};

}  // namespace uotbench
