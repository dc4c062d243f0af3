// A run in memory, built from the lines of its file: both when a file is read and when one is written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "results/record/run_file/run_file.hpp"
#include "results/record/run_file/run_line.hpp"

namespace uotbench {

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

}  // namespace uotbench
