#include <fmt/format.h>

#include <algorithm>

#include "harness/protocol/point_json.hpp"
#include "results/record/record.hpp"
#include "tools/uotbench/gating/run.hpp"
#include "tools/uotbench/running/run_header.hpp"

namespace uotbench {
namespace {

RunHeader joined_header(const RunHeader& baseline, const RunHeader& candidate, const GateOfRun& gate,
                        const GatePlan& plan) {
  RunHeader header = baseline;
  header.workers = {};
  for (const auto& [arm, one] :
       {std::pair{gate_arm::baseline, &baseline}, std::pair{gate_arm::candidate, &candidate}})
    for (const auto& [worker, build] : one->workers)
      header.workers[worker == "oracle" ? worker : in_arm(worker, arm)] = build;
  header.plan.emplace();
  for (const auto& id : plan.baseline.ids())
    for (const char* arm : gate_arm::all) header.plan->push_back(in_arm(id, arm));
  header.gate = gate;
  return header;
}

Record blank(const std::string& id, const std::string& variant, const std::string& worker, const Arm& arm) {
  Record record;
  record.id = id;
  record.variant = variant;
  record.worker = worker;
  return in_arm(std::move(record), arm.name);
}

}  // namespace

GateFile::GateFile(const std::filesystem::path& path, RunFile::Mode mode, const RunHeader& baseline,
                   const RunHeader& candidate, const GateOfRun& gate, const GatePlan& plan)
    : header_(joined_header(baseline, candidate, gate, plan)), file_(path, mode, false) {
  file_.begin(header_);
}

void GateFile::add(const Arm& arm, const std::vector<Record>& records) {
  std::vector<Record> named;
  for (const Record& judged : records) {
    named.push_back(in_arm(judged, arm.name));
    records_[named.back().id] = named.back();
  }
  file_.add(named);
}

void GateFile::add(const AbSession& session, const std::vector<AbCase>& cases, const std::vector<Arm>& arms,
                   const std::vector<std::size_t>& which) {
  std::vector<Record> written;
  for (const auto one : which)
    for (std::size_t arm = 0; arm < arms.size(); ++arm) {
      const Case& member = *cases[one].member;
      const auto timing = session.timing(one, static_cast<int>(arm));
      const auto failure = std::ranges::find_if(session.failures(), [&](const AbFailure& failed) {
        return failed.which == one && failed.arm == static_cast<int>(arm) && is_bad(failed.status);
      });
      if (!timing && failure == session.failures().end()) continue;
      Record& record = records_[in_arm(member.id, arms[arm].name)];
      if (record.id.empty()) {  // the control: nobody judged it, it is the baseline's copy
        record = blank(member.id, member.variant, member.worker, arms[arm]);
        record.point = member.point;
        record.input_files = judged(member.id, arms).input_files;
      }
      record.time = timing;
      if (const auto& work = session.work(one, static_cast<int>(arm));
          work && (work->counted || !record.work))
        record.work = work;
      if (failure != session.failures().end()) {
        record.status = failure->status;
        record.reason = failure->reason;
      }
      written.push_back(record);
    }
  if (!written.empty()) file_.add(written);
}

Record GateFile::judged(const std::string& id, const std::vector<Arm>& arms) const {
  for (const auto& arm : arms)
    if (const Record* const found = record(id, arm); found && !found->point.empty()) return *found;
  return {};
}

void GateFile::without_control(const std::vector<std::string>& ids, const std::vector<Arm>& arms,
                               const std::string& why) {
  const Arm& control = arms[2];
  std::vector<Record> written;
  for (const auto& id : ids) {
    if (record(id, control)) continue;
    const CaseName name = parse_case_id(id);
    Record skipped = blank(id, name.variant, name.worker, control);
    skipped.point = judged(id, arms).point;
    skipped.input_files = judged(id, arms).input_files;
    skipped.status = Status::skipped;
    skipped.reason = why;
    written.push_back(skipped);
  }
  if (!written.empty()) file_.add(written);
}

void GateFile::end(double elapsed, bool interrupted) {
  file_.end(RunEnd(utc("{:%Y-%m-%dT%H:%M:%SZ}"), elapsed, !interrupted));
}

const Record* GateFile::record(const std::string& id, const Arm& arm) const {
  const auto found = records_.find(in_arm(id, arm.name));
  return found == records_.end() ? nullptr : &found->second;
}

}  // namespace uotbench
