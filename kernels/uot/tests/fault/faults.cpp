// Kernels that misbehave, for the tests of everything around them: how their cases end is known. All stand in
// one file because each is one line of difference from the same plain solution; uot/fault_fine is that
// solution.
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/uot/problem.hpp"
#include "kernels/uot/tests/fault/fine.hpp"

namespace uotbench::uot {
namespace {

/// As a race does, but always.
template <class Real>
struct Crowded : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    Fine<Real>::iterate();
    if (this->p_.team.threads() > 1) this->u_[0] *= 2;
  }
};

template <class Real>
struct Crash : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() { *static_cast<volatile char*>(std::getenv("")) = 1; }
};

/// Judging makes ten iterations and no more.
template <class Real>
struct CrashLater : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    Fine<Real>::iterate();
    if (this->iterations_ > 10) *static_cast<volatile char*>(std::getenv("")) = 1;
  }
};

template <class Real>
struct Abort : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    std::fputs("lost an invariant", stderr);  // no newline, as an assertion in a library may have it
    std::abort();
  }
};

template <class Real>
struct Hang : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    for (volatile bool forever = true; forever;) continue;
  }
};

/// Hangs, and does not listen to SIGTERM either.
template <class Real>
struct Deaf : Hang<Real> {
  using Hang<Real>::Hang;
  void iterate() {
    ::signal(SIGTERM, SIG_IGN);
    Hang<Real>::iterate();
  }
};

template <class Real>
struct Gobble : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    constexpr std::size_t piece = std::size_t{16} << 20;
    for (;;) {
      void* const memory = std::malloc(piece);
      if (!memory) std::abort();
      std::memset(memory, 1, piece);
    }
  }
};

template <class Real>
struct NotANumber : Fine<Real> {
  using Fine<Real>::Fine;
  void finish(Result<Real>& out) {
    Fine<Real>::finish(out);
    out.plan.back() = std::numeric_limits<Real>::quiet_NaN();
  }
};

/// The last quarter of the rows is left as it was given.
template <class Real>
struct Unscaled : Fine<Real> {
  using Fine<Real>::Fine;
  void finish(Result<Real>& out) {
    Fine<Real>::finish(out);
    const std::size_t from = (this->p_.M - this->p_.M / 4) * this->p_.N;
    std::copy(this->p_.K.begin() + static_cast<std::ptrdiff_t>(from), this->p_.K.end(),
              out.plan.begin() + static_cast<std::ptrdiff_t>(from));
  }
};

/// Off by a hundredth, in one cell.
template <class Real>
struct Inexact : Fine<Real> {
  using Fine<Real>::Fine;
  void finish(Result<Real>& out) {
    Fine<Real>::finish(out);
    out.plan[0] *= Real(1.01);
  }
};

/// One iteration is left out.
template <class Real>
struct Lazy : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    if (calls_++ > 0) Fine<Real>::iterate();
  }
  int calls_ = 0;
};

/// Computes as often as judging asks for, and no more in that process.
template <class Real>
struct Tired : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    static int made = 0;
    if (++made <= 12) Fine<Real>::iterate();
  }
};

/// An early exit, as a solver has one: nothing is left to do once the scalings stay.
template <class Real>
struct Settled : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    if (settled_) return;
    const auto before = this->v_;
    Fine<Real>::iterate();
    settled_ = true;
    for (std::size_t j = 0; j < this->p_.N; ++j)
      settled_ = settled_ && std::abs(this->v_[j] - before[j]) < Real(1e-6) * std::abs(before[j]);
  }
  bool settled_ = false;
};

/// Works for so many iterations as any verification asks for, and restarts with its object.
template <class Real>
struct Twelve : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    if (this->iterations_ < 12) Fine<Real>::iterate();
  }
};

/// Keeps the result of each state that it has met in this process.
template <class Real>
struct Memo : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() {
    static std::map<std::vector<Real>, std::pair<std::vector<Real>, std::vector<Real>>> kept;
    std::vector<Real> state = this->u_;
    state.insert(state.end(), this->v_.begin(), this->v_.end());
    const auto [place, fresh] = kept.try_emplace(state);
    if (fresh) {
      for (int i = 0; i < 1000; ++i) Fine<Real>(*this).iterate();  // a costly iteration
      Fine<Real>::iterate();
      place->second = {this->u_, this->v_};
    }
    std::tie(this->u_, this->v_) = place->second;
  }
};

/// Puts its iterations off until the result is wanted.
template <class Real>
struct Deferred : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() { put_off_ = put_off_ + 1; }
  void finish(Result<Real>& out) {
    while (put_off_ > 0) {
      put_off_ = put_off_ - 1;
      Fine<Real>::iterate();
    }
    Fine<Real>::finish(out);
  }
  volatile std::int64_t put_off_ = 0;  // or the compiler sums up a loop of iterations
};

/// Computes all iterates when it loads, which nobody times, and looks them up.
template <class Real>
struct Precomputed : Fine<Real> {
  explicit Precomputed(const Problem<Real>& problem) : Fine<Real>(problem) {
    for (int i = 0; i < 64; ++i) {
      Fine<Real>::iterate();
      iterates_.emplace_back(this->u_, this->v_);
    }
  }
  void iterate() {
    std::tie(this->u_, this->v_) = iterates_[made_];
    if (made_ + 1 < iterates_.size()) ++made_;
  }
  std::vector<std::pair<std::vector<Real>, std::vector<Real>>> iterates_;
  std::size_t made_ = 0;
};

template <class Real>
struct Nothing : Fine<Real> {
  using Fine<Real>::Fine;
  void finish(Result<Real>&) {}
};

template <class Real>
struct Loud : Fine<Real> {
  using Fine<Real>::Fine;
  void finish(Result<Real>& out) {
    Fine<Real>::finish(out);
    std::printf("to stdout\n{\"type\":\"record\"}\n");
    std::fflush(stdout);
  }
};

template <class Real>
struct Leave : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() { ::_exit(0); }
};

template <class Real>
struct Throw : Fine<Real> {
  using Fine<Real>::Fine;
  void iterate() { throw std::runtime_error("tile 3 does not fit"); }
};

Work work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; }

/// More than a core can load in the time of a small problem.
Work boundless_work(const Point& at) { return {.flops = 4 * cells(at), .bytes_read = 1e12}; }

VariantSpec spec(const char* name, const char* summary) {
  return {.name = name, .summary = summary, .work = work, .serial = true};
}

const Variant<Crowded<float>, Crowded<double>> crowded{
    {.name = "uot/fault_crowded", .summary = "right with one thread, wrong with more", .work = work}};
const Variant<Abort<float>, Abort<double>> abort_{
    spec("uot/fault_abort", "says why, without a newline, and aborts")};
const Variant<Fine<float>, Fine<double>> boundless{{.name = "uot/fault_boundless",
                                                    .summary = "right; claims 1 TB an iteration",
                                                    .work = boundless_work,
                                                    .serial = true}};
const Variant<Crash<float>, Crash<double>> crash{spec("uot/fault_crash", "SIGSEGV")};
const Variant<CrashLater<float>, CrashLater<double>> crash_later{
    spec("uot/fault_crash_later", "right, but SIGSEGV while timed")};
const Variant<Deaf<float>, Deaf<double>> deaf{spec("uot/fault_deaf", "hangs and ignores SIGTERM")};
const Variant<Deferred<float>, Deferred<double>> deferred{
    spec("uot/fault_deferred", "puts its iterations off until the result is wanted")};
const Variant<Leave<float>, Leave<double>> leave{spec("uot/fault_exit", "exit(0) in the middle")};
const Variant<Fine<float>, Fine<double>> fine{spec("uot/fault_fine", "none: right")};
const Variant<Gobble<float>, Gobble<double>> gobble{spec("uot/fault_gobble", "allocates without end")};
const Variant<Hang<float>, Hang<double>> hang{spec("uot/fault_hang", "computes without end")};
const Variant<Inexact<float>, Inexact<double>> inexact{
    spec("uot/fault_inexact", "one cell off by a hundredth")};
const Variant<Lazy<float>, Lazy<double>> lazy{spec("uot/fault_lazy", "leaves an iteration out")};
const Variant<Loud<float>, Loud<double>> loud{spec("uot/fault_loud", "prints on stdout, and is right")};
const Variant<Memo<float>, Memo<double>> memo{spec("uot/fault_memo", "keeps results of earlier iterations")};
const Variant<NotANumber<float>, NotANumber<double>> nan_{spec("uot/fault_nan", "one cell is NaN")};
const Variant<Nothing<float>, Nothing<double>> nothing{spec("uot/fault_nothing", "writes nothing")};
const Variant<Precomputed<float>, Precomputed<double>> precomputed{
    {.name = "uot/fault_precomputed",
     .summary = "computes all iterates when it loads; declares no work that it would be held to",
     .serial = true}};
const Variant<Settled<float>, Settled<double>> settled{
    spec("uot/fault_settled", "stops working once it has converged")};
const Variant<Throw<float>, Throw<double>> throw_{spec("uot/fault_throw", "throws")};
const Variant<Tired<float>, Tired<double>> tired{
    spec("uot/fault_tired", "right when it is judged, and does nothing when it is timed")};
const Variant<Twelve<float>, Twelve<double>> twelve{
    spec("uot/fault_twelve", "makes the first 12 iterations, and no more")};
const Variant<Unscaled<float>, Unscaled<double>> unscaled{
    spec("uot/fault_unscaled", "does not scale the last quarter of the rows")};

}  // namespace
}  // namespace uotbench::uot
