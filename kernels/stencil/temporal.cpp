// Several time steps in one pass over memory. Lines are swept in a wavefront: stage l works on a line as soon
// as stage l - 1 has left its neighbours, so that the lines in work stay in a cache. Each thread has a band,
// whose stages shrink by a line each on inner edges; what is left out between two bands, a wedge, is filled
// in then. (Split tiling: Grosser, Cohen, Holewinski, Sadayappan, Verdoolaege, CGO 2014.)
#include <algorithm>
#include <type_traits>

#include "kernels/stencil/timed/stepping.hpp"

namespace uotbench::stencil {
namespace {

std::int64_t depth_at(const Point& at) { return at.integer("depth"); }

/// A whole call's stages, which take turns: even ones read what odd ones write.
template <class Even, class Odd>
struct Wavefront {
  const Even& even;
  const Odd& odd;
  std::size_t stages, lines, bands;

  void line(std::size_t stage, std::size_t line) const {
    stage % 2 == 0 ? compute_line(even, line) : compute_line(odd, line);
  }
  /// Where band b begins; the last one is the end.
  std::size_t edge(std::size_t b) const { return lines * b / bands; }

  void sweep_band(std::size_t b) const {
    const bool open_left = b > 0, open_right = b + 1 < bands;
    const std::size_t first = edge(b), last = edge(b + 1);
    for (std::size_t tick = first; tick < last + stages - 1; ++tick)
      for (std::size_t stage = 0; stage < stages; ++stage) {
        if (tick < stage) break;
        const std::size_t i = tick - stage, off = stage + 1;
        if (i >= first + (open_left ? off : 0) && i + (open_right ? off : 0) < last) line(stage, i);
      }
  }
  /// Between band b and the next: a line more on either side, each stage.
  void fill_wedge(std::size_t b) const {
    for (std::size_t stage = 0; stage < stages; ++stage)
      for (std::size_t i = edge(b + 1) - stage - 1; i < edge(b + 1) + stage + 1; ++i) line(stage, i);
  }
  void run() const {
    const auto count = static_cast<int>(bands);
#pragma omp parallel num_threads(count) if (count > 1)
    {
#pragma omp for schedule(static)
      for (int b = 0; b < count; ++b) sweep_band(static_cast<std::size_t>(b));
#pragma omp for schedule(static)
      for (int b = 0; b < count - 1; ++b) fill_wedge(static_cast<std::size_t>(b));
    }
  }
};

template <class Real>
class Temporal {
 public:
  static constexpr KernelTraits declares{.restarts = true, .lifetime = true};

  explicit Temporal(const Problem<Real>& p)
      : p_(p), own_(p), depth_(static_cast<std::size_t>(depth_at(p.at))) {}

  void restart() { own_.restart(); }
  std::int64_t lifetime() const { return steps_of_a_mode(p_.at); }

  void iterate() {
    std::visit([&](const auto& model) { advance(model); }, p_.model);
    own_.odd = own_.odd != (depth_ % 2 == 1);
  }
  void finish(Result<Real>& out) { own_.finish(out); }

 private:
  template <class Model>
  void advance(const Model& model) {
    if constexpr (Model::steps) {
      if constexpr (std::is_same_v<Model, NavierStokes2d<Real>>) {
        const Predictor<Real> predictor{model.momentum};
        const Corrector<Real> corrector{model.momentum};
        predictor.stages(own_.fields(), false, [&](const auto& even) {
          corrector.stages(own_.fields(), false, [&](const auto& odd) { run(even, odd, 2 * depth_); });
        });
      } else {
        model.stages(own_.fields(), own_.odd, [&](const auto& even) {
          model.stages(own_.fields(), !own_.odd, [&](const auto& odd) { run(even, odd, depth_); });
        });
      }
    }
  }
  template <class Even, class Odd>
  void run(const Even& even, const Odd& odd, std::size_t stages) const {
    const std::size_t lines = even.lines.count, least = 2 * stages;  // or wedges would meet
    const std::size_t threads = even.lines.cells() >= worth_a_team / stages ? p_.team.threads() : 1;
    Wavefront<Even, Odd>{even, odd, stages, lines, std::clamp<std::size_t>(lines / least, 1, threads)}.run();
  }

  const Problem<Real>& p_;
  OwnFields<Real> own_;
  std::size_t depth_;
};

/// A pass over memory: both halves of the fields come and go once, however many steps it makes.
Work temporal_work(const Point& at) {
  Work work = sweep_work(at);
  const double fields = arrays_of(at) / 2 * width(at) * cells_of(at), depth = at.number("depth");
  const bool both = depth > 1 || at.text("model") == "ns2d";
  work.flops *= depth;
  work.bytes_read = fields;
  work.bytes_written = (both ? 2 : 1) * fields;
  work.write_allocate = fields;
  work.element.reset();  // Eq. 11 and 12 are of one sweep
  return work;
}

const Variant<Temporal<float>, Temporal<double>> temporal{
    {
        .name = "stencil/temporal",
        .summary = "`depth` steps in a pass over memory: wavefronts of lines in bands, a band a thread",
        .axes = {{.name = "depth", .standard = 8, .least = 1, .most = 256, .about = "steps of a pass"}},
        .work = temporal_work,
        .steps = depth_at,
    },
    {"heat1d", "heat2d", "ns2d"}};

}  // namespace
}  // namespace uotbench::stencil
