#include "harness/worker/oracle/family.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "harness/worker/parallel.hpp"

namespace uotbench {
namespace {
std::vector<const Family*>& registry() {
  static std::vector<const Family*> all;
  return all;
}
constexpr int poison_byte = 0xFF;
}  // namespace

Family::Family(FamilySpec spec) : spec_(std::move(spec)) {
  for (auto& axis : spec_.axes)
    if (axis.role != Role::size) axis.role = Role::problem;
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
