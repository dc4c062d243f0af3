#include "harness/worker/oracle/family.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "harness/worker/parallel.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {
std::vector<const Family*>& registry() {
  static std::vector<const Family*> all;
  return all;
}
constexpr int poison_byte = 0xFF;

Point at_sizes(const FamilySpec& spec, const std::array<int, 4>& sizes) {
  Point point;
  std::size_t next = 0;
  for (const auto& axis : spec.axes)
    if (axis.role == Role::size) point.set(axis.name, sizes[next++ % sizes.size()]);
  return point;
}

void require_known_axes(const FamilySpec& spec) {
  for (const auto& point : spec.checked)
    for (const auto& [name, value] : point.values())
      if (std::ranges::find(spec.axes, name, &Axis::name) == spec.axes.end())
        throw Error(fmt::format("family {}: checked at {}, which is no axis of it", spec.name, name));
}
}  // namespace

Family::Family(FamilySpec spec) : spec_(std::move(spec)) {
  for (auto& axis : spec_.axes)
    if (axis.role != Role::size) axis.role = Role::problem;
  if (spec_.checked.empty())
    spec_.checked = {at_sizes(spec_, {37, 53, 29, 41}), at_sizes(spec_, {1, 7, 3, 2})};
  require_known_axes(spec_);
  registry().push_back(this);
}

Point Family::problem_of(const Point& point) const {
  Point problem;
  for (const auto& axis : spec_.axes) problem.set(axis.name, point.value(axis.name));
  return problem;
}

const std::vector<const Family*>& families() { return registry(); }

void poison(const Family& family, const Point& point, const std::filesystem::path& folder) {
  for (const auto& spec : family.outputs(point)) {
    auto array = NpyArray::create(folder / (spec.name + ".npy"), spec.type, spec.shape);
    const auto bytes = array.bytes();
#pragma omp parallel if (bytes.size() > worth_a_team)
    {
      const auto [from, to] = share(bytes.size(), omp_get_thread_num(), omp_get_num_threads());
      std::memset(bytes.data() + from, poison_byte, to - from);
    }
  }
}

bool is_untouched(NpyArray& array) {
  return std::ranges::all_of(array.bytes(),
                             [](std::byte b) { return b == static_cast<std::byte>(poison_byte); });
}

}  // namespace uotbench
