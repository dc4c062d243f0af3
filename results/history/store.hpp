// Where a history is: a folder with a file for each commit, machine and run, which git merges by taking both.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "results/history/entry.hpp"

namespace uotbench {

inline const char* const history_folder = ".uotbench/history";

struct StoredEntry {
  std::filesystem::path file;
  bool fresh = true;  ///< false: it was there
};

/// COMMIT-HASH.jsonl, where HASH is that of its text: the same run is kept once, however often it is added,
/// and no writer ever touches another's file. It is there whole or not at all.
StoredEntry store(const std::filesystem::path& folder, const HistoryEntry& entry);

struct StoredHistory {
  std::vector<HistoryEntry> entries;  ///< by the names of their files
  std::vector<std::string> warnings;  ///< files *.jsonl that were left out, and why
};

/// Throws UsageError where there is no folder, or no entry in it.
StoredHistory read_history(const std::filesystem::path& folder);

}  // namespace uotbench
