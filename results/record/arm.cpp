#include "results/record/arm.hpp"

#include <algorithm>

namespace uotbench {
namespace {

std::string last_arm(const std::string& name) {
  const auto dot = name.rfind('.');
  if (dot == std::string::npos) return "";
  const std::string word = name.substr(dot + 1);
  return std::ranges::find(gate_arm::all, word) == std::end(gate_arm::all) ? "" : word;
}

std::string without(const std::string& name, const std::string& arm) {
  return arm.empty() ? name : name.substr(0, name.size() - arm.size() - 1);
}

}  // namespace

std::string in_arm(const std::string& name, const std::string& arm) { return name + '.' + arm; }

std::string arm_of(const std::string& id) {
  const auto at = id.rfind('@');
  return at == std::string::npos ? "" : last_arm(id.substr(at));
}

std::string without_arm(const std::string& id) { return without(id, arm_of(id)); }

std::string worker_arm(const std::string& worker) { return last_arm(worker); }

std::string worker_without_arm(const std::string& worker) { return without(worker, worker_arm(worker)); }

Record in_arm(Record record, const std::string& arm) {
  record.id = in_arm(record.id, arm);
  record.worker = in_arm(record.worker, arm);
  record.arm = arm;
  return record;
}

Record without_arm(Record record) {
  record.id = without_arm(record.id);
  if (worker_arm(record.worker) == record.arm) record.worker = worker_without_arm(record.worker);
  record.arm.clear();
  return record;
}

}  // namespace uotbench
