// The restricted master: a transportation problem over few arcs, solved by the primal network simplex. The
// tree, its flows and its potentials survive when arcs are added or dropped.
//
// Nodes are the sources 0 .. M-1, the targets M .. M+N-1 and a root. Every arc leads from a source to a
// target, those of the root from a source to it, or from it to a target. So the kind of a node says which way
// the arc to its parent points, and a flow has no upper bound. Only arcs of the tree carry flow: it is
// with the child.
//
// The tree is strongly feasible, so the simplex does not cycle (W. H. Cunningham, "A network simplex method",
// Mathematical Programming 11, 1976): the last arc that blocks, going around the cycle along the entering arc
// from the nodes' common ancestor, leaves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace uotbench::simplex {

/// From source to target, both counted from 0.
struct Arc {
  std::int32_t source, target;
  double cost;
};

class Master {
 public:
  /// Masses of the sources and targets, all positive, with equal sums. They are copied into the tree.
  Master(std::span<const double> a, std::span<const double> b)
      : a_(a),
        b_(b),
        M_(a.size()),
        root_(static_cast<int>(a.size() + b.size())),
        nodes_(a.size() + b.size() + 1),
        potential_(nodes_.size()) {}

  /// The tree is a star: an artificial arc of cost `u_i` from each source to the root, and one of cost `-v_j`
  /// from it to each target. No other arc is left.
  void start(std::span<const double> u, std::span<const double> v) {
    arcs_.clear();
    next_ = 0;
    pivots = degenerate = scanned = 0;
    for (int x = 0; x < root_; ++x) {
      nodes_[at(x)] = {root_, -1, x + 1 < root_ ? x + 1 : -1, x - 1, 1, artificial, mass(x)};
      potential_[at(x)] = is_source(x) ? u[at(x)] : v[at(x) - M_];
    }
    nodes_[at(root_)] = {-1, 0, -1, -1, root_ + 1, artificial, 0};
    potential_[at(root_)] = 0;
    star_.assign(potential_.begin(), potential_.end());
  }

  /// More arcs. They are in no tree and carry nothing.
  void add(Arc arc) { arcs_.push_back(arc); }
  void reserve(std::size_t arcs) { arcs_.reserve(arcs); }
  std::size_t arcs() const { return arcs_.size(); }
  const std::vector<Arc>& all_arcs() const { return arcs_; }

  /// Drops arcs outside the tree whose reduced cost is above `least`.
  void drop(double least) {
    std::vector<int>& where = scratch_;
    where.assign(arcs_.size(), -1);
    for (int x = 0; x < root_; ++x)
      if (nodes_[at(x)].arc >= 0) where[at(nodes_[at(x)].arc)] = x;
    std::size_t kept = 0;
    for (std::size_t e = 0; e < arcs_.size(); ++e) {
      if (where[e] < 0 && reduced(arcs_[e]) > least) continue;
      arcs_[kept] = arcs_[e];
      if (where[e] >= 0) nodes_[at(where[e])].arc = static_cast<int>(kept);
      ++kept;
    }
    arcs_.resize(kept);
    next_ = 0;
  }

  /// Pivots until no arc's reduced cost is below -tolerance, or `most` times. Block search: of a block of
  /// arcs the most violated enters (P. Kovács, "Minimum-cost flow algorithms", Optimization Methods and
  /// Software 30, 2015, section 4.3).
  void solve(double tolerance, std::int64_t most = std::int64_t{1} << 62) {
    const std::size_t count = arcs_.size();
    const std::size_t block =
        std::max<std::size_t>(20, static_cast<std::size_t>(std::sqrt(static_cast<double>(count))));
    std::size_t e = next_ < count ? next_ : 0;
    for (std::size_t clean = 0; clean < count && most > 0;) {
      double best = -tolerance;
      std::size_t entering = count;
      const std::size_t end = std::min(e + block, count);
      for (std::size_t k = e; k < end; ++k) {
        const double r = reduced(arcs_[k]);
        if (r < best) best = r, entering = k;
      }
      clean += end - e;
      scanned += static_cast<std::int64_t>(end - e);
      e = end < count ? end : 0;
      if (entering == count) continue;
      pivot(static_cast<int>(entering), best);
      clean = 0;
      --most;
    }
    next_ = e;
    refresh();
  }

  double u(std::size_t i) const { return potential_[i]; }
  double v(std::size_t j) const { return potential_[M_ + j]; }
  /// c - u + v
  double reduced(const Arc& arc) const {
    return arc.cost - potential_[at(arc.source)] + potential_[M_ + at(arc.target)];
  }

  /// Flow that still leads over the root.
  double artificial_flow() const {
    double sum = 0;
    for (int x = nodes_[at(root_)].first; x >= 0; x = nodes_[at(x)].next)
      if (nodes_[at(x)].arc < 0 && is_source(x)) sum += nodes_[at(x)].flow;
    return sum;
  }
  /// Of the arcs that carry flow, and of the artificial ones.
  double cost() const {
    double sum = 0;
    for (int x = 0; x < root_; ++x) sum += nodes_[at(x)].flow * cost_of(x);
    return sum;
  }
  /// act(source, target, flow) for each arc of the tree with flow.
  template <class Act>
  void plan(const Act& act) const {
    for (int x = 0; x < root_; ++x)
      if (const Node& node = nodes_[at(x)]; node.arc >= 0 && node.flow > 0)
        act(arcs_[at(node.arc)].source, arcs_[at(node.arc)].target, node.flow);
  }

  /// Artificial arcs become dearer by `by` a source, so that flow leaves them; the potentials follow.
  void raise(double by) {
    for (std::size_t i = 0; i < M_; ++i) star_[i] += by;
    refresh();
  }

  double bytes() const {
    return static_cast<double>(nodes_.capacity() * sizeof(Node) + arcs_.capacity() * sizeof(Arc) +
                               8 * (potential_.capacity() + star_.capacity()) + 4 * scratch_.capacity());
  }

  std::int64_t pivots = 0, degenerate = 0, scanned = 0;

 private:
  static constexpr int artificial = -1;
  struct Node {
    int parent, first, next, prev;  ///< next and prev of the same parent; -1: none
    int size;                       ///< nodes of its subtree
    int arc;                        ///< to its parent
    double flow;                    ///< on that
  };

  static std::size_t at(int x) { return static_cast<std::size_t>(x); }
  bool is_source(int x) const { return at(x) < M_; }
  double mass(int x) const { return is_source(x) ? a_[at(x)] : b_[at(x) - M_]; }
  double cost_of(int x) const {
    const int arc = nodes_[at(x)].arc;
    return arc >= 0 ? arcs_[at(arc)].cost : is_source(x) ? star_[at(x)] : -star_[at(x)];
  }

  void detach(int x) {
    const Node& node = nodes_[at(x)];
    (node.prev >= 0 ? nodes_[at(node.prev)].next : nodes_[at(node.parent)].first) = node.next;
    if (node.next >= 0) nodes_[at(node.next)].prev = node.prev;
  }
  void attach(int x, int parent) {
    Node &node = nodes_[at(x)], &above = nodes_[at(parent)];
    node.parent = parent;
    node.prev = -1;
    node.next = above.first;
    if (above.first >= 0) nodes_[at(above.first)].prev = x;
    above.first = x;
  }

  /// act(x) for each node below `top` and for itself, parents first.
  template <class Act>
  void below(int top, const Act& act) {
    for (int x = top;;) {
      act(x);
      if (nodes_[at(x)].first >= 0) {
        x = nodes_[at(x)].first;
        continue;
      }
      while (x != top && nodes_[at(x)].next < 0) x = nodes_[at(x)].parent;
      if (x == top) return;
      x = nodes_[at(x)].next;
    }
  }

  void pivot(int entering, double violation) {
    const int s = arcs_[at(entering)].source, t = static_cast<int>(M_) + arcs_[at(entering)].target;
    // Up from both ends to the common ancestor. Flow falls on the arcs of sources above s and of targets
    // above t.
    double least = std::numeric_limits<double>::infinity(), least_t = least;
    int out = -1, out_t = -1, x = s, y = t;
    while (x != y) {
      if (nodes_[at(x)].size < nodes_[at(y)].size) {
        if (is_source(x) && nodes_[at(x)].flow < least) least = nodes_[at(x)].flow, out = x;
        x = nodes_[at(x)].parent;
      } else {
        if (!is_source(y) && nodes_[at(y)].flow <= least_t) least_t = nodes_[at(y)].flow, out_t = y;
        y = nodes_[at(y)].parent;
      }
    }
    const int join = x;
    const bool on_source_side = least < least_t;
    const double change = on_source_side ? least : least_t;
    if (!on_source_side) out = out_t;
    ++pivots;
    if (change > 0) {
      for (x = s; x != join; x = nodes_[at(x)].parent) nodes_[at(x)].flow += is_source(x) ? -change : change;
      for (y = t; y != join; y = nodes_[at(y)].parent) nodes_[at(y)].flow += is_source(y) ? change : -change;
    } else {
      ++degenerate;
    }

    const int in = on_source_side ? s : t, above = on_source_side ? t : s;
    const int moved = nodes_[at(out)].size;
    for (x = nodes_[at(out)].parent; x != join; x = nodes_[at(x)].parent) nodes_[at(x)].size -= moved;
    for (x = above; x != join; x = nodes_[at(x)].parent) nodes_[at(x)].size += moved;
    // The part that is cut off shifts, or all the rest does the other way: differences are all that counts.
    const double shift = on_source_side ? violation : -violation;
    detach(out);
    if (2 * moved <= root_ + 1)
      below(out, [&](int z) { potential_[at(z)] += shift; });
    else
      below(root_, [&](int z) { potential_[at(z)] -= shift; });
    hang(out, in, above, entering, change);
  }

  /// The cut off subtree of `out` gets `in` as its top, below `above`.
  void hang(int out, int in, int above, int arc, double flow) {
    const int whole = nodes_[at(out)].size;
    int gone = 0;
    for (int x = in;;) {
      Node& node = nodes_[at(x)];
      const int parent = node.parent, old_arc = node.arc, size = node.size;
      const double old_flow = node.flow;
      if (x != out) detach(x);
      attach(x, above);
      node.arc = arc;
      node.flow = flow;
      node.size = whole - gone;
      if (x == out) return;
      gone = size;
      above = x;
      arc = old_arc;
      flow = old_flow;
      x = parent;
    }
  }

  /// Potentials anew from the tree, so that rounding does not add up over pivots; the root's is 0.
  void refresh() {
    potential_[at(root_)] = 0;
    below(root_, [&](int x) {
      if (x == root_) return;
      const double above = potential_[at(nodes_[at(x)].parent)];
      potential_[at(x)] = is_source(x) ? above + cost_of(x) : above - cost_of(x);
    });
  }

  std::span<const double> a_, b_;
  std::size_t M_;
  int root_;
  std::vector<Node> nodes_;
  std::vector<double> potential_;  ///< u, then v, then the root's
  std::vector<double> star_;       ///< as they were at the start
  std::vector<Arc> arcs_;
  std::size_t next_ = 0;  ///< where the search goes on
  std::vector<int> scratch_;
};

}  // namespace uotbench::simplex
