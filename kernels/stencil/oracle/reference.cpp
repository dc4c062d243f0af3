#include "kernels/stencil/oracle/reference.hpp"

#include <utility>

#include "harness/worker/parallel.hpp"

namespace uotbench::stencil {
namespace {

template <class Real>
Numbers<double> widened(const Point& point) {
  const auto n = numbers_of<Real>(point);
  return {.a = n.a,
          .r = n.r,
          .dt_dx = n.dt_dx,
          .dt_dy = n.dt_dy,
          .nu_dx = n.nu_dx,
          .nu_dy = n.nu_dy,
          .c2_dx = n.c2_dx,
          .c2_dy = n.c2_dy,
          .terms = n.terms};
}

}  // namespace

Numbers<double> numbers_as(const Point& point) {
  return point.text("dtype") == "f64" ? widened<double>(point) : widened<float>(point);
}

Field heat(std::size_t nx, std::size_t ny, double r, Field T, std::int64_t steps) {
  Field next = T;
  for (std::int64_t step = 0; step < steps; ++step) {
    if (nx == 1) {
      for (std::size_t j = 1; j + 1 < ny; ++j) next[j] = T[j] + r * (T[j + 1] - 2 * T[j] + T[j - 1]);
    } else {
#pragma omp parallel for schedule(static) if (nx * ny >= worth_a_team)
      for (std::size_t i = 1; i < nx - 1; ++i)
        for (std::size_t k = i * ny + 1; k < (i + 1) * ny - 1; ++k)
          next[k] = T[k] + r * (T[k + ny] + T[k - ny] + T[k + 1] + T[k - 1] - 4 * T[k]);
    }
    std::swap(T, next);
  }
  return T;
}

void Cavity::predict(const Flow& from, Flow& to) const {
  const std::size_t e = ny_;
  const Field &U = from.U, &V = from.V, &P = from.P;
#pragma omp parallel for schedule(static) if (nx_ * ny_ >= worth_a_team)
  for (std::size_t i = 1; i < nx_ - 1; ++i)
    for (std::size_t k = i * ny_ + 1; k < (i + 1) * ny_ - 1; ++k) {
      to.U[k] = U[k] - n_.dt_dx * (U[k] * (U[k + e] - U[k]) + P[k + e] - P[k]) -
                n_.dt_dy * V[k] * (U[k + 1] - U[k]) + n_.nu_dx * (U[k + e] - 2 * U[k] + U[k - e]) +
                n_.nu_dy * (U[k + 1] - 2 * U[k] + U[k - 1]);
      to.V[k] = V[k] - n_.dt_dx * U[k] * (V[k + e] - V[k]) -
                n_.dt_dy * (V[k] * (V[k + 1] - V[k]) + P[k + 1] - P[k]) +
                n_.nu_dx * (V[k + e] - 2 * V[k] + V[k - e]) + n_.nu_dy * (V[k + 1] - 2 * V[k] + V[k - 1]);
      to.P[k] = P[k] - n_.c2_dx * (U[k + e] - U[k]) - n_.c2_dy * (V[k + 1] - V[k]);
    }
  close(to.P);
}

void Cavity::correct(const Flow& provisional, Flow& flow) const {
  const std::size_t w = ny_;
  const Field &U = provisional.U, &V = provisional.V, &P = provisional.P;
#pragma omp parallel for schedule(static) if (nx_ * ny_ >= worth_a_team)
  for (std::size_t i = 1; i < nx_ - 1; ++i)
    for (std::size_t k = i * ny_ + 1; k < (i + 1) * ny_ - 1; ++k) {
      const double next_U = U[k] - n_.dt_dx * (U[k] * (U[k] - U[k - w]) + P[k] - P[k - w]) -
                            n_.dt_dy * V[k] * (U[k] - U[k - 1]) +
                            n_.nu_dx * (U[k + w] - 2 * U[k] + U[k - w]) +
                            n_.nu_dy * (U[k + 1] - 2 * U[k] + U[k - 1]);
      const double next_V = V[k] - n_.dt_dx * U[k] * (V[k] - V[k - w]) -
                            n_.dt_dy * (V[k] * (V[k] - V[k - 1]) + P[k] - P[k - 1]) +
                            n_.nu_dx * (V[k + w] - 2 * V[k] + V[k - w]) +
                            n_.nu_dy * (V[k + 1] - 2 * V[k] + V[k - 1]);
      const double next_P = P[k] - n_.c2_dx * (U[k] - U[k - w]) - n_.c2_dy * (V[k] - V[k - 1]);
      flow.U[k] = (flow.U[k] + next_U) / 2;
      flow.V[k] = (flow.V[k] + next_V) / 2;
      flow.P[k] = (flow.P[k] + next_P) / 2;
    }
  close(flow.P);
}

void Cavity::step(Flow& flow, Flow& provisional) const {
  predict(flow, provisional);
  correct(provisional, flow);
}

void Cavity::close(Field& P) const {
  for (std::size_t i = 1; i < nx_ - 1; ++i) {
    P[i * ny_] = P[i * ny_ + 1];
    P[(i + 1) * ny_ - 1] = P[(i + 1) * ny_ - 2];
  }
  for (std::size_t j = 0; j < ny_; ++j) {
    P[j] = P[ny_ + j];
    P[(nx_ - 1) * ny_ + j] = P[(nx_ - 2) * ny_ + j];
  }
}

std::vector<Field> after(const Point& point, std::vector<Field> inputs, std::int64_t steps) {
  const std::string model = point.text("model");
  const std::size_t nx = point.size("nx"), ny = point.size("ny");
  const Numbers<double> n = numbers_as(point);
  if (model.starts_with("heat")) return {heat(nx, ny, n.r, std::move(inputs[0]), steps)};
  if (model == "axpy") {
    for (std::size_t k = 0; k < inputs[1].size(); ++k)
      inputs[1][k] += static_cast<double>(steps) * n.a * inputs[0][k];
    return {std::move(inputs[1])};
  }
  const Cavity cavity(nx, ny, n);
  Flow flow{std::move(inputs[0]), std::move(inputs[1]), std::move(inputs[2])}, provisional = flow;
  if (model == "predictor") {
    cavity.predict(flow, provisional);
    return {std::move(provisional.U), std::move(provisional.V), std::move(provisional.P)};
  }
  if (model == "corrector") provisional = {inputs[3], inputs[4], inputs[5]};
  for (std::int64_t step = 0; step < steps; ++step)
    model == "corrector" ? cavity.correct(provisional, flow) : cavity.step(flow, provisional);
  return {std::move(flow.U), std::move(flow.V), std::move(flow.P)};
}

}  // namespace uotbench::stencil
