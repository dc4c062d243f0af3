// Lines of a run file, taken apart, and the run that they make: of a file that is read, or of a run that is
// measured.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

// One line of a run file, taken apart.

struct RunLine {
  std::string kind;              ///< "run", "case", …; empty where the line is no JSON object with a kind
  std::optional<Record> record;  ///< of a sound case
  std::string problem;           ///< why a case has no record
  Document document;             ///< the line itself, where it is no case
};

/// Throws nothing that a line could cause.
RunLine parse_run_line(std::string_view text);

UsageError not_a_run(const std::filesystem::path& path);

// A run in memory, built from the lines of its file: both when a file is read and when one is written.

class RunBuilder {
 public:
  explicit RunBuilder(std::filesystem::path path) { run_.path = std::move(path); }

  /// The file's next line; a broken one is a warning, and costs one record. Throws UsageError where the first
  /// one is not a run's.
  void take(RunLine line);
  /// Text after the last whole line: it was cut off while being written.
  void take_torn();

  /// The lines so far. Valid until the next call of take().
  const Run& run();
  Run finished() &&;

 private:
  void leave_out(const std::string& why);
  void take_header(const RunLine& line);
  void take_case(RunLine line);
  void take_resume(const Json& line);
  void take_ceiling(const Json& line);
  bool is_as_planned(const std::string& id) const;
  void find_places();
  void arrange();

  Run run_;
  std::size_t number_ = 0;             ///< of the line, from 1
  bool in_order_ = false;              ///< the records are the plan's first ones
  bool arranged_ = false;              ///< nothing was taken since arrange()
  std::vector<std::string> left_out_;  ///< a warning for each line
  std::vector<Record> others_;         ///< records that the plan does not name
  /// Index in run_.records of each id; valid if `placed_`.
  std::unordered_map<std::string, std::size_t> places_;
  bool placed_ = false;
};

/// Takes all lines of a file. Throws UsageError where it is missing or is not a run file.
void read_into(RunBuilder& builder, const std::filesystem::path& path);

// A run that is being measured: in memory, and in its file.

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
