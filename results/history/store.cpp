#include "results/history/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "results/base/error.hpp"
#include "results/base/hash.hpp"
#include "results/base/parallel.hpp"
#include "results/base/whole_file.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

/// As git abbreviates in a large repository.
constexpr std::size_t hash_in_name = 12;

}  // namespace

StoredEntry store(const fs::path& folder, const HistoryEntry& entry) {
  const std::string text = text_of(entry);
  const fs::path file =
      folder / fmt::format("{}-{}.jsonl", entry.commit.hash.substr(0, hash_in_name), hash_text(text));
  std::error_code missing;
  if (fs::is_regular_file(file, missing) && read_whole(file) == text) return {file, false};
  write_whole(file, text);
  return {file, true};
}

StoredHistory read_history(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& entry : fs::directory_iterator(folder, missing))
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  if (files.empty())
    throw UsageError(
        fmt::format("{}: no history there; uotbench history add RUN begins one, --in FOLDER names another",
                    folder.string()));
  std::ranges::sort(files);
  std::vector<std::optional<HistoryEntry>> entries(files.size());
  std::vector<std::string> wrong(files.size());
  in_parts(files.size(), 8, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) try {
        const std::string text = read_whole(files[i]);
        try {
          entries[i] = entry_from(text);
          entries[i]->file = files[i].string();
        } catch (const Error& error) {
          wrong[i] = fmt::format("{}: {}; left out", files[i].string(), error.what());
        }
      } catch (const UsageError& error) {  // of a folder, a pipe, a file of another user: with its name
        wrong[i] = fmt::format("{}; left out", error.what());
      }
  });
  StoredHistory history;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (entries[i]) history.entries.push_back(*std::move(entries[i]));
    if (!wrong[i].empty()) history.warnings.push_back(wrong[i]);
  }
  if (history.entries.empty())
    throw UsageError(fmt::format("{}: none of its {} files is of a history: {}", folder.string(),
                                 files.size(), history.warnings.front()));
  return history;
}

}  // namespace uotbench
