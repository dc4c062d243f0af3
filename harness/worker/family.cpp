#include "harness/worker/family.hpp"

#include <algorithm>
#include <cstring>

namespace uotbench {
namespace {
std::vector<const Family*>& registry() {
  static std::vector<const Family*> all;
  return all;
}
constexpr int poison_byte = 0xFF;
}  // namespace

Family::Family(FamilySpec spec) : spec_(std::move(spec)) { registry().push_back(this); }

const std::vector<const Family*>& families() { return registry(); }

void poison(const Family& family, const Point& point, const std::filesystem::path& folder) {
  for (const auto& spec : family.outputs(point)) {
    auto array = NpyArray::create(folder / (spec.name + ".npy"), spec.type, spec.shape);
    std::memset(array.bytes().data(), poison_byte, array.bytes().size());
  }
}

bool is_untouched(NpyArray& array) {
  return std::ranges::all_of(array.bytes(),
                             [](std::byte b) { return b == static_cast<std::byte>(poison_byte); });
}

}  // namespace uotbench
