// The reference: the scalings in double, from the formulas alone.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

namespace uotbench::uot {

struct Reference {
  Eigen::VectorXd u, v;       ///< the plan is diag(u) K diag(v), never formed in double
  double mass = 0;            ///< the sum of the plan's cells
  std::string overflow = {};  ///< which scaling is no number any more, and since when; empty: none
};

/// `iterations` canonical iterations (a row step, then a column step) from u = v = 1:
///   unbalanced  u <- (a / K v)^fi            POT, sinkhorn_knopp_unbalanced; Chizat, Peyre, Schmitzer,
///                                            Vialard 2018, Algorithm 1
///   damped      u <- u^(1-fi) (a / K v)^fi   MAP-UOT, Fig. 1: P_ij *= (a_i / sum_j P_ij)^fi with
///                                            P = diag(u) K diag(v), whose row sums are u (K v)
/// and likewise v from b and K'u. 0/0 is 0. K is a.size() x b.size() in C order; each is of floats or
/// doubles. The same bits for any number of threads.
template <class Mass, class Entry = Mass>
Reference solve(std::span<const std::type_identity_t<Entry>> K, std::span<const Mass> a,
                std::span<const Mass> b, double fi, bool damped, int iterations);

}  // namespace uotbench::uot
