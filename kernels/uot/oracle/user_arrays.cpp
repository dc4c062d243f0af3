#include "kernels/uot/oracle/user_arrays.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "harness/protocol/npy.hpp"
#include "harness/worker/parallel.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

namespace fs = std::filesystem;
using Shape = std::vector<std::size_t>;

/// (40, 50), (40,): as NumPy prints it.
std::string shape_text(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

/// One of the user's arrays, its header checked.
struct UserArray {
  std::string name;  ///< a
  std::string file;  ///< /data/a.npy
  NpyArray array;

  UserArray(const fs::path& folder, const std::string& its_name, const Shape& shape, const std::string& sizes)
      : name(its_name), file((folder / (name + ".npy")).string()), array(NpyArray::open(file)) {
    if (array.type() != "<f4" && array.type() != "<f8")
      throw Error(
          fmt::format("{}: elements of type {}; f32 (<f4) or f64 (<f8) would be right", file, array.type()));
    if (array.shape() != shape)
      throw Error(fmt::format("{}: shape {}; {} would be right for {}", file, shape_text(array.shape()),
                              shape_text(shape), sizes));
  }

  double operator[](std::size_t index) const {
    return array.type() == "<f4" ? static_cast<double>(array.as<float>()[index]) : array.as<double>()[index];
  }
  /// K[3,4], a[3]
  std::string cell(std::size_t index) const {
    if (array.shape().size() == 1) return fmt::format("{}[{}]", name, index);
    return fmt::format("{}[{},{}]", name, index / array.shape()[1], index % array.shape()[1]);
  }
};

struct UserArrays {
  explicit UserArrays(const Point& point)
      : folder(checked_folder(point.text("path"))),
        sizes(fmt::format("M={}, N={}", point.size("M"), point.size("N"))),
        from_cost(has_cost(folder)),
        matrix(folder, from_cost ? "C" : "K", {point.size("M"), point.size("N")}, sizes),
        a(folder, "a", {point.size("M")}, sizes),
        b(folder, "b", {point.size("N")}, sizes) {}

  static fs::path checked_folder(const fs::path& folder) {
    if (folder.empty())
      throw Error("data=npy needs path: the folder that holds a.npy, b.npy and one of K.npy and C.npy");
    if (!fs::is_directory(folder)) throw Error(fmt::format("path: {} is not a folder", folder.string()));
    return folder;
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

/// Writes converted(from[i], i), rounded, to each cell; throws Error for the first that is unusable.
template <class Real, class Convert>
void convert(const UserArray& from, std::span<Real> to, bool signed_values, const Convert& converted) {
  std::size_t bad = to.size();
#pragma omp parallel for schedule(static) reduction(min : bad) if (to.size() >= worth_a_team)
  for (std::size_t i = 0; i < to.size(); ++i) {
    const double value = from[i];
    to[i] = static_cast<Real>(converted(value, i));
    if (!std::isfinite(value) || !std::isfinite(to[i]) || (value < 0 && !signed_values))
      bad = std::min(bad, i);
  }
  if (bad == to.size()) return;
  const double value = from[bad];
  const auto fail = [&](const std::string& why) {
    const std::string text = std::isnan(value) ? "nan" : fmt::format("{}", value);
    throw Error(fmt::format("{}: {} is {}{}", from.file, from.cell(bad), text, why));
  };
  if (!std::isfinite(value)) fail("; a finite number would be right");
  if (value < 0 && !signed_values) fail("; it cannot be negative");
  const char* dtype = sizeof(Real) == 4 ? "f32" : "f64";
  if (value < 0) fail(fmt::format(": exp(-C/reg) overflows in {}; add a constant to all costs", dtype));
  fail(fmt::format(", more than {} holds; dtype=f64 would be right", dtype));
}

template <class Real>
void read_masses(const UserArray& from, double factor, std::span<Real> to) {
  convert(from, to, false, [&](double mass, std::size_t) { return factor * mass; });
  if (std::ranges::all_of(to, [](Real mass) { return mass == 0; }))
    throw Error(fmt::format("{}: every cell of {} is 0; some mass would be right", from.file, from.name));
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
    convert(user.matrix, inputs.C, true, [](double cost, std::size_t) { return cost; });
    const auto gibbs = [&, reg = point.number("reg")](double cost, std::size_t at) {
      if (!inputs.C.empty()) cost = static_cast<double>(inputs.C[at]);
      const double reference = inputs.kl ? static_cast<double>(inputs.a[at / inputs.N]) *
                                               static_cast<double>(inputs.b[at % inputs.N])
                                         : 1;
      return reference * std::exp(-cost / reg);
    };
    convert(user.matrix, inputs.K, true, gibbs);
  } else {
    convert(user.matrix, inputs.K, false, [](double value, std::size_t) { return value; });
  }
}

template void read_user_arrays(const Point&, Inputs<float>&);
template void read_user_arrays(const Point&, Inputs<double>&);

}  // namespace uotbench::uot
