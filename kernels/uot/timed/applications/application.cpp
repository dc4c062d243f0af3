// Applications (application.hpp), compiled once a worker. Not in a worker that counts: whoever calls a
// kernel's functions, too, changes what the compiler makes of them, and by that the counts.
#if !defined(UOTBENCH_COUNTED) && !defined(__SANITIZE_THREAD__)
#include "kernels/uot/shared/applications/application.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/worker/parallel.hpp"
#include "harness/worker/phases.hpp"
#include "kernels/common/fast_exp.hpp"
#include "kernels/uot/timed/applications/nearest.hpp"
#include "kernels/uot/timed/applications/png_files.hpp"

namespace uotbench::uot {
namespace {

template <class Real>
class AroundScaling final : public Application<Real> {
 public:
  AroundScaling(const Point& at, Arrays& inputs)
      : data_(at.text("data")),
        M_(at.size("M")),
        N_(at.size("N")),
        kl_(at.text("reg_type") == "kl"),
        scale_(static_cast<Real>(-std::numbers::log2e / at.number("reg"))),
        X_(inputs.given<Real>("X")),
        Y_(inputs.given<Real>("Y")),
        d_(X_.size() / M_),
        labels_(inputs.given<Real>("labels")),
        table_(inputs.given<Real>("table")),
        pixels_(inputs.given<Real>("pixels")),
        palette_(inputs.given<Real>("palette")),
        cells_(M_ * N_),
        by_coordinate_(d_ * N_),
        moved_(d_ * M_),
        nearest_(data_ == "colors"  ? pixels_.size() / 3
                 : data_ == "moons" ? N_
                                    : M_),
        answer_(data_ == "colors"       ? pixels_.size()
                : data_ == "likelihood" ? N_
                                        : nearest_.size()) {
    a = inputs["a"].template as<Real>();
    b = inputs["b"].template as<Real>();
    if (pixels_.empty()) return;
    source_file_ = inputs.given<Real>("source_png");
    target_file_ = inputs.given<Real>("target_png");
    if (!source_file_.empty() || !target_file_.empty()) {
      files_.emplace();
      width_ = inputs["pixels"].shape()[1];
      file_.resize(most_png_bytes(width_, inputs["pixels"].shape()[0]));
    }
    picked_ = inputs["picked"].template as<std::int32_t>();
    chosen_ = inputs["chosen"].template as<std::int32_t>();
    drawn_.resize(3 * M_);
    own_X_.resize(3 * M_);
    own_Y_.resize(3 * N_);
    X_ = own_X_;
    Y_ = own_Y_;
  }

  /// K of the inputs.
  std::span<const Real> kernel() override {
    if (files_) read();
    if (!pixels_.empty()) sample();
    if (table_.empty()) costs();
    const Region region("kernel");
    table_.empty() ? exponentials() : likelihoods();
    return cells_.view();
  }

  /// What the plan is for.
  void use(const Buffer<Real>& plan) override {
    {
      const Region region("map");
      if (!table_.empty()) return agree(plan.data());
      move(plan.data());
      if (data_ == "colors") move_pixels();
      if (data_ == "moons") find_labels();
      if (data_ == "surface") find_matches();
    }
    if (!pixels_.empty()) write();
  }

  std::vector<std::string> finish(Arrays& outputs) const override {
    std::vector<std::string> written;
    for (const char* name : {"moved", "picture", "labelled", "matches", "agreement"}) {
      if (!outputs.has(name)) continue;
      const auto& values = written.empty() && !moved_.empty() ? moved_ : answer_;
      std::ranges::copy(values, outputs[name].template as_mutable<Real>().begin());
      written.emplace_back(name);
    }
    if (outputs.has("png")) {
      const auto file = outputs["png"].template as_mutable<Real>();
      std::ranges::copy(file_, file.begin());
      written.emplace_back("png");
    }
    return written;
  }

 private:
  using Application<Real>::a, Application<Real>::b;

  /// Pictures of files, in place of the levels that others are given.
  void read() {
    const Region region("read");
    const auto levels_of = [&](std::span<const Real> file, std::vector<Real>& levels,
                               std::span<const Real>& all) {
      if (file.empty()) return;
      levels.resize(all.size());
      files_->read(file, levels);
      all = levels;
    };
    levels_of(source_file_, own_pixels_, pixels_);
    levels_of(target_file_, own_palette_, palette_);
  }

  /// Colours from 0 to 1, as floats whatever Real is: the judge's are, too.
  void sample() {
    const Region region("sample");
    const auto colour = [](Real level) {
      return static_cast<Real>(static_cast<float>(static_cast<double>(level) / 255));
    };
    for (std::size_t i = 0; i < M_; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        drawn_[3 * i + c] = pixels_[3 * static_cast<std::size_t>(picked_[i]) + c];
        own_X_[3 * i + c] = colour(drawn_[3 * i + c]);
      }
    for (std::size_t j = 0; j < N_; ++j)
      for (std::size_t c = 0; c < 3; ++c)
        own_Y_[3 * j + c] = colour(palette_[3 * static_cast<std::size_t>(chosen_[j]) + c]);
  }

  /// Squared distances.
  void costs() {
    const Region region("cost");
    for (std::size_t j = 0; j < N_; ++j)
      for (std::size_t c = 0; c < d_; ++c) by_coordinate_[c * N_ + j] = Y_[j * d_ + c];
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < M_; ++i) {
      Real* const row = cells_.data() + i * N_;
      std::fill_n(row, N_, Real(0));
      for (std::size_t c = 0; c < d_; ++c) {
        const Real x = X_[i * d_ + c];
        const Real* const y = by_coordinate_.data() + c * N_;
#pragma omp simd
        for (std::size_t j = 0; j < N_; ++j) row[j] += (x - y[j]) * (x - y[j]);
      }
    }
  }

  /// exp(-C/reg), in the place of C.
  void exponentials() {
    using Pack = std::experimental::native_simd<Real>;
    constexpr std::experimental::element_aligned_tag anywhere;
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < M_; ++i) {
      Real* const row = cells_.data() + i * N_;
      std::size_t j = 0;
      for (; j + Pack::size() <= N_; j += Pack::size())
        exp2_or_zero(Pack(row + j, anywhere) * scale_).copy_to(row + j, anywhere);
      if (j < N_) {
        Real rest[Pack::size()] = {};
        std::copy(row + j, row + N_, rest);
        exp2_or_zero(Pack(rest, anywhere) * scale_).copy_to(rest, anywhere);
        std::copy_n(rest, N_ - j, row + j);
      }
      if (!kl_) continue;
      for (j = 0; j < N_; ++j) row[j] *= a[i] * b[j];
    }
  }

  /// Of each hypothesis, a column, the probabilities of the data. Threads share the columns.
  void likelihoods() {
    std::vector<Real> sums(N_, 0);
    over_columns([&](std::size_t i, std::size_t first, std::size_t last) {
      for (std::size_t j = first; j < last; ++j) sums[j] += table_[i * N_ + j];
    });
    over_columns([&](std::size_t i, std::size_t first, std::size_t last) {
      for (std::size_t j = first; j < last; ++j) cells_[i * N_ + j] = table_[i * N_ + j] / sums[j];
    });
  }

  /// Calls act(i, first, last) for a thread's columns of every row.
  template <class Act>
  void over_columns(Act act) const {
#pragma omp parallel
    {
      const auto [first, last] = share(N_, omp_get_thread_num(), omp_get_num_threads());
      for (std::size_t i = 0; i < M_; ++i) act(i, first, last);
    }
  }

  void move(const Real* plan) {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < M_; ++i) {
      const Real* const row = plan + i * N_;
      Real mass = 0;
#pragma omp simd reduction(+ : mass)
      for (std::size_t j = 0; j < N_; ++j) mass += row[j];
      for (std::size_t c = 0; c < d_; ++c) {
        const Real* const y = by_coordinate_.data() + c * N_;
        Real sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::size_t j = 0; j < N_; ++j) sum += row[j] * y[j];
        moved_[i * d_ + c] = mass > 0 ? sum / mass : X_[i * d_ + c];
      }
    }
  }

  /// In whole levels distances are exact, so that every kernel finds the same pixel.
  void move_pixels() {
    nearest<Real>(pixels_, drawn_, 3, nearest_);
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < nearest_.size(); ++p)
      for (std::size_t c = 0; c < 3; ++c) {
        const std::size_t at = 3 * nearest_[p] + c;
        answer_[3 * p + c] = pixels_[3 * p + c] + 255 * (moved_[at] - X_[at]);
      }
  }

  void find_labels() {
    nearest<Real>(Y_, moved_, d_, nearest_);
    for (std::size_t j = 0; j < N_; ++j) answer_[j] = labels_[nearest_[j]];
  }

  void find_matches() {
    nearest<Real>(moved_, Y_, d_, nearest_);
    std::ranges::transform(nearest_, answer_.begin(), [](std::uint32_t j) { return static_cast<Real>(j); });
  }

  /// Of each hypothesis: how likely a learner comes to it from a datum that a teacher has chosen for it,
  /// sum_i P_ij / c_j P_ij / r_i with the plan's row sums r and column sums c.
  void agree(const Real* plan) {
    std::vector<Real> rows(M_), columns(N_, 0);
    std::ranges::fill(answer_, Real(0));
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < M_; ++i) {
      Real sum = 0;
#pragma omp simd reduction(+ : sum)
      for (std::size_t j = 0; j < N_; ++j) sum += plan[i * N_ + j];
      rows[i] = 1 / sum;
    }
    over_columns([&](std::size_t i, std::size_t first, std::size_t last) {
      for (std::size_t j = first; j < last; ++j) {
        const Real cell = plan[i * N_ + j];
        columns[j] += cell;
        answer_[j] += cell * cell * rows[i];
      }
    });
    for (std::size_t j = 0; j < N_; ++j) answer_[j] /= columns[j];
  }

  /// 8 bits a channel, as a file of the picture has them; and that file, where pictures are files.
  void write() {
    const Region region("write");
#pragma omp parallel for schedule(static)
    for (std::size_t p = 0; p < answer_.size(); ++p)
      answer_[p] = std::round(std::clamp(answer_[p], Real(0), Real(255)));
    if (files_) files_->write(answer_, width_, file_);
  }

  std::string data_;
  std::size_t M_, N_;
  bool kl_;
  Real scale_;
  std::span<const Real> X_, Y_;  ///< M x d, N x d
  std::size_t d_;
  std::span<const Real> labels_, table_;
  std::span<const Real> pixels_, palette_;         ///< levels from 0 to 255
  std::span<const std::int32_t> picked_, chosen_;  ///< which of them are drawn
  std::vector<Real> drawn_, own_X_, own_Y_;
  std::optional<PngFiles> files_;
  std::size_t width_ = 0;
  std::span<const Real> source_file_, target_file_;  ///< a byte in each number
  std::vector<Real> own_pixels_, own_palette_, file_;
  Buffer<Real> cells_;  ///< C, then K
  std::vector<Real> by_coordinate_, moved_;
  std::vector<std::uint32_t> nearest_;
  std::vector<Real> answer_;
};

template <class Real>
std::unique_ptr<Application<Real>> made(const Point& at, Arrays& inputs) {
  return std::make_unique<AroundScaling<Real>>(at, inputs);
}

[[maybe_unused]] const bool registered = [] {
  Application<float>::make = made<float>;
  Application<double>::make = made<double>;
  return true;
}();

}  // namespace
}  // namespace uotbench::uot

#endif
