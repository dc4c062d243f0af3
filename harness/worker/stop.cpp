#include "harness/worker/stop.hpp"

namespace uotbench {
namespace {

thread_local const std::atomic<bool>* stop_flag = nullptr;

}  // namespace

void end_if_stopped() {
  if (stop_flag && stop_flag->load(std::memory_order_relaxed)) throw Stopped();
}

ListenToStop::ListenToStop(const std::atomic<bool>& flag) : before_(stop_flag) { stop_flag = &flag; }
ListenToStop::~ListenToStop() { stop_flag = before_; }

}  // namespace uotbench
