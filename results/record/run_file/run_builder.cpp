#include "results/record/run_file/run_builder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/record/run_file/line_json.hpp"

namespace uotbench {
namespace {

std::string kind_of(const Json& line) {
  const auto kind = line.is_object() ? line.find("kind") : line.end();
  return kind != line.end() && kind->is_string() ? kind->get<std::string>() : "";
}

/// Throws Error naming what is missing.
CeilingAgain ceiling_again_from(const Json& json) try {
  if (json.contains("needed_by"))
    return {.record = record_from(json.at("record")),
            .needed_by = json.at("needed_by").get<std::vector<std::string>>()};
  return {.record = record_from(json.at("record")),
          .exceeded_by = json.at("exceeded_by").get<std::vector<std::string>>(),
          .was = json.at("was").get<double>()};
} catch (const Json::Exception& error) {
  const std::string wrong = line_violation("ceiling", json);
  throw Error(wrong.empty() ? std::string(error.what()) : wrong);
}

bool names_nothing_twice(const std::vector<std::string>& plan) {
  std::unordered_set<std::string_view> ids;
  ids.reserve(plan.size());
  return std::ranges::all_of(plan, [&](const std::string& id) { return ids.insert(id).second; });
}

template <class T>
std::vector<Json> lines_for(const std::vector<T>& all) {
  std::vector<Json> lines;
  lines.reserve(all.size());
  for (const auto& one : all) lines.push_back(to_json(one));
  return lines;
}

}  // namespace

RunLine parse_run_line(std::string_view text) {
  RunLine line;
  Json json = parse_visible(text).value_or(nullptr);
  line.kind = kind_of(json);
  if (line.kind != "case") {
    line.document = std::move(json);
    return line;
  }
  try {
    line.record = record_from(std::move(json));
    refuse_impossible(*line.record);  // whoever wrote it
  } catch (const Error& error) {
    line.problem = error.what();
  }
  return line;
}

UsageError not_a_run(const std::filesystem::path& path) {
  if (path.extension() == ".gz")
    return UsageError(fmt::format("{}: a compressed file; expected a run file. Try: zcat {} > run.jsonl",
                                  path.string(), path.string()));
  return UsageError(
      fmt::format("{}: not a run file (its first line is not {{\"kind\":\"run\",...}})", path.string()));
}

/// `why`: " is torn", or ": " and what is wrong.
void RunBuilder::leave_out(const std::string& why) {
  left_out_.push_back(fmt::format("line {} of {}{}: left out", number_, run_.path.string(), why));
}

void RunBuilder::take(RunLine line) {
  arranged_ = false;
  if (++number_ == 1) {
    take_header(line);
  } else if (line.kind.empty() || line.kind == "run") {
    leave_out(" is not a record");
  } else if (line.kind == "case") {
    take_case(std::move(line));
  } else if (line.kind == "resume") {
    take_resume(line.document.json());
  } else if (line.kind == "ceiling") {
    take_ceiling(line.document.json());
  } else if (line.kind == "end") {
    run_.end = RunEnd(line.document.json());
  }
}

void RunBuilder::take_torn() {
  arranged_ = false;
  ++number_;
  leave_out(" is torn (cut off while being written)");
}

void RunBuilder::take_header(const RunLine& line) {
  if (line.kind != "run") throw not_a_run(run_.path);
  if (const std::string wrong = header_violation(line.document.json()); !wrong.empty())
    throw UsageError(fmt::format("{}: line 1: {}", run_.path.string(), wrong));
  run_.header = header_from(line.document.json());
  run_.records.reserve(run_.plan().size());
  in_order_ = names_nothing_twice(run_.plan());
  if (run_.header.schema > run_schema)
    left_out_.push_back(fmt::format("{} was written by a newer uotbench (schema {})", run_.path.string(),
                                    run_.header.schema));
}

void RunBuilder::take_case(RunLine line) {
  run_.end.reset();
  if (!line.record) {
    leave_out(": " + line.problem);
    return;
  }
  if (is_as_planned(line.record->id)) {
    run_.records.push_back(*std::move(line.record));
    return;
  }
  find_places();
  const auto [place, fresh] = places_.try_emplace(line.record->id, run_.records.size());
  if (fresh)
    run_.records.push_back(*std::move(line.record));
  else
    run_.records[place->second] = *std::move(line.record);
}

/// Whether all records so far, and one of this id, are the plan's first ones, in its order: most files are
/// so from their first line to their last, and are read without a look at what has come before.
bool RunBuilder::is_as_planned(const std::string& id) const {
  const auto& plan = run_.plan();
  return in_order_ && run_.records.size() < plan.size() && plan[run_.records.size()] == id;
}

void RunBuilder::find_places() {
  in_order_ = false;
  for (auto& record : others_) run_.records.push_back(std::move(record)), placed_ = false;
  others_.clear();
  if (std::exchange(placed_, true)) return;
  places_.clear();
  places_.reserve(run_.plan().size());
  for (std::size_t i = 0; i < run_.records.size(); ++i) places_.try_emplace(run_.records[i].id, i);
}

void RunBuilder::take_resume(const Json& line) {
  if (const std::string wrong = header_violation(line); !wrong.empty()) {
    leave_out(": " + wrong);
    return;
  }
  const auto plan = run_.header.plan;
  replace_parts(run_.header, line);
  if (run_.header.plan != plan) find_places();
  run_.resumes.push_back(later_start_from(line));
  run_.end.reset();
}

void RunBuilder::take_ceiling(const Json& line) try {
  run_.ceilings_again.push_back(ceiling_again_from(line));
} catch (const Error& error) {
  leave_out(std::string(": ") + error.what());
}

/// The planned records, in the plan's order.
void RunBuilder::arrange() {
  if (std::exchange(arranged_, true)) return;
  const auto& plan = run_.plan();
  run_.unfinished.clear();
  run_.unplanned.clear();
  run_.warnings = left_out_;
  if (in_order_) {
    for (std::size_t i = 0; i < plan.size(); ++i)
      if (i >= run_.records.size() || !is_final(run_.records[i].status)) run_.unfinished.push_back(plan[i]);
    return;
  }
  find_places();
  std::vector<Record> planned;
  planned.reserve(run_.records.size());
  std::vector<bool> moved(run_.records.size());
  for (const auto& id : plan) {
    const auto found = places_.find(id);
    const bool there = found != places_.end() && !moved[found->second];
    if (!there || !is_final(run_.records[found->second].status)) run_.unfinished.push_back(id);
    if (!there) continue;
    moved[found->second] = true;
    planned.push_back(std::move(run_.records[found->second]));
  }
  for (std::size_t i = 0; i < run_.records.size(); ++i)
    if (!moved[i]) others_.push_back(std::move(run_.records[i]));
  run_.records = std::move(planned);
  placed_ = false;
  for (const auto& record : others_)
    if (is_final(record.status)) run_.unplanned.push_back(record);
  if (const auto others = others_.size(); others > 0)
    run_.warnings.push_back(fmt::format("{} holds {} that its plan does not name: left out",
                                        run_.path.string(),
                                        others == 1 ? "a record" : fmt::format("{} records", others)));
}

const Run& RunBuilder::run() {
  arrange();
  return run_;
}

Run RunBuilder::finished() && {
  arrange();
  return std::move(run_);
}

RunWriter::RunWriter(const std::filesystem::path& path, RunFile::Mode mode, bool resumable)
    : file_(path, mode, resumable), builder_(path) {
  if (mode != RunFile::Mode::continue_ || std::filesystem::file_size(path) == 0) return;
  read_into(builder_, path);
  empty_ = false;
}

void RunWriter::append(const std::vector<Json>& lines) {
  for (const auto& line : file_.append_all(lines)) builder_.take(parse_run_line(line));
  empty_ = false;
}

void RunWriter::begin(const RunHeader& header) { append({to_json(header)}); }
void RunWriter::resume(const RunHeader& now) { append({resume_line(now, builder_.run().header)}); }
void RunWriter::add(const std::vector<Record>& records) { append(lines_for(records)); }
void RunWriter::add(const std::vector<CeilingAgain>& ceilings) { append(lines_for(ceilings)); }
void RunWriter::end(const RunEnd& end) { append({end.json()}); }

}  // namespace uotbench
