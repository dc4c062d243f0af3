// LEMON's solvers that make a StaticDigraph, for C++20. Its maps of anything but numbers (ArrayMap) call
// construct() and destroy() of std::allocator, which C++20 has no more; here they are vectors, as its maps of
// numbers are.
#pragma once

#include <lemon/static_graph.h>

#include "kernels/simplex/timed/lemon.hpp"

namespace lemon {

template <class Item, class Value>
class ArrayMap<DigraphExtender<StaticDigraphBase>, Item, Value>
    : public VectorMap<DigraphExtender<StaticDigraphBase>, Item, Value> {
 public:
  using VectorMap<DigraphExtender<StaticDigraphBase>, Item, Value>::VectorMap;
};

}  // namespace lemon

// They use these maps, so they come after.
#include <lemon/cost_scaling.h>
#include <lemon/cycle_canceling.h>
