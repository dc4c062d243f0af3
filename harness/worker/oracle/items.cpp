#include "harness/worker/oracle/items.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <exception>

namespace uotbench {
namespace {

constexpr std::size_t most_named = 20;

/// Of two items the one to be told of; of equal ones the first, whoever saw it first.
bool is_worse(const ItemsChecked::Worst& a, const ItemsChecked::Worst& b) {
  const double x = std::isnan(a.error) ? INFINITY : a.error, y = std::isnan(b.error) ? INFINITY : b.error;
  return x != y ? x > y : a.index < b.index;
}

}  // namespace

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
