#include "harness/trace/warps/log.hpp"

namespace uotbench::trace {

Entry* WarpSites::find(std::uint64_t key) {
  for (std::size_t i = slot(key);; i = (i + 1) % slots) {
    Entry& entry = entries_[i];
    if (entry.key == key) return &entry;
    if (entry.key != 0) continue;
    if (used_.size() == most) return nullptr;
    used_.push_back(&entry);
    entry = {.key = key, .begin = ~std::uint64_t{0}};
    return &entry;
  }
}

SiteNumber WarpSites::add(Site site) {
  if (sites_.size() == most) return 0;
  sites_.push_back(std::move(site));
  return static_cast<SiteNumber>(sites_.size() - 1);
}

void WarpSites::clear() {
  for (Entry* entry : used_) *entry = {};
  used_.clear();
  sites_.assign(1, {});  // no event has the number of the start
}

}  // namespace uotbench::trace
