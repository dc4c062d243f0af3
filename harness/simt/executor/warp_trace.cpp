// trace::WarpTrace as an observer.
#include <memory>

#include "harness/simt/executor/executor.hpp"

namespace uotbench::simt {
namespace {

class Traced : public Observer {
 public:
  explicit Traced(trace::WarpTrace& trace) : trace_(trace) {}
  void add_global(const void* begin, std::size_t bytes) override { trace_.add_global(begin, bytes); }
  void remove_global(const void* begin) override { trace_.remove_global(begin); }
  void begin_launch(const std::string& kernel, int threads_per_block,
                    const trace::LaunchMemory& memory) override {
    trace_.begin_launch(kernel, threads_per_block, memory);
  }
  void begin_block() override { trace_.begin_block(); }
  void run(int thread) override { trace_.run(thread); }
  void rest() override { trace_.rest(); }
  void meet(std::uint64_t place) override { trace_.meet(place); }
  void met(int warp, std::uint32_t mask) override { trace_.met(warp, mask); }
  bool end_interval() override { return trace_.end_interval(); }
  void access(const void* at, unsigned size, trace::AccessKind kind, std::uint64_t place) override {
    trace_.access(at, size, kind, place);
  }
  void end_launch() override { trace_.end_launch(); }
  const trace::Fault& fault() const override { return trace_.fault(); }

 private:
  trace::WarpTrace& trace_;
};

}  // namespace

void set_trace(trace::WarpTrace* trace) {
  static std::unique_ptr<Traced> observer;
  auto next = trace ? std::make_unique<Traced>(*trace) : nullptr;
  set_observer(next.get());
  observer = std::move(next);
}

}  // namespace uotbench::simt
