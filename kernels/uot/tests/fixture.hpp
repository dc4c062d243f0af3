// A problem in a folder of its own, and plain ways to solve it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/worker/tests/family_fixture.hpp"
#include "results/base/json.hpp"

namespace uotbench::uot {

namespace fs = std::filesystem;

inline const Family& family() { return family_named("uot"); }

/// The defaults with changes, derived values filled in.
inline Point point(const Json& changes) {
  Json values = defaults_with(family(), changes);
  if (values["fi"].is_null()) values.update(to_json(family().derive(point_from(values))));
  return point_from(values);
}

inline std::vector<double> doubles(const fs::path& file) {
  const auto array = NpyArray::open(file);
  const auto widened = [](const auto& values) { return std::vector<double>(values.begin(), values.end()); };
  return array.type() == "<f4" ? widened(array.as<float>()) : widened(array.as<double>());
}

class UotTest : public testing::Test {
 protected:
  UotTest() : root(fs::temp_directory_path() / ("uot_oracle_" + std::to_string(::getpid()))) {
    for (const auto& folder : {user, in, out}) fs::create_directories(folder);
  }
  ~UotTest() override { fs::remove_all(root); }

  /// Writes a user's problem: K (or whatever `matrix` says), a, b.
  void write_user(std::size_t M, std::size_t N, const std::vector<double>& K, const std::vector<double>& a,
                  const std::vector<double>& b, const std::string& matrix = "K") {
    write(user / (matrix + ".npy"), {M, N}, K);
    write(user / "a.npy", {M}, a);
    write(user / "b.npy", {N}, b);
  }
  Point user_point(std::size_t M, std::size_t N, Json changes = Json::object()) {
    Json values{{"M", M}, {"N", N}, {"data", "npy"}, {"path", user.string()}};
    values.update(changes);
    return point(values);
  }

  void prepare(const Point& at) {
    family().prepare(at, in);
    poison(family(), at, out);
  }
  Judgement judge(const Point& at, std::vector<std::string> outputs = {"plan"}, int iterations = 10,
                  std::optional<double> tolerance = {}) {
    return family().judge(at, in, out, {"uot/test", std::move(outputs), iterations, tolerance});
  }
  /// One cell of an output.
  template <class Real>
  void set(const std::string& name, std::size_t index, double value) {
    NpyArray::open(out / (name + ".npy"), true).as_mutable<Real>()[index] = static_cast<Real>(value);
  }

  const fs::path root, user = root / "user", in = root / "in", out = root / "out";
};

/// The iteration as it is written in POT: u and v apart from K.
struct Scalings {
  std::vector<double> u, v;
};

inline double power(double mass, double sum, double fi) { return mass == 0 ? 0 : std::pow(mass / sum, fi); }

inline Scalings solve_as_pot(const std::vector<double>& K, const std::vector<double>& a,
                             const std::vector<double>& b, double fi, int iterations) {
  const std::size_t M = a.size(), N = b.size();
  std::vector<double> u(M, 1), v(N, 1);
  for (int k = 0; k < iterations; ++k) {
    for (std::size_t i = 0; i < M; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < N; ++j) sum += K[i * N + j] * v[j];
      u[i] = power(a[i], sum, fi);
    }
    for (std::size_t j = 0; j < N; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < M; ++i) sum += K[i * N + j] * u[i];
      v[j] = power(b[j], sum, fi);
    }
  }
  return {u, v};
}

/// The plan scaled in place, row by row and column by column: MAP-UOT's iteration where `damped`; otherwise
/// every line's factor also undoes what the damping left of the last one.
template <class Real>
std::vector<Real> solve_in_place(std::vector<Real> P, const std::vector<double>& a,
                                 const std::vector<double>& b, double fi, bool damped, int iterations) {
  const std::size_t M = a.size(), N = b.size();
  std::vector<double> U(M, 1), V(N, 1);
  const auto rescale = [&](std::size_t first, std::size_t stride, std::size_t count, double mass,
                           double& scaling) {
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += P[first + k * stride];
    double factor = power(mass, sum, fi);
    if (!damped && factor != 0) factor *= std::pow(scaling, fi - 1);
    scaling *= factor;
    for (std::size_t k = 0; k < count; ++k) P[first + k * stride] *= static_cast<Real>(factor);
  };
  for (int k = 0; k < iterations; ++k) {
    for (std::size_t i = 0; i < M; ++i) rescale(i * N, 1, N, a[i], U[i]);
    for (std::size_t j = 0; j < N; ++j) rescale(j, N, M, b[j], V[j]);
  }
  return P;
}

}  // namespace uotbench::uot
