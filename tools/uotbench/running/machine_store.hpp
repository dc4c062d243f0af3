// Where measured ceilings are kept: one run file a machine, in the user's cache folder.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "results/base/document.hpp"
#include "roofline/model/ceilings.hpp"

namespace uotbench {

/// ${XDG_CACHE_HOME:-~/.cache}/uotbench/machines/FINGERPRINT.jsonl. Throws UsageError where neither
/// XDG_CACHE_HOME nor HOME names a folder.
std::filesystem::path stored_ceilings_path(const std::string& fingerprint);

/// FINGERPRINT.caches.jsonl beside them: the run that probed the caches, where one was doubtful.
std::filesystem::path stored_probe_path(const std::string& fingerprint);

/// A file that is written next to one of these and then takes its place; else it is removed with this object.
class ReplacementFile {
 public:
  explicit ReplacementFile(std::filesystem::path place);
  ~ReplacementFile();
  ReplacementFile(const ReplacementFile&) = delete;
  ReplacementFile& operator=(const ReplacementFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void take_place();

 private:
  std::filesystem::path place_, path_;
};

struct StoredCeilings {
  std::optional<Ceilings> ceilings;  ///< of this machine as it is
  /// "probed_caches" of the machine facts they were measured with; if these have none, of the newest probe.
  Document probed_caches = {};
  /// Why there are none, in one line: never measured, measured with another setting (and which), unreadable.
  std::string obstacle;
};

/// `machine`: machine_facts(). Throws nothing that a file or its absence could cause.
StoredCeilings stored_ceilings(const MachineFacts& machine);

/// Whether what is stored still fits: settings that the fingerprint leaves out and that have changed since,
/// in one line.
std::string setting_changes(const std::filesystem::path& stored, const MachineFacts& machine);

}  // namespace uotbench
