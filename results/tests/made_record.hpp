// Records and first lines of runs, made for tests; run files as tests write them: their lines, and a folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/record.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {

// Headers of runs that tests make, written as the JSON that a run file would have.

inline RunHeader made_header(const Json& json) { return header_from(json); }

/// The header's JSON, to be written to: edited(run.header)["started"] = "2026-01-31T12:00:00Z".
class EditedHeader {
 public:
  explicit EditedHeader(RunHeader& header) : header_(header), json_(to_json(header)) {}
  ~EditedHeader() { header_ = header_from(json_); }
  EditedHeader(const EditedHeader&) = delete;
  EditedHeader& operator=(const EditedHeader&) = delete;

  Json& operator[](const std::string& key) { return json_[key]; }
  void erase(const std::string& key) { json_.erase(key); }

 private:
  RunHeader& header_;
  Json json_;
};

inline EditedHeader edited(RunHeader& header) { return EditedHeader(header); }

// Records as tests of run files write them: what a case is, and how it ended.

/// Without times. `reason` empty: it has none.
inline Record plain_record(const std::string& id, Status status = Status::ok,
                           const std::string& reason = "") {
  Record record;
  record.id = id;
  record.variant = "uot/x";
  record.worker = "w";
  record.status = status;
  if (!reason.empty()) record.reason = reason;
  return record;
}

// Records of cases that were timed, as views and comparisons need them.

/// One sample a round; its id names every axis.
inline Record timed_record(const std::string& variant, const Json& point, const std::string& worker,
                           const std::vector<double>& rounds) {
  Record record;
  record.variant = variant;
  record.worker = worker;
  record.point = point;
  record.id = variant;
  for (const auto& [axis, value] : point.items()) record.id += '/' + axis + ':' + value_text(value);
  record.id += '@' + worker;
  record.time = Timing{};
  for (const double seconds : rounds)
    record.time->processes.push_back({.start = 0, .first_sample = {}, .arm = {}, .samples = {seconds}});
  return record;
}

class RunFileTest : public testing::Test {
 protected:
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  /// "no error" where there is none.
  template <class Callable>
  static std::string usage_error(Callable&& call) {
    try {
      call();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  }

  /// The first line.
  static std::string header(const std::vector<std::string>& plan) {
    return to_line({{"kind", "run"}, {"schema", 1}, {"plan", plan}}) + '\n';
  }

  /// A case's line.
  static std::string record(const std::string& id, Status status, const std::string& reason = "") {
    return to_line(to_json(plain_record(id, status, reason))) + '\n';
  }

  const Folder own;
  const std::filesystem::path folder = own.path(), file = folder / "runs" / "a.jsonl";
};

}  // namespace uotbench
