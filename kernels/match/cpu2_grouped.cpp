// Rung 2 on a CPU: groups of 256 queries meet groups of 256 candidates, 128 KiB of them, which stay in the
// L2; and as many products at a time as a vector holds. Published: 3064 ms on a Xeon Gold 5118 (N = 16384, D
// = 128), with vectors of 8.
#include "kernels/match/timed/grouped.hpp"

namespace uotbench::match {
namespace {

class Cpu2 : public Grouped {
 public:
  using Grouped::Grouped;
  void iterate() {
    for (std::size_t group = 0; group < groups(); ++group) match(group);
  }
};

const Variant<Cpu2, void> variant{{
    .name = "match/cpu2_grouped",
    .summary = "groups that fit the L2, products by vectors",
    .axes = Grouped::axes(),
    .work = grouped_work,
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::match
