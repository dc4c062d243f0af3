#include "harness/worker/arrays.hpp"

#include "harness/protocol/memory_folder.hpp"

namespace uotbench {

bool Arrays::has(const std::string& name) const { return open_.contains(name) || has_array(path_of(name)); }

NpyArray& Arrays::operator[](const std::string& name) {
  const auto found = open_.find(name);
  if (found != open_.end()) return found->second;
  return open_.emplace(name, NpyArray::open(path_of(name), writable_)).first->second;
}

}  // namespace uotbench
