// Values by name in the order in which they were added: a JSON object whose members are of one type.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace uotbench {

template <class T>
class Named {
 public:
  using value_type = std::pair<std::string, T>;
  using const_iterator = typename std::vector<value_type>::const_iterator;

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  const_iterator begin() const { return all_.begin(); }
  const_iterator end() const { return all_.end(); }
  auto begin() { return all_.begin(); }
  auto end() { return all_.end(); }

  /// Null: there is none of this name.
  const T* find(std::string_view name) const {
    const auto found = std::ranges::find(all_, name, &value_type::first);
    return found == all_.end() ? nullptr : &found->second;
  }
  bool contains(std::string_view name) const { return find(name); }
  /// Adds a default-constructed value if there is none.
  T& operator[](std::string_view name) {
    const auto found = std::ranges::find(all_, name, &value_type::first);
    return found == all_.end() ? all_.emplace_back(name, T()).second : found->second;
  }

  /// The order counts.
  bool operator==(const Named&) const = default;

 private:
  std::vector<value_type> all_;
};

}  // namespace uotbench
