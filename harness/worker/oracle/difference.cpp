#include "harness/worker/oracle/difference.hpp"

#include <fmt/format.h>

#include <limits>
#include <tuple>

namespace uotbench {
namespace {

/// 10,000
std::string grouped(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t place = text.size(); place > 3;) text.insert(place -= 3, 1, ',');
  return text;
}

/// Two numbers with as many digits as it takes to see that they differ.
std::pair<std::string, std::string> told_apart(double one, double other, int digits) {
  for (;; ++digits) {
    auto texts = std::pair(fmt::format("{:.{}g}", one, digits), fmt::format("{:.{}g}", other, digits));
    if (texts.first != texts.second || digits == std::numeric_limits<double>::max_digits10) return texts;
  }
}

/// nan, inf or -inf: the sign of a NaN tells nobody anything.
std::string not_a_number(double value) { return std::isnan(value) ? "nan" : fmt::format("{}", value); }

}  // namespace

void FaultyCells::add(const Extent& extent, std::size_t at_row, std::size_t at_column, double is,
                      double should) {
  if (count() == 0 || std::tie(at_row, at_column) < std::tie(row, column))
    std::tie(row, column, got, want) = std::tie(at_row, at_column, is, should);
  if (count() == 0) places = WrongPlaces(extent.rows, extent.columns);
  places.add(at_row, at_column);
}

void FaultyCells::merge(const FaultyCells& other) {
  if (other.count() == 0) return;
  if (count() == 0 || std::tie(other.row, other.column) < std::tie(row, column))
    std::tie(row, column, got, want) = std::tie(other.row, other.column, other.got, other.want);
  places.merge(other.places);
}

double Difference::error() const {
  if (untouched_.count() + not_finite_.count() > 0 || !std::isfinite(distance_))
    return std::numeric_limits<double>::infinity();
  if (distance_ == 0) return 0;
  return distance_ / magnitude_;
}

std::string Difference::reason() const {
  if (untouched_.count() == extent_.cells())
    return fmt::format("outputs untouched: nothing was written to {}", extent_.name);
  if (untouched_.count() > 0) return told("untouched", untouched_, "was never written");
  if (not_finite_.count() > 0) return told("not finite", not_finite_, "is " + not_a_number(not_finite_.got));
  if (wrong_.count() > 0) {
    const auto [got, want] = told_apart(wrong_.got, wrong_.want, 4);
    return told("wrong", wrong_, fmt::format("got {}, want {}", got, want));
  }
  if (error() <= tolerance_) return "";
  const auto [error, tolerance] = told_apart(this->error(), tolerance_, 2);
  return fmt::format("wrong: error {} is over the tolerance {}, spread over {}{}", error, tolerance,
                     extent_.vector ? "" : "the ", extent_.name);
}

std::string Difference::told(const char* fault, const FaultyCells& cells, const std::string& what) const {
  const std::string total = grouped(extent_.cells()), where = whereabouts(cells);
  if (extent_.vector)
    return fmt::format(
        "{}: {}[{}] {}{}{}", fault, extent_.name, cells.column, what,
        cells.count() == 1 ? "" : fmt::format("; {} of {} cells", grouped(cells.count()), total),
        where.empty() ? "" : ", " + where);
  return fmt::format("{}: {} of {} cells, {}; first {}[{},{}] {}", fault, grouped(cells.count()), total,
                     where, extent_.name, cells.row, cells.column, what);
}

/// Their pattern. Where there is none, of a matrix the rows or the columns that hold them all, whichever says
/// more.
std::string Difference::whereabouts(const FaultyCells& cells) const {
  if (std::string pattern = pattern_of(cells.places, extent_.threads); !pattern.empty() || extent_.vector)
    return pattern;
  const auto range = [](const char* what, const std::vector<std::size_t>& by) {
    const auto some = [](std::size_t count) { return count > 0; };
    const auto first = std::ranges::find_if(by, some) - by.begin();
    const auto last = by.rend() - std::ranges::find_if(by.rbegin(), by.rend(), some) - 1;
    return std::pair(
        static_cast<double>(last - first + 1) / static_cast<double>(by.size()),
        first == last ? fmt::format("{} {}", what, first) : fmt::format("{}s {}-{}", what, first, last));
  };
  const auto rows = range("row", cells.places.by_row), columns = range("column", cells.places.by_column);
  if (std::min(rows.first, columns.first) == 1) return fmt::format("spread over the {}", extent_.name);
  return "all in " + (rows.first <= columns.first ? rows : columns).second;
}

}  // namespace uotbench
