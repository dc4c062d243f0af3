// What a kernel may touch: which memory an address is in, and how much of the global one was touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/trace/warps/warps.hpp"

namespace uotbench::trace {

struct Region {
  enum class Of { array, variable, static_shared, dynamic_shared, constants, local };

  Span span;
  Of of = Of::array;
  std::uint64_t shadow =
      0;  ///< of shared memory: bytes of it before this, a multiple of 16 away from `begin`
  std::uint64_t sectors = 0;  ///< of global memory: sectors of it before this

  /// Not of local memory.
  Space space() const {
    return of == Of::array || of == Of::variable ? Space::global
           : of == Of::constants                 ? Space::constant
                                                 : Space::shared;
  }
};

class WarpMemory {
 public:
  void add_global(const void* begin, std::size_t bytes);
  void remove_global(const void* begin);
  /// Nothing of global memory is touched. Throws std::bad_alloc.
  void begin_launch(const LaunchMemory& memory);

  /// Where the byte at this address is; null: nowhere.
  const Region* find(std::uint64_t address) const;
  /// Why an access is none that a kernel may make, e.g. "reads 4 bytes up to 8 bytes past the end of an array
  /// of 4000 bytes"; empty: it may.
  std::string obstacle(std::uint64_t address, unsigned size, AccessKind kind) const;
  std::uint64_t shared_bytes() const { return shared_bytes_; }

  /// Sectors of 32 bytes, as address / 32; in global memory.
  void touch(const std::uint64_t* sectors, int count, AccessKind kind);
  std::uint64_t bytes_read() const { return bytes(read_); }
  std::uint64_t bytes_written() const { return bytes(written_); }

 private:
  using Bits = std::vector<std::uint64_t>;

  static std::uint64_t bytes(const Bits& bits);
  static std::uint64_t reach(const Region& region);
  const Region* nearest(std::uint64_t address, unsigned size) const;
  void add(const Span& span, Region::Of of);

  std::vector<Span> arrays_;
  std::vector<Region> regions_;  // of this launch, in the order of addresses
  const Region* last_ = nullptr;
  std::uint64_t shared_bytes_ = 0, sectors_ = 0;
  Bits read_, written_;
};

}  // namespace uotbench::trace
