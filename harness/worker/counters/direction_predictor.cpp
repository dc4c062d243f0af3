#include "harness/worker/counters/direction_predictor.hpp"

#include <algorithm>
#include <cmath>

namespace uotbench {
namespace {

constexpr std::size_t counter_bits = 14, index_bits = 11, tag_bits = 12, other_tag_bits = 10;
constexpr double shortest_history = 4, longest_history = 256;
/// Conditional branches after which entries lose half of their usefulness.
constexpr std::uint32_t ages_after = 1 << 18;

template <class Number>
void count_on(Number& counter, bool up, int least, int most) {
  counter = static_cast<Number>(std::clamp(counter + (up ? 1 : -1), least, most));
}

/// Neighbouring numbers become numbers that have nothing in common.
std::uint32_t hash_of(std::uint32_t branch, std::size_t table) {
  constexpr std::uint32_t golden = 0x9e3779b1;
  return (branch + 1) * golden + static_cast<std::uint32_t>(table) * 0x85ebca6b;
}

}  // namespace

void DirectionPredictor::Folded::push(std::uint32_t newest, std::uint32_t leaves) {
  value = ((value << 1) | newest) ^ (leaves << (length % bits));
  value = (value ^ (value >> bits)) & ((1u << bits) - 1);
}

DirectionPredictor::DirectionPredictor() : counters_(std::size_t{1} << counter_bits, 1) {
  const double ratio = std::pow(longest_history / shortest_history, 1. / (tables - 1));
  for (std::size_t i = 0; i < tables; ++i) {
    const auto length =
        static_cast<std::size_t>(std::lround(shortest_history * std::pow(ratio, static_cast<double>(i))));
    tables_[i] = {.entries = std::vector<Entry>(std::size_t{1} << index_bits),
                  .index = {.length = length, .bits = index_bits},
                  .tag = {.length = length, .bits = tag_bits},
                  .other_tag = {.length = length, .bits = other_tag_bits}};
  }
}

DirectionPredictor::Found DirectionPredictor::find(std::uint32_t branch) const {
  Found found{.counter = branch % counters_.size(), .places = {}, .tags = {}};
  for (std::size_t i = 0; i < tables; ++i) {
    const Table& table = tables_[i];
    const std::uint32_t hash = hash_of(branch, i);
    found.places[i] = ((hash >> 20) ^ table.index.value) % table.entries.size();
    found.tags[i] = static_cast<std::uint16_t>(
        ((hash >> 4) ^ table.tag.value ^ (table.other_tag.value << 1)) & ((1u << tag_bits) - 1));
  }
  for (std::size_t i = tables; i-- > 0;) {
    if (tables_[i].entries[found.places[i]].tag != found.tags[i]) continue;
    if (found.provider != tables) {
      found.alternative = i;
      break;
    }
    found.provider = i;
  }
  return found;
}

bool DirectionPredictor::predicts(std::uint32_t branch, bool taken) {
  const Found found = find(branch);
  std::uint8_t& counter = counters_[found.counter];
  bool prediction = counter >= 2, provided = prediction;
  if (found.provider == tables) {
    count_on(counter, taken, 0, 3);
  } else {
    Entry& its = entry(found, found.provider);
    const bool alternative =
        found.alternative == tables ? counter >= 2 : entry(found, found.alternative).taken();
    provided = its.taken();
    prediction = its.is_fresh() && prefers_alternative_ >= 0 ? alternative : provided;
    if (provided != alternative) {
      if (its.is_fresh()) count_on(prefers_alternative_, alternative == taken, -8, 7);
      count_on(its.useful, provided == taken, 0, 3);
    }
    count_on(its.counter, taken, -4, 3);
  }
  // A fresh entry that was right needs time, and no other next to it.
  if (prediction != taken && provided != taken) allocate(found, taken);
  if (++predicted_ % ages_after == 0) age();
  remember(taken);
  return prediction == taken;
}

/// An entry in one of the tables of longer histories, more often in one of the shorter of these.
void DirectionPredictor::allocate(const Found& found, bool taken) {
  const std::size_t first = found.provider == tables ? 0 : found.provider + 1;
  std::size_t from = first;
  while (from + 1 < tables && random() % 4 == 0) ++from;
  for (std::size_t i = from; i < tables; ++i)
    if (Entry& free = entry(found, i); free.useful == 0) {
      free = {.tag = found.tags[i], .counter = static_cast<std::int8_t>(taken ? 0 : -1)};
      return;
    }
  for (std::size_t i = first; i < tables; ++i) count_on(entry(found, i).useful, false, 0, 3);
}

void DirectionPredictor::age() {
  for (Table& table : tables_)
    for (Entry& one : table.entries) one.useful /= 2;
}

void DirectionPredictor::remember(bool bit) {
  history_[++pushed_ % history_.size()] = bit;
  for (Table& table : tables_) {
    const std::uint32_t leaves = history_[(pushed_ - table.index.length) % history_.size()];
    for (Folded* folded : {&table.index, &table.tag, &table.other_tag}) folded->push(bit, leaves);
  }
}

/// Marsaglia's xorshift (Journal of Statistical Software 8(14), 2003): the same in each process.
std::uint32_t DirectionPredictor::random() {
  random_ ^= random_ << 13;
  random_ ^= random_ >> 17;
  random_ ^= random_ << 5;
  return random_;
}

}  // namespace uotbench
