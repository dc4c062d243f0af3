#include "harness/worker/oracle/family.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <exception>

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

constexpr std::size_t most_named = 20;

/// Of two items the one to be told of; of equal ones the first, whoever saw it first.
bool is_worse(const ItemsChecked::Worst& a, const ItemsChecked::Worst& b) {
  const double x = std::isnan(a.error) ? INFINITY : a.error, y = std::isnan(b.error) ? INFINITY : b.error;
  return x != y ? x > y : a.index < b.index;
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

Judgement judge_items(std::int64_t count, double tolerance, const std::string& oracle,
                      const std::function<ItemJudged(std::int64_t index)>& judge) {
  ItemsChecked items{.count = count};
  std::pair<std::int64_t, std::string> first{count, ""};  // the first that is wrong, and its fault
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t i = 0; i < count; ++i) try {
      const ItemJudged item = judge(i);
      const bool wrong = !item.fault.empty() || !(item.error <= tolerance);
#pragma omp critical
      {
        const ItemsChecked::Worst it{.index = i, .error = item.error};
        if (!items.worst || is_worse(it, *items.worst)) items.worst = it;
        if (wrong) {
          ++items.wrong;
          items.first.push_back(i);
          if (i < first.first)
            first = {i, item.fault.empty()
                            ? fmt::format("error {:.3g}, at most {:.3g} is right", item.error, tolerance)
                            : item.fault};
        }
      }
    } catch (...) {
#pragma omp critical
      failure = std::current_exception();
    }
  if (failure) std::rethrow_exception(failure);
  std::ranges::sort(items.first);
  items.first.resize(std::min(items.first.size(), most_named));

  Judgement judgement{.check = {.error = items.worst ? items.worst->error : 0,
                                .tolerance = tolerance,
                                .oracle = oracle,
                                .worst = items.worst ? fmt::format("item {}", items.worst->index) : ""},
                      .reason = {}};
  if (items.wrong > 0)
    judgement.reason = fmt::format("wrong: {} of {} items {} wrong: {}{}; item {}: {}", items.wrong, count,
                                   items.wrong == 1 ? "is" : "are", fmt::join(items.first, ", "),
                                   items.wrong > static_cast<std::int64_t>(items.first.size()) ? ", ..." : "",
                                   first.first, first.second);
  judgement.check.items = std::move(items);
  return judgement;
}

}  // namespace uotbench
