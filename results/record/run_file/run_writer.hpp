// A run that is being measured: in memory, and in its file.
#pragma once

#include <filesystem>
#include <vector>

#include "results/record/run_file/run_builder.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

/// Every line is durable once the call returns, and is then taken into the run as a reader of the file takes
/// it: what is in memory is what the file says. Each call throws Error where the file cannot be written.
class RunWriter {
 public:
  /// As RunFile. With Mode::continue_ the run that is there is read; throws UsageError where it is none.
  RunWriter(const std::filesystem::path& path, RunFile::Mode mode, bool resumable = true);

  /// Nothing has been written yet.
  bool empty() const { return empty_; }
  /// The first line.
  void begin(const RunHeader& header);
  /// A later start, into a file that holds a run.
  void resume(const RunHeader& now);
  /// Under one fsync.
  void add(const std::vector<Record>& records);
  void add(const std::vector<CeilingAgain>& ceilings);
  void end(const RunEnd& end);

  const std::filesystem::path& path() const { return file_.path(); }
  /// So far. Valid until the next call that writes.
  const Run& run() { return builder_.run(); }
  Run finished() && { return std::move(builder_).finished(); }

 private:
  void append(const std::vector<Json>& lines);

  RunFile file_;
  RunBuilder builder_;
  bool empty_ = true;
};

}  // namespace uotbench
