// Changes to an input that a broken disk, an old version, a hasty hand or a hostile one would make.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace uotbench::fuzz {

/// The same for the same seed, on every machine.
class Mutation {
 public:
  explicit Mutation(std::uint64_t seed) : random_(seed) {}

  /// One of the corpus, changed in a few places; as text, as lines or as JSON.
  std::string mutated(const std::vector<std::string>& corpus);

 private:
  std::uint64_t below(std::uint64_t bound) { return bound ? random_() % bound : 0; }
  template <class Items>
  const auto& one_of(const Items& items) {
    return *(std::begin(items) + static_cast<std::ptrdiff_t>(below(std::size(items))));
  }
  void change_bytes(std::string& text);
  void change_number(std::string& text);
  void change_lines(std::string& text);
  bool change_json(std::string& text);
  void splice(std::string& text, const std::vector<std::string>& corpus);

  std::mt19937_64 random_;
};

}  // namespace uotbench::fuzz
