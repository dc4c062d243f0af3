#include "kernels/uot/oracle/user_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "kernels/common/oracle/user_arrays.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

namespace fs = std::filesystem;

struct UserArrays {
  explicit UserArrays(const Point& point)
      : folder(checked_folder(point.text("path"))),
        sizes(fmt::format("M={}, N={}", point.size("M"), point.size("N"))),
        from_cost(has_cost(folder)),
        matrix(folder, from_cost ? "C" : "K", {point.size("M"), point.size("N")}, sizes),
        a(folder, "a", {point.size("M")}, sizes),
        b(folder, "b", {point.size("N")}, sizes) {}

  static fs::path checked_folder(const fs::path& folder) {
    return user_folder(folder, "a.npy, b.npy and one of K.npy and C.npy");
  }
  static bool has_cost(const fs::path& folder) {
    const bool kernel = fs::exists(folder / "K.npy"), cost = fs::exists(folder / "C.npy");
    if (kernel == cost)
      throw Error(fmt::format("path: {} holds {} K.npy {} C.npy; exactly one of them would be right",
                              folder.string(), kernel ? "both" : "neither", kernel ? "and" : "nor"));
    return cost;
  }

  fs::path folder;
  std::string sizes;
  bool from_cost;
  UserArray matrix, a, b;
};

template <class Real>
void read_masses(const UserArray& from, double factor, std::span<Real> to) {
  convert(from, to, {}, [&](double mass, std::size_t) { return factor * mass; });
  if (std::ranges::all_of(to, [](Real mass) { return mass == 0; }))
    throw Error(fmt::format("{}: every cell of {} is 0; some mass would be right", from.file(), from.name()));
}

}  // namespace

void require_user_arrays(const Point& point) { UserArrays{point}; }

bool gives_costs(const Point& point) {
  return UserArrays::has_cost(UserArrays::checked_folder(point.text("path")));
}

template <class Real>
void read_user_arrays(const Point& point, Inputs<Real>& inputs) {
  const UserArrays user(point);
  inputs.from_cost = user.from_cost;
  read_masses(user.a, 1, inputs.a);
  read_masses(user.b, inputs.mass_b, inputs.b);
  if (user.from_cost) {
    const UserValues costs{
        .negative = true,
        .overflow = fmt::format(": exp(-C/reg) overflows in {}; add a constant to all costs",
                                sizeof(Real) == 4 ? "f32" : "f64")};
    convert(user.matrix, inputs.C, costs, [](double cost, std::size_t) { return cost; });
    const auto gibbs = [&, reg = point.number("reg")](double cost, std::size_t at) {
      if (!inputs.C.empty()) cost = static_cast<double>(inputs.C[at]);
      const double reference = inputs.kl ? static_cast<double>(inputs.a[at / inputs.N]) *
                                               static_cast<double>(inputs.b[at % inputs.N])
                                         : 1;
      return reference * std::exp(-cost / reg);
    };
    convert(user.matrix, inputs.K, costs, gibbs);
  } else {
    convert(user.matrix, inputs.K, {}, [](double value, std::size_t) { return value; });
  }
}

template void read_user_arrays(const Point&, Inputs<float>&);
template void read_user_arrays(const Point&, Inputs<double>&);

}  // namespace uotbench::uot
