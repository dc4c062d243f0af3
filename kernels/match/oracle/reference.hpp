// The reference: of each query the two best candidates, in double.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace uotbench::match {

/// A candidate and its dot product with the query.
struct Match {
  std::ptrdiff_t index;
  double score;
};

/// Of one query. Equal maxima are two.
struct Best {
  std::size_t query;
  Match first;
  Match second;  ///< -1 and -inf where there is one candidate
};

/// Both sets, rows of D.
struct Sets {
  std::size_t N, D;
  std::span<const float> queries, candidates;
};

/// The dot product of a query and a candidate.
double score(const Sets& sets, std::size_t query, std::size_t candidate);
/// The length of a row.
double length(std::span<const float> row);

/// At most this many multiply-adds are made: some 10 s on two busy cores.
inline constexpr double most_multiply_adds = 0x1p35;

/// How many of the queries are searched for: all, or the number that `multiply_adds` allows, and one at
/// least.
std::size_t searched_queries(std::size_t N, std::size_t D, double multiply_adds);

/// The best of `count` queries, in order: of each of `count` equal ranges one, at random but always the same,
/// so that no pattern of a kernel's tiles is missed. The same bits for any number of threads.
std::vector<Best> search(const Sets& sets, std::size_t count);

}  // namespace uotbench::match
