// A simulated predictor of conditional branches: TAGE (Seznec and Michaud, "A case for (partially) TAgged
// GEometric history length branch prediction", JILP 8, 2006).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace uotbench {

/// A table of two-bit counters by branch, and eight tables by branch and history, whose lengths are a
/// geometric series from 4 to 256 outcomes. 38 KiB: a little more than the 32 KiB of CBP-2, the championship
/// that L-TAGE won (Seznec, JILP 9, 2007).
class DirectionPredictor {
 public:
  DirectionPredictor();

  /// Whether it predicts what this branch did; learns it. `branch`: any number of its own.
  bool predicts(std::uint32_t branch, bool taken);
  /// Puts a bit of another event, such as an indirect jump's target, into the history.
  void remember(bool bit);

 private:
  static constexpr std::size_t tables = 8;

  struct Entry {
    std::uint16_t tag = 0;
    std::int8_t counter = 0;  ///< of three bits, -4 to 3; 0 and more: taken
    std::uint8_t useful = 0;  ///< of two bits
    bool taken() const { return counter >= 0; }
    bool is_fresh() const { return useful == 0 && (counter == 0 || counter == -1); }
  };

  /// The history of a length, folded to a number of bits by exclusive or.
  struct Folded {
    std::uint32_t value = 0;
    std::size_t length = 0, bits = 0;
    void push(std::uint32_t newest, std::uint32_t leaves);
  };

  struct Table {
    std::vector<Entry> entries;
    Folded index, tag, other_tag;
  };

  /// What the tables have of a branch.
  struct Found {
    std::size_t counter = 0;                              ///< in counters_
    std::array<std::size_t, tables> places;               ///< in each table
    std::array<std::uint16_t, tables> tags;               ///< that belong there
    std::size_t provider = tables, alternative = tables;  ///< the longest that match; `tables`: none
  };

  Found find(std::uint32_t branch) const;
  Entry& entry(const Found& found, std::size_t table) { return tables_[table].entries[found.places[table]]; }
  void allocate(const Found& found, bool taken);
  void age();
  std::uint32_t random();

  std::vector<std::uint8_t> counters_;  ///< 0 to 3; 2 and more: taken
  std::array<Table, tables> tables_;
  std::array<std::uint8_t, 512> history_{};  ///< a ring of bits
  std::size_t pushed_ = 0;
  int prefers_alternative_ = 0;  ///< -8 to 7; 0 and more: fresh entries are not trusted
  std::uint32_t random_ = 1;
  std::uint32_t predicted_ = 0;
};

}  // namespace uotbench
