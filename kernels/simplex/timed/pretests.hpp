// Bounds that rule pairs out before their product is computed (S. Gualandi, L.-M. Rousseau, Aussois 2020).
//
// Lemma 1, for a source: with the incumbent d, no target beats it where u_i <= min_j c_ij + min_j v_j - d.
// Lemma 2, for a pair: |x - y| >= ||x| - |y||, so it is ruled out where (|x_i| - |y_j|)^2 - u_i + v_j >= d.
// As printed (eq. 20) it has no |x_i|^2 - u_i: right for an incumbent read as |y_j|^2 + v_j - 2 <x_i, y_j>,
// what the minimum is taken over (eq. 16); for an incumbent read as a reduced cost it skips pairs that are
// the best.
#pragma once

#include <string>

#include "harness/protocol/point.hpp"

namespace uotbench::simplex {

struct Pretests {
  bool of_source = false, of_pair = false;

  static Axis axis() {
    return {.name = "pretest",
            .kind = Axis::Kind::text,
            .standard = "none",
            .values = {"none", "lemma1", "lemma2", "both"},
            .about = "bounds that rule sources (lemma1) or pairs (lemma2) out"};
  }
  static Pretests from(const Point& at) {
    const std::string which = at.text("pretest");
    return {which == "lemma1" || which == "both", which == "lemma2" || which == "both"};
  }
};

}  // namespace uotbench::simplex
