// Who watches the executor: of trace::WarpTrace what the executor calls, so that workers without a trace link
// none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::simt {

/// Every function as the one of trace::WarpTrace.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void add_global(const void* begin, std::size_t bytes) = 0;
  virtual void remove_global(const void* begin) = 0;
  virtual void begin_launch(const std::string& kernel, int threads_per_block,
                            const trace::LaunchMemory& memory) = 0;
  virtual void begin_block() = 0;
  virtual void run(int thread) = 0;
  virtual void rest() = 0;
  virtual void meet(std::uint64_t place) = 0;
  virtual void met(int warp, std::uint32_t mask) = 0;
  virtual bool end_interval() = 0;
  virtual void access(const void* at, unsigned size, trace::AccessKind kind, std::uint64_t place) = 0;
  virtual void end_launch() = 0;
  virtual const trace::Fault& fault() const = 0;
};

/// Null: none. Reports the arrays that are there to a new one.
void set_observer(Observer* observer);

}  // namespace uotbench::simt
