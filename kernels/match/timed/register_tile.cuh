// 128 queries meet 128 candidates in 16 x 16 threads, 8 x 8 in the registers of each: the body of the last
// rungs without tensor cores. As CUTLASS describes it for matrix products ("Efficient GEMM in CUDA"), but
// that the products are met by the best found so far and never stored.
#pragma once

#include "kernels/match/timed/parts.cuh"
#include "kernels/match/timed/tiles.cuh"

namespace uotbench::match {

namespace register_tile {

constexpr int side = 128;        ///< queries and candidates of a block
constexpr int threads = 256;     ///< of a block
constexpr int depth = 8;         ///< dimensions at a time
constexpr int pitch = side + 4;  ///< so that a warp's stores are in all banks; a multiple of 16 bytes
static_assert(rows_padded_to % side == 0);

/// `depth` dimensions of the tile, a dimension after another.
struct Slab {
  float queries[depth][pitch], candidates[depth][pitch];
};

/// What a thread carries from memory to a slab: four dimensions of a query and of a candidate.
template <int dim>
class Carrier {
 public:
  __device__ Carrier(const Sets& s, int thread)
      : s_(s), row_(thread / 2), first_(4 * (thread % 2)), bp1_(side * blockIdx.x) {}

  /// Nothing beyond the last dimension.
  __device__ void load(int bp2, int d) {
    const int D = dim ? dim : s_.D;
    query_ = candidate_ = make_float4(0, 0, 0, 0);
    if (d + first_ >= D) return;
    query_ = load4(s_.queries, bp1_ + row_, D, (d + first_) / 4);
    candidate_ = load4(s_.candidates, bp2 + row_, D, (d + first_) / 4);
  }
  __device__ void store(Slab& slab) const {
    put(slab.queries, query_);
    put(slab.candidates, candidate_);
  }

 private:
  __device__ void put(float (&to)[depth][pitch], float4 four) const {
    to[first_][row_] = four.x;
    to[first_ + 1][row_] = four.y;
    to[first_ + 2][row_] = four.z;
    to[first_ + 3][row_] = four.w;
  }

  const Sets& s_;
  int row_, first_, bp1_;
  float4 query_, candidate_;
};

/// Where thread `thread` is among 16 x 16: its queries are query + {0 .. 3} and 64 + query + {0 .. 3},
/// its candidates likewise. A warp is 4 x 8 of them, so that it reads few different words; lanes 2 apart
/// share their candidates and neighbours their queries, by which requests of 16 bytes for two quarters of a
/// warp become one.
struct Place {
  int query, candidate;
  __device__ explicit Place(int thread)
      : query(4 * (thread / 32 % 4 * 4 + (thread >> 4 & 1) * 2 + (thread >> 1 & 1))),
        candidate(4 * (thread / 128 * 8 + (thread >> 2 & 3) * 2 + (thread & 1))) {}
  __device__ static int nth(int first, int i) { return first + i % 4 + i / 4 * 64; }
};

__device__ inline void add_products(float (&score)[8][8], const Slab& slab, const Place& at) {
#pragma unroll
  for (int d = 0; d < depth; ++d) {
    const auto four = [](const float& first) { return reinterpret_cast<const float4&>(first); };
    const float4 q0 = four(slab.queries[d][at.query]), q1 = four(slab.queries[d][at.query + 64]);
    const float4 c0 = four(slab.candidates[d][at.candidate]),
                 c1 = four(slab.candidates[d][at.candidate + 64]);
    const float q[] = {q0.x, q0.y, q0.z, q0.w, q1.x, q1.y, q1.z, q1.w};
    const float c[] = {c0.x, c0.y, c0.z, c0.w, c1.x, c1.y, c1.z, c1.w};
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
      for (int j = 0; j < 8; ++j) score[i][j] += q[i] * c[j];
  }
}

/// Two lanes whose numbers differ in the bit `apart` met the same 2 rows queries with other candidates: one
/// goes on with the first half of these queries, the other with the second.
template <int rows, class Kept>
__device__ void halve(Kept (&met)[8], int apart) {
  const bool upper = threadIdx.x & apart;
#pragma unroll
  for (int i = 0; i < rows; ++i) {
    if (upper) {
      const Kept first = met[i];
      met[i] = met[i + rows];
      met[i + rows] = first;
    }
    met[i].meet(met[i + rows].of_lane(apart));
  }
}

/// Adds to `best` what eight lanes found in a tile for the same eight queries: each lane keeps that of one of
/// them, row_kept(). What all eight would take in each thread are registers that are not there.
template <class Kept>
__device__ void keep(Kept& best, const float (&score)[8][8], int candidate) {
  Kept met[8];
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int j = 0; j < 8; ++j) met[i].meet(score[i][j], Place::nth(candidate, j));
  halve<4>(met, 1);
  halve<2>(met, 4);
  halve<1>(met, 8);
  best.meet(met[0]);
}
__device__ inline int row_kept(int thread) {
  return (thread & 1) * 4 + (thread >> 2 & 1) * 2 + (thread >> 3 & 1);
}

/// Kept is what a query keeps of the candidates that it met: Best, or one like it. The candidates are
/// divided among the gridDim.y blocks of the same queries, at least a tile for each; found[y][query] is what
/// block y found.
template <int dim, class Kept>
__device__ void find(const Sets& s, Kept* found) {
  __shared__ __align__(16) Slab slabs[2];
  const int D = dim ? dim : s.D, thread = threadIdx.x, tiles = (s.N + side - 1) / side;
  const auto first_of = [&](unsigned part) { return int(std::size_t(tiles) * part / gridDim.y) * side; };
  const int end = first_of(blockIdx.y + 1);
  const Place at(thread);
  Carrier<dim> next(s, thread);
  Kept best;
  int bp2 = first_of(blockIdx.y), which = 0;
  next.load(bp2, 0);
  next.store(slabs[0]);
  __syncthreads();
  for (; bp2 < end; bp2 += side) {
    float score[8][8] = {};
    for (int d = 0; d < D; d += depth) {
      const bool same = d + depth < D, more = same || bp2 + side < end;
      if (more) next.load(same ? bp2 : bp2 + side, same ? d + depth : 0);
      add_products(score, slabs[which], at);
      which = 1 - which;
      if (more) next.store(slabs[which]);
      __syncthreads();
    }
    keep(best, score, bp2 + at.candidate);
  }
  // Two warps found something for each query; slabs are done with.
  Kept* const all = reinterpret_cast<Kept*>(slabs);
  all[thread / side * side + Place::nth(at.query, row_kept(thread))] = best;
  __syncthreads();
  const int query = side * blockIdx.x + thread;
  if (thread >= side || query >= s.N) return;
  best = all[thread];
  best.meet(all[side + thread]);
  found[std::size_t(blockIdx.y) * s.N + query] = best;
}

}  // namespace register_tile
}  // namespace uotbench::match
