#include "harness/trace/threads/trace.hpp"

#include <memory>
#include <stdexcept>

#include "harness/trace/threads/session.hpp"

namespace uotbench::trace {

void start(const Options& options) {
  if (current) throw std::logic_error("a trace is being made; one at a time can be");
  Session* const session = new Session(options);
  __atomic_store_n(&current, session, __ATOMIC_RELEASE);
  self = {.on = session, .thread = 0};
}

void mark() {
  if (!self.on) throw std::logic_error("no trace that this thread started is being made");
  self.on->mark(++self.epoch);
}

Counts stop() {
  Session* const session = self.on;
  if (!session) throw std::logic_error("no trace that this thread started is being made");
  self = {};
  __atomic_store_n(&current, nullptr, __ATOMIC_RELEASE);
  return std::unique_ptr<Session>(session)->counts();
}

}  // namespace uotbench::trace
