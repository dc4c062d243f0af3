#include "harness/worker/oracle/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/worker/parallel.hpp"

namespace uotbench {
namespace {

/// A pattern that random places make more often is none.
constexpr double by_chance = 1e-6;
/// What loops go in steps of: elements of vectors, and of tiles.
constexpr std::size_t steps_of_loops[]{4, 8, 16, 32, 64};

/// Some rows, or some columns, that hold all of the wrong cells.
struct Part {
  std::string text;         ///< "rows 96-99"; empty: all of them
  double size;              ///< how many rows or columns
  double alternatives = 1;  ///< how many parts of its kind there are
  std::string remark = {};  ///< what else is to be said of it
};

/// log of n over k.
double log_choose(double n, double k) {
  return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
}

std::string range_text(const std::string& what, std::size_t first, std::size_t last) {
  return first == last ? fmt::format("{} {}", what, first) : fmt::format("{}s {}-{}", what, first, last);
}

std::string ordinal(std::size_t n) {
  const std::size_t tens = n % 100 / 10, ones = n % 10;
  return fmt::format("{}{}", n,
                     tens == 1 || ones == 0 || ones > 3 ? "th"
                     : ones == 1                        ? "st"
                     : ones == 2                        ? "nd"
                                                        : "rd");
}

/// The parts of one dimension that hold all of its marked indices.
class Dimension {
 public:
  Dimension(std::string what, const std::vector<std::size_t>& by, int threads)
      : what_(std::move(what)), size_(by.size()), threads_(threads) {
    for (std::size_t i = 0; i < size_; ++i)
      if (by[i] > 0) marked_.push_back(i);
  }

  std::vector<Part> parts() const {
    std::vector<Part> all{{.text = "", .size = static_cast<double>(size_)}};
    if (size_ < 2) return all;
    const auto add = [&](const std::optional<Part>& part) {
      if (part && part->size < static_cast<double>(size_)) all.push_back(*part);
    };
    add(range());
    add(tail());
    add(stride());
    if (threads_ > 1 && static_cast<std::size_t>(threads_) < size_) {
      add(thread_share());
      add(edges("first", [&](int t) { return share(size_, t, threads_).first; }));
      add(edges("last", [&](int t) { return share(size_, t, threads_).second - 1; }));
    }
    return all;
  }

 private:
  std::size_t first() const { return marked_.front(); }
  std::size_t last() const { return marked_.back(); }

  std::optional<Part> range() const {
    const auto n = static_cast<double>(size_);
    return Part{.text = range_text(what_, first(), last()),
                .size = static_cast<double>(last() - first() + 1),
                .alternatives = n * (n + 1) / 2};
  }

  /// What is left past the last whole step of a loop.
  std::optional<Part> tail() const {
    std::optional<Part> found;
    for (const std::size_t step : steps_of_loops) {
      const std::size_t begin = size_ - size_ % step;
      if (begin == size_ || begin == 0 || first() < begin) continue;
      const auto count = static_cast<double>(size_ - begin);
      if (!found || count < found->size)
        found = Part{.text = range_text(what_, begin, size_ - 1),
                     .size = count,
                     .alternatives = std::size(steps_of_loops),
                     .remark = fmt::format("the tail past the last multiple of {}", step)};
    }
    return found;
  }

  std::optional<Part> stride() const {
    if (marked_.size() < 2) return std::nullopt;
    std::size_t step = 0;
    for (std::size_t i = 1; i < marked_.size(); ++i) step = std::gcd(step, marked_[i] - marked_[i - 1]);
    if (step < 2) return std::nullopt;
    const bool whole = first() < step && last() + step >= size_;
    const auto n = static_cast<double>(size_);
    if (marked_.size() == 2)
      return Part{.text = fmt::format("{}s {} and {}", what_, first(), last()),
                  .size = 2,
                  .alternatives = n * (n - 1) / 2};
    return Part{.text = whole ? fmt::format("every {} {}, from {} {}", ordinal(step), what_, what_, first())
                              : fmt::format("every {} {} of {}", ordinal(step), what_,
                                            range_text(what_, first(), last())),
                .size = static_cast<double>((last() - first()) / step + 1),
                .alternatives = n * n * n};  // first, last, step
  }

  std::optional<Part> thread_share() const {
    for (int t = 0; t < threads_; ++t)
      if (const auto [begin, end] = share(size_, t, threads_); begin <= first() && last() < end)
        return Part{.text = range_text(what_, begin, end - 1),
                    .size = static_cast<double>(end - begin),
                    .alternatives = static_cast<double>(threads_),
                    .remark = fmt::format("the share of thread {} of {}", t, threads_)};
    return std::nullopt;
  }

  /// Where threads meet: the first, or the last, of each share.
  template <class At>
  std::optional<Part> edges(const char* end, const At& at) const {
    std::vector<std::size_t> all;
    for (int t = 0; t < threads_; ++t) all.push_back(at(t));
    if (marked_.size() < 2 || !std::ranges::includes(all, marked_)) return std::nullopt;
    return Part{.text = fmt::format("the {} {} of the threads' shares", end, what_),
                .size = static_cast<double>(threads_),
                .alternatives = 2};
  }

  std::string what_;
  std::size_t size_;
  int threads_;
  std::vector<std::size_t> marked_;
};

std::string text_of(const Part& part) {
  return part.remark.empty() ? part.text : fmt::format("{} ({})", part.text, part.remark);
}

std::string text_of_region(const Part& rows, const Part& columns) {
  if (rows.text.empty()) return text_of(columns);
  return columns.text.empty() ? text_of(rows) : fmt::format("{} in {}", text_of(rows), text_of(columns));
}

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

void WrongPlaces::merge(const WrongPlaces& other) {
  if (other.count == 0) return;
  if (count == 0) {
    *this = other;
    return;
  }
  count += other.count;
  std::ranges::transform(by_row, other.by_row, by_row.begin(), std::plus());
  std::ranges::transform(by_column, other.by_column, by_column.begin(), std::plus());
}

std::string pattern_of(const WrongPlaces& wrong, int threads) {
  if (wrong.count == 0) return "";
  const bool vector = wrong.by_row.size() == 1;
  const auto rows = Dimension("row", wrong.by_row, threads).parts();
  const auto columns =
      Dimension(vector ? "element" : "column", wrong.by_column, vector ? threads : 1).parts();
  const auto count = static_cast<double>(wrong.count),
             cells = static_cast<double>(wrong.by_row.size()) * static_cast<double>(wrong.by_column.size());
  double least = std::log(by_chance);
  bool exact = false;
  std::string pattern;
  for (const auto& r : rows)
    for (const auto& c : columns) {
      const double region = r.size * c.size;
      if (region >= cells) continue;
      // At most: that all of them fall into one of the regions of this kind.
      const double chance =
          std::log(r.alternatives * c.alternatives) + log_choose(region, count) - log_choose(cells, count);
      // Nothing says more than all cells of a region.
      const bool all_of_it = region == count;
      if (chance >= std::log(by_chance) || exact > all_of_it || (exact == all_of_it && chance >= least))
        continue;
      least = chance;
      exact = all_of_it;
      pattern = (exact ? "exactly " : "all in ") + text_of_region(r, c);
    }
  return pattern;
}

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
