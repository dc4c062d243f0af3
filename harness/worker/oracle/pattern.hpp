// What the places of wrong cells have in common: rows, columns, a block, the tail, a thread's share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace uotbench {

/// Which rows and columns hold how many of the wrong cells; a vector is one row. Adding and merging commute.
struct WrongPlaces {
  WrongPlaces() = default;
  WrongPlaces(std::size_t rows, std::size_t columns) : by_row(rows), by_column(columns) {}

  std::size_t count = 0;
  std::vector<std::size_t> by_row, by_column;

  void add(std::size_t row, std::size_t column) {
    ++count;
    ++by_row[row];
    ++by_column[column];
  }
  void merge(const WrongPlaces& other);
};

/// The region of a known kind that all wrong cells are in and are likeliest to fill, in words: "exactly rows
/// 96-99, the share of thread 24 of 25", "all in every 4th column, from column 3". `threads`: the case's,
/// whose shares of rows, and of a vector's elements, are those of share() in parallel.hpp; 1: there are none.
/// Empty where cells in random places would be in such a region more often than once in a million
/// times.
std::string pattern_of(const WrongPlaces& wrong, int threads);

}  // namespace uotbench
