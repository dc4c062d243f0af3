#include "results/record/work.hpp"

#include <algorithm>

namespace uotbench {

Work operator*(Work work, double iterations) {
  work.flops *= iterations;
  work.bytes_read *= iterations;
  work.bytes_written *= iterations;
  work.write_allocate *= iterations;
  work.bytes_nontemporal *= iterations;
  if (work.element) work.element->elements *= iterations;
  for (auto& operations : work.operations) operations.count *= iterations;
  return work;
}

Work operator+(Work a, const Work& b) {
  a.flops += b.flops;
  a.bytes_read += b.bytes_read;
  a.bytes_written += b.bytes_written;
  a.write_allocate += b.write_allocate;
  a.bytes_nontemporal += b.bytes_nontemporal;
  if (a.element && b.element) a.element->elements += b.element->elements;
  for (const auto& more : b.operations) {
    const auto same = std::ranges::find(a.operations, more.name, &Operations::name);
    if (same == a.operations.end())
      a.operations.push_back(more);
    else
      same->count += more.count;
  }
  a.repeats = a.repeats && b.repeats;
  return a;
}

}  // namespace uotbench
