// An array operation a pass, as frameworks without fusion do: every sum and every product of a formula goes
// over whole arrays and leaves a temporary one.
#include <memory>
#include <variant>
#include <vector>

#include "kernels/stencil/timed/stepping.hpp"

namespace uotbench::stencil {
namespace {

/// Temporary arrays, handed out again once nobody holds them.
template <class Real>
class Temporaries {
 public:
  explicit Temporaries(std::size_t cells) : cells_(cells) {}

  std::shared_ptr<Buffer<Real>> take() {
    for (const auto& buffer : buffers_)
      if (buffer.use_count() == 1) return buffer;
    return buffers_.emplace_back(std::make_shared<Buffer<Real>>(cells_));
  }
  /// The most that were held at once.
  std::size_t count() const { return buffers_.size(); }

 private:
  std::size_t cells_;
  std::vector<std::shared_ptr<Buffer<Real>>> buffers_;
};

/// A value at every cell of a stage: a field, perhaps a shifted one, or a temporary array.
template <class Real>
struct Plane {
  const Real* values;
  const Lines* lines;
  Temporaries<Real>* temporaries;
  std::shared_ptr<Buffer<Real>> own = {};

  /// to[k] = value(k) at every cell.
  template <class Value>
  static void fill(Real* to, const Lines& lines, const Value& value) {
#pragma omp parallel for schedule(static) if (lines.cells() >= worth_a_team)
    for (std::size_t line = 0; line < lines.count; ++line) {
      const std::size_t end = lines.end(line);
#pragma omp simd
      for (std::size_t k = lines.begin(line); k < end; ++k) to[k] = value(k);
    }
  }
  template <class Value>
  Plane with(const Value& value) const {
    auto buffer = temporaries->take();
    fill(buffer->data(), *lines, value);
    return {buffer->data(), lines, temporaries, buffer};
  }

  friend Plane operator+(const Plane& a, const Plane& b) {
    return a.with([x = a.values, y = b.values](std::size_t k) { return x[k] + y[k]; });
  }
  friend Plane operator-(const Plane& a, const Plane& b) {
    return a.with([x = a.values, y = b.values](std::size_t k) { return x[k] - y[k]; });
  }
  friend Plane operator*(const Plane& a, const Plane& b) {
    return a.with([x = a.values, y = b.values](std::size_t k) { return x[k] * y[k]; });
  }
  friend Plane operator*(Real a, const Plane& b) {
    return b.with([a, y = b.values](std::size_t k) { return a * y[k]; });
  }
};

template <class Real>
struct AllCells {
  const View<Real>& view;
  const Lines& lines;
  Temporaries<Real>& temporaries;

  Plane<Real> operator()(int f, int di = 0, int dj = 0) const {
    return {view.in[f] + (di * view.row + dj), &lines, &temporaries};
  }
  void put(int f, const Plane<Real>& value) const {
    Plane<Real>::fill(view.out[f], lines, [x = value.values](std::size_t k) { return x[k]; });
  }
};

template <class Real>
class Split {
 public:
  explicit Split(const Problem<Real>& p) : temporaries_(std::make_shared<Temporaries<Real>>(p.nx * p.ny)) {}

  template <class Stage>
  void operator()(const Stage& stage) const {
    stage.formula(AllCells<Real>{stage.view, stage.lines, *temporaries_});
    for (std::size_t line = 0; line < stage.lines.count; ++line) stage.walls.finish(line);
  }

 private:
  std::shared_ptr<Temporaries<Real>> temporaries_;  // shared: schedules are copied
};

/// Temporary arrays that a step fills: those of a step of a small grid.
double temporaries_of(const Point& at) {
  constexpr std::size_t side = 5, cells = side * side;
  std::vector<double> values(6 * cells, 1);
  Fields<double> fields{side, side, {}};
  for (std::size_t f = 0; f < fields.at.size(); ++f) fields.at[f] = values.data() + f * cells;
  Temporaries<double> temporaries(cells);
  const auto take = [&](const auto& stage) {
    stage.formula(AllCells<double>{stage.view, stage.lines, temporaries});
  };
  std::visit([&](const auto& model) { model.stages(fields, false, take); },
             model_of<double>(at.text("model"), numbers_of<double>(at)));
  return static_cast<double>(temporaries.count());
}

/// The next operation reads the temporary arrays again: they are in the working set.
Work cpu_split_work(const Point& at) {
  Work work = split_work(at, Stores::fetch);
  *work.working_set += temporaries_of(at) * width(at) * cells_of(at);
  return work;
}

const Variant<Stepping<float, Split<float>>, Stepping<double, Split<double>>> split{
    {
        .name = "stencil/split",
        .summary = "an array operation a pass, with a temporary array each: what fusion saves",
        .work = cpu_split_work,
    },
    {},
    most_temporaries};

}  // namespace
}  // namespace uotbench::stencil
