#include "harness/worker/arrays.hpp"

#include <unistd.h>

namespace uotbench {

bool Arrays::has(const std::string& name) const { return ::access(path_of(name).c_str(), F_OK) == 0; }

NpyArray& Arrays::operator[](const std::string& name) {
  const auto found = open_.find(name);
  if (found != open_.end()) return found->second;
  return open_.emplace(name, NpyArray::open(path_of(name), writable_)).first->second;
}

}  // namespace uotbench
