// Vectors that a loop walks along with the rows of a matrix. A matrix begins at a page. Where its rows are
// whole pages long, column j of every row in work is at one place of its page, so in one set of an L1 cache
// of 64 sets (with rows of half a page, in one of two), and a vector that begins there is in that set, too.
// Iterations in f32, one thread of AMD's Zen 4, by the bytes of a page at which factors and sums begin:
//                         0, 0     0, 64    2048, 2048   1024, 3072   1536, 2560
//   map_uot  512 x 512    47.7 us           49.2 us      43.3 us      42.2 us
//            1024 x 1024  268 us            196 us       206 us       196 us
//            2048 x 2048  1.03 ms           0.80 ms      0.93 ms      0.86 ms
//   one_read 1024 x 1024  116 us   151 us   108 us (sums alone; factors are on the heap)
#pragma once

#include <cstddef>
#include <cstdint>

#include "harness/worker/buffer.hpp"

namespace uotbench::uot {

inline constexpr std::size_t factors_in_page = 1536, sums_in_page = 2560;  ///< bytes of a page

/// `size` uninitialised elements from this byte of a page on, a multiple of a cache line. Throws
/// std::bad_alloc.
template <class T>
class InPage {
 public:
  InPage(std::size_t size, std::size_t first) : memory_(size + page / sizeof(T)) {
    const std::size_t at = reinterpret_cast<std::uintptr_t>(memory_.data()) % page;
    data_ = memory_.data() + (page + first - at) % page / sizeof(T);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }

 private:
  static constexpr std::size_t page = 4096;

  Buffer<T> memory_;
  T* data_;
};

}  // namespace uotbench::uot
