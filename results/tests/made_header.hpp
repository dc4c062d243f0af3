// Headers of runs that tests make, written as the JSON that a run file would have.
#pragma once

#include <string>

#include "results/base/json.hpp"
#include "results/record/run_file/header_json.hpp"
#include "results/record/run_file/run_file.hpp"

namespace uotbench {

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

}  // namespace uotbench
