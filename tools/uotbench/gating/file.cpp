#include "tools/uotbench/gating/file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/protocol/case_id.hpp"
#include "tools/uotbench/running/run_header.hpp"

namespace uotbench {
namespace {

Json joined_header(const Json& baseline, const Json& candidate, const Json& gate, const GatePlan& plan) {
  Json header = baseline;
  header["workers"] = Json::object();
  for (const auto& [arm, one] : {std::pair{"baseline", &baseline}, std::pair{"candidate", &candidate}})
    for (const auto& [worker, build] : one->at("workers").items())
      header["workers"][worker == "oracle" ? worker : fmt::format("{}.{}", worker, arm)] = build;
  Json ids = Json::array();
  for (const auto& id : plan.baseline.ids())
    for (const char* arm : {"baseline", "candidate", "control"}) ids.push_back(fmt::format("{}.{}", id, arm));
  header["plan"] = ids;
  header["gate"] = gate;
  return header;
}

}  // namespace

GateFile::GateFile(const std::filesystem::path& path, RunFile::Mode mode, const Json& baseline,
                   const Json& candidate, const Json& gate, const GatePlan& plan)
    : header_(joined_header(baseline, candidate, gate, plan)), file_(path, mode, false) {
  file_.append(header_);
}

void GateFile::add(const Arm& arm, const std::vector<Record>& records) {
  std::vector<Json> lines;
  for (Record record : records) {
    const std::string key = id_in(record.id, arm);
    record.id = key;
    record.worker += "." + arm.name;
    lines.push_back(to_json(record));
    records_[key] = std::move(record);
  }
  file_.append_all(lines);
}

void GateFile::add(const Sitting& sitting, const std::vector<SittingCase>& cases,
                   const std::vector<Arm>& arms, const std::vector<std::size_t>& which) {
  std::vector<Json> lines;
  for (const auto one : which)
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
      const Case& member = *cases[one].member;
      const auto timing = sitting.timing(one, static_cast<int>(arm));
      const auto failure = std::ranges::find_if(sitting.failures(), [&](const SittingFailure& failed) {
        return failed.which == one && failed.arm == static_cast<int>(arm) && is_bad(failed.status);
      });
      if (!timing && failure == sitting.failures().end()) continue;
      Record& record = records_[id_in(member.id, arms[arm])];
      if (record.id.empty()) {  // the control: nobody judged it, it is the baseline's copy
        record.id = id_in(member.id, arms[arm]);
        record.variant = member.variant;
        record.worker = member.worker + "." + arms[arm].name;
        record.point = member.point;
        record.input_files = judged(member.id, arms).input_files;
      }
      record.time = timing;
      if (const auto& work = sitting.work(one, static_cast<int>(arm));
          work && (work->counted || !record.work))
        record.work = work;
      if (failure != sitting.failures().end()) {
        record.status = failure->status;
        record.reason = failure->reason;
      }
      lines.push_back(to_json(record));
    }
  if (!lines.empty()) file_.append_all(lines);
}

Record GateFile::judged(const std::string& id, const std::vector<Arm>& arms) const {
  for (const auto& arm : arms)
    if (const Record* const found = record(id, arm); found && !found->point.empty()) return *found;
  return {};
}

void GateFile::without_control(const std::vector<std::string>& ids, const std::vector<Arm>& arms,
                               const std::string& why) {
  const Arm& control = arms[2];
  std::vector<Json> lines;
  for (const auto& id : ids) {
    if (record(id, control)) continue;
    const CaseName name = parse_case_id(id);
    Record skipped;
    skipped.id = id_in(id, control);
    skipped.variant = name.variant;
    skipped.worker = name.worker + "." + control.name;
    skipped.point = judged(id, arms).point;
    skipped.input_files = judged(id, arms).input_files;
    skipped.status = Status::skipped;
    skipped.reason = why;
    lines.push_back(to_json(skipped));
  }
  if (!lines.empty()) file_.append_all(lines);
}

void GateFile::end(double elapsed, bool interrupted) {
  file_.append({{"kind", "end"},
                {"finished", utc("{:%Y-%m-%dT%H:%M:%SZ}")},
                {"elapsed", elapsed},
                {"status", interrupted ? "interrupted" : "complete"}});
}

const Record* GateFile::record(const std::string& id, const Arm& arm) const {
  const auto found = records_.find(id_in(id, arm));
  return found == records_.end() ? nullptr : &found->second;
}

}  // namespace uotbench
