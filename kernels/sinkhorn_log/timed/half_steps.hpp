// Iterations of kernels that add up exponentials. They sum over fields: potentials in base 2, padded to whole
// vectors. A thread makes some sums of a half step, then the potentials that follow from them and, with
// these, the fields of the half step after it. So an iteration is one parallel region, and threads meet
// twice.
#pragma once

#include <omp.h>

#include <optional>
#include <tuple>
#include <utility>

#include "harness/worker/parallel.hpp"
#include "kernels/sinkhorn_log/timed/potentials.hpp"
#include "kernels/sinkhorn_log/timed/terms.hpp"

namespace uotbench::sinkhorn_log {

/// Numbers, or lines, to whole vectors.
constexpr std::size_t padded_lines(std::size_t count, std::size_t whole = 16) {
  return (count + whole - 1) / whole * whole;
}

/// What a half step sums over.
template <class Real>
struct Fields {
  Fields(std::size_t items, std::size_t count, std::size_t threads)
      : lines(count),
        padded(padded_lines(count)),
        padded_items(padded_lines(items)),
        logs(items * padded),
        rises(threads * padded_items) {
    std::ranges::fill(logs, minus_infinity<Real>);
    std::ranges::fill(rises, minus_infinity<Real>);
  }
  const Real* of(std::size_t b) const { return logs.data() + b * padded; }

  std::size_t lines, padded, padded_items;
  Buffer<Real> logs;   ///< in base 2, items x padded; what pads has -inf
  Buffer<Real> rises;  ///< threads x padded_items: the largest move of a field of theirs
};

/// What it makes: logsumexps in base 2 are most + log2 sum, and in the end they are in `most`.
template <class Real>
struct Sums {
  Sums(std::size_t items, std::size_t count, std::size_t at_once)
      : lines(count),
        padded(padded_lines(count, std::max<std::size_t>(16, at_once))),
        most(items * padded),
        sums(most.size()) {}

  std::size_t lines, padded;
  Buffer<Real> most, sums;  ///< items x padded
};

/// A thread's part of a half step: blocks of some lines for a group of items, the groups of the same lines
/// one after the other.
class Blocks {
 public:
  struct Block {
    std::size_t line, group;
  };

  Blocks(std::size_t lines, std::size_t at_once, std::size_t groups) : at_once_(at_once), groups_(groups) {
    std::tie(first, last) =
        share((lines + at_once - 1) / at_once * groups, omp_get_thread_num(), omp_get_num_threads());
  }

  std::size_t first, last;
  Block operator[](std::size_t k) const { return {k / groups_ * at_once_, k % groups_}; }
  /// The first line and the end of those of a group, to whole blocks.
  std::pair<std::size_t, std::size_t> lines_of(std::size_t group) const {
    const auto from = [&](std::size_t k) { return (k + groups_ - 1 - group) / groups_ * at_once_; };
    return {from(first), from(last)};
  }

 private:
  std::size_t at_once_, groups_;
};

/// A half step that keeps nothing from one iteration to the next and shifts nothing: see below.
template <class Real>
struct PlainHalf {
  void restart() {}
  void added_up(std::size_t) {}
  Real squares(std::size_t) const { return 0; }
  Real offset(std::size_t) const { return 0; }
};

/// Halves(problem) has `for_v` and `for_u`, which make the sums of a half step:
///   lines_at_once, items_at_once       static constexpr: sums that are made at a time
///   void restart()
///   std::size_t add_up(mine, from, to)
///                                      puts the sums of some Blocks; returns how many were made again
///   void added_up(again)               after an iteration, with all threads' together
///   Pack squares(i), offset(j)         in base 2, taken off a field beforehand and off a logsumexp
///   afterwards
template <class Real, class Halves>
class HalfSteps {
  using P = PackOf<Real>;
  static constexpr std::size_t W = P::size();
  static constexpr Real none = minus_infinity<Real>;

 public:
  static constexpr KernelTraits declares{.restarts = true};

  explicit HalfSteps(const Problem<Real>& problem)
      : p_(problem),
        halves_(problem),
        potentials_(problem),
        u_(problem.B, problem.M, threads()),
        v_(problem.B, problem.N, threads()),
        v_next_(problem.symmetric ? problem.B : 0, problem.N, threads()),
        of_v_(problem.B, problem.N, halves_.for_v.lines_at_once),
        of_u_(problem.B, problem.M, halves_.for_u.lines_at_once) {
    restart();
  }

  void restart() {
    potentials_.restart();
    take(potentials_.log_u, halves_.for_v, u_);
    take(potentials_.log_v, halves_.for_u, v_);
    halves_.for_v.restart();
    halves_.for_u.restart();
  }

  void iterate() {
    potentials_.remember();
    auto &for_v = halves_.for_v, &for_u = halves_.for_u;
    // In symmetric order log u comes from log v as it was.
    Fields<Real>& v_next = p_.symmetric ? v_next_ : v_;
    std::size_t of_v = 0, of_u = 0;
#pragma omp parallel reduction(+ : of_v, of_u) if (p_.B * p_.M * p_.N >= worth_a_team)
    {
      of_v += half_step(for_v, u_, of_v_, p_.log_nu, potentials_.log_v, for_u, v_, v_next);
#pragma omp barrier
      of_u += half_step(for_u, v_, of_u_, p_.log_mu, potentials_.log_u, for_v, u_, u_);
    }
    if (p_.symmetric) std::swap(v_, v_next_);
    for_v.added_up(of_v);
    for_u.added_up(of_u);
    again_ += of_v + of_u;
    sums_ += p_.B * (p_.M + p_.N);
  }

  Change change() const { return potentials_.change(); }
  void finish(Result<Real>& out) {
    write_result(out, p_, potentials_.log_u.data(), potentials_.log_v.data());
  }

 protected:
  /// Of the sums since the start; nothing before an iteration.
  std::optional<double> share_made_again() const {
    if (sums_ == 0) return std::nullopt;
    return static_cast<double>(again_) / static_cast<double>(sums_);
  }

 private:
  static std::size_t threads() { return static_cast<std::size_t>(omp_get_max_threads()); }

  /// From potentials in base e; `half` sums over them.
  template <class Half>
  void take(const Buffer<Real>& logs, const Half& half, Fields<Real>& to) {
#pragma omp parallel for schedule(static)
    for (std::size_t b = 0; b < p_.B; ++b)
      for (std::size_t i = 0; i < to.lines; i += W) {
        const std::size_t there = std::min(W, to.lines - i);
        const P field = to_base2<Real> * load_part(&logs[b * to.lines + i], there, none) - half.squares(i);
        store_part(field, there, &to.logs[b * to.padded + i]);
      }
  }

  /// Sums over `from`, and then the fields `next`, which were `now`; `other` sums over them.
  template <class Half, class Other>
  std::size_t half_step(Half& half, const Fields<Real>& from, Sums<Real>& to, std::span<const Real> log_mass,
                        Buffer<Real>& logs, const Other& other, const Fields<Real>& now,
                        Fields<Real>& next) const {
    constexpr std::size_t items = Half::items_at_once;
    const Blocks mine(to.lines, Half::lines_at_once, (p_.B + items - 1) / items);
    const std::size_t again = half.add_up(mine, from, to);
    Real* const rises =
        next.rises.data() + static_cast<std::size_t>(omp_get_thread_num()) * next.padded_items;
    for (std::size_t b = 0; b < p_.B; ++b) {
      const auto [first, end] = mine.lines_of(b / items);
      // Sums of lines that pad a block of 8 are there, too.
      const std::size_t last = std::min(end, padded_lines(to.lines, 8));
      P rise = none;
      for (std::size_t j = first; j < last; j += W) {
        const std::size_t whole = std::min(W, last - j),
                          there = std::min(whole, to.lines - std::min(j, to.lines));
        Real* const most = &to.most[b * to.padded + j];
        const P lse = load_part(most, whole, Real(0)) +
                      fast_log2(load_part(&to.sums[b * to.padded + j], whole, Real(1)));
        store_part(lse, whole, most);
        const P mass = load_part(log_mass.data() + b * to.lines + j, there, none);
        P log = mass - Real(std::numbers::ln2) * (lse - half.offset(j));
        Real* const log_to = &logs[b * to.lines + j];
        if (p_.symmetric) log = (load_part(log_to, there, none) + log) / 2;
        where(mass == none, log) = none;
        store_part(log, there, log_to);
        const P field = to_base2<Real> * log - other.squares(j);
        P moved = field - load_part(now.of(b) + j, there, none);
        where(field == none, moved) = none;
        rise = max(rise, moved);
        store_part(field, there, &next.logs[b * next.padded + j]);
      }
      rises[b] = hmax(rise);
    }
    return again;
  }

  const Problem<Real>& p_;
  Halves halves_;
  Potentials<Real> potentials_;
  Fields<Real> u_, v_, v_next_;
  Sums<Real> of_v_, of_u_;
  std::size_t again_ = 0, sums_ = 0;
};

/// Elements of private memory other than the costs.
inline double half_steps_elements(const Point& at, std::size_t at_once = 16) {
  const auto lines = [&](const char* axis) {
    return static_cast<double>(padded_lines(at.size(axis)) + 2 * padded_lines(at.size(axis), at_once));
  };
  return at.number("B") * (lines("M") + lines("N"));
}

}  // namespace uotbench::sinkhorn_log
