// What the warps of a CUDA kernel do to memory, when its threads are run one after another on the CPU: every
// thread's accesses are recorded from one barrier to the next, and then replayed as warps of 32 lanes issue
// them, which makes requests, sectors, wavefronts and bank conflicts of them. What runs the threads (a
// scheduler of fibers) says which one it is, and where they meet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace uotbench::trace {

enum class Space { global, shared, constant };
enum class AccessKind { read, write, atomic };

/// What one instruction of a kernel did: a source line of one kernel, one kind and size of access.
struct SiteCounts {
  std::string kernel;  ///< as its launch named it
  std::string at;      ///< FILE:LINE
  Space space = Space::global;
  AccessKind kind = AccessKind::read;
  unsigned size = 0;  ///< bytes a lane
  std::uint64_t requests = 0, lanes = 0;
  // Global memory: sectors of 32 bytes, the fewest that could hold what was asked for, lines of 128 bytes.
  std::uint64_t sectors = 0, ideal_sectors = 0, lines = 0;
  // Shared memory, as written: passes over the 32 banks, the fewest possible, and the most lanes' words that
  // one bank had in a pass. A conflict is a wavefront more than ideal.
  std::uint64_t wavefronts = 0, ideal_wavefronts = 0, worst_degree = 0;
  // Shared loads, as ptxas makes them: four that are contiguous and aligned in every lane become one of 16
  // bytes.
  std::uint64_t widened_requests = 0, widened_wavefronts = 0, widened_ideal_wavefronts = 0;
};

/// Of all launches since the trace began.
struct WarpCounts {
  std::uint64_t launches = 0, blocks = 0, threads = 0, barriers = 0, collectives = 0;
  std::uint64_t exponentials = 0;  ///< calls of exp, exp2, expf and exp2f, one a lane
  std::uint64_t shared_bytes = 0;  ///< of dynamic shared memory, every block's
  /// Bytes of global memory touched, in sectors, each launch for itself.
  std::uint64_t footprint_read = 0, footprint_written = 0;
  std::vector<SiteCounts> sites;  ///< ordered by kernel, then place
};

/// What a kernel did that no kernel may: the first one ends the launch.
struct Fault {
  std::string text;               ///< "reads 4 bytes past the end of an array of 4000 bytes"
  std::uint64_t place = 0;        ///< code address, for source_lines(); 0: unknown
  std::vector<int> threads;       ///< of the block, by their linear index: the first one did it, at `place`
  std::uint64_t other_place = 0;  ///< of a race: where the second one was
};

struct WarpOptions {
  bool count = true;                       ///< false: checks only, nothing is replayed
  std::uint64_t most_events = 1u << 24;    ///< of one thread between two barriers: more is a spin-wait
  std::uint64_t most_recorded = 1u << 26;  ///< events of a block between two barriers (8 bytes each)
};

/// Half-open, of addresses.
struct Span {
  std::uintptr_t begin = 0, end = 0;
  bool holds(std::uintptr_t at) const { return at - begin < end - begin; }
};

/// Where a launch's memory is, in addition to the global arrays of add_global().
struct LaunchMemory {
  std::vector<Span> static_shared;  ///< __shared__ variables of the program
  Span dynamic_shared;              ///< as much as the launch asked for
  Span stacks;                      ///< of the threads: local memory, not counted
  Span parameters;                  ///< of the kernel: not counted
  std::vector<Span> variables;      ///< __device__ variables: global memory
  Span constants;                   ///< __constant__ variables: read only
};

/// One at a time in a program. All calls come from one OS thread.
class WarpTrace {
 public:
  /// `stop`: called where a thread did what none may, from inside its access; it never returns (it leaves the
  /// thread's fiber for good). fault() then says what it was.
  WarpTrace(const WarpOptions& options, void (*stop)());
  ~WarpTrace();
  WarpTrace(const WarpTrace&) = delete;
  WarpTrace& operator=(const WarpTrace&) = delete;

  /// Global arrays, as cudaMalloc gives and cudaFree takes them; they outlive launches.
  void add_global(const void* begin, std::size_t bytes);
  void remove_global(const void* begin);

  /// `kernel`: what it is called in counts. Throws std::bad_alloc.
  void begin_launch(const std::string& kernel, int threads_per_block, const LaunchMemory& memory);
  /// Shared memory counts as not written.
  void begin_block();
  /// From now on accesses are this thread's (its linear index in the block), until rest().
  void run(int thread);
  void rest();
  /// The running thread has come to a warp collective or to a block's barrier, at this code address.
  void meet(std::uint64_t place);
  /// The lanes of `mask` in `warp` have all met at a collective: what comes after is ordered by it.
  void met(int warp, std::uint32_t mask);
  /// All threads of the block are at the barrier or have ended: replays what was recorded. False: fault().
  bool end_interval();
  /// An access that the compiler did not see as one, by the running thread: atomics, copies.
  void access(const void* at, unsigned size, AccessKind kind, std::uint64_t place);
  void end_launch();

  const Fault& fault() const;
  /// And begins anew.
  WarpCounts take();

 private:
  struct State;
  State* state_;
};

}  // namespace uotbench::trace
