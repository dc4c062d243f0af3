// Kernels over processes of which one misbehaves, the last: how their cases end is known, and whom they name.
#include <csignal>
#include <new>
#include <stdexcept>

#include "kernels/uot/timed/ranks/over_ranks.hpp"

namespace uotbench::uot {
namespace {

/// Right, but for what `last` does in the last process before it exchanges anything.
template <class Real, void (*last)()>
class Fault {
 public:
  explicit Fault(const RankProblem<Real>& problem)
      : problem_(problem), u_(problem.mine.M, 1), v_(problem.mine.N, 1), sums_(problem.mine.N) {}

  void iterate() {
    const Problem<Real>& p = problem_.mine;
    if (my_rank() == rank_count() - 1) last();
    std::ranges::fill(sums_, Real(0));
    for (std::size_t i = 0; i < p.M; ++i) {
      Real sum = 0;
      for (std::size_t j = 0; j < p.N; ++j) sum += p.row(i)[j] * v_[j];
      u_[i] = next_scaling(u_[i], p.a[i], sum, p);
      for (std::size_t j = 0; j < p.N; ++j) sums_[j] += p.row(i)[j] * u_[i];
    }
    add_up(sums_.data(), p.N);
    for (std::size_t j = 0; j < p.N; ++j) v_[j] = next_scaling(v_[j], p.b[j], sums_[j], p);
  }

  void finish(RankResult<Real>& out) { out.write(problem_, u_, v_); }

 private:
  const RankProblem<Real>& problem_;
  std::vector<Real> u_, v_, sums_;
};

void nothing() {}
void crash() { ::raise(SIGSEGV); }
void end() { ::raise(SIGTERM); }
void hang() {
  const volatile bool forever = true;
  while (forever) continue;
}
void gobble() { throw std::bad_alloc(); }
/// So much that whoever watches the machine's memory has to end it.
void eat() {
  std::vector<char> held;
  held.reserve(2u << 30);  // grown in place
  for (std::size_t bytes = 64 << 20; bytes <= (2u << 30); bytes += 64 << 20) held.resize(bytes, 1);
  hang();
}
void complain() { throw std::runtime_error("tile 3 does not fit"); }

template <void (*last)()>
using Variants = RankVariant<Fault<float, last>, Fault<double, last>>;

const Variants<nothing> fine{{.name = "uot/ranks_fine", .summary = "right", .phases = {exchange}}};
const Variants<crash> crashes{
    {.name = "uot/ranks_crash", .summary = "the last process crashes", .phases = {exchange}}};
const Variants<end> ends{
    {.name = "uot/ranks_end", .summary = "the last process is asked to end", .phases = {exchange}}};
const Variants<hang> hangs{
    {.name = "uot/ranks_hang", .summary = "it computes for ever", .phases = {exchange}}};
const Variants<gobble> gobbles{
    {.name = "uot/ranks_gobble", .summary = "it gets no memory", .phases = {exchange}}};
const Variants<eat> eats{{.name = "uot/ranks_eat", .summary = "it takes all memory", .phases = {exchange}}};
const Variants<complain> complains{{.name = "uot/ranks_throw", .summary = "it throws", .phases = {exchange}}};

}  // namespace
}  // namespace uotbench::uot
