// Images on a grid: a row's part of the way first, then a column's. 2 n^3 arcs over nodes in between stand
// for all n^4 pairs; column generation adds them as it needs them.
#include "kernels/simplex/timed/solving.hpp"
#include "kernels/simplex/timed/starting.hpp"
#include "kernels/simplex/timed/thirds.hpp"

namespace uotbench::simplex {
namespace {

class TripartiteSolve {
 public:
  static constexpr KernelTraits declares{
      .unit = Unit::solve, .iterations = true, .work = true, .facts = true};

  explicit TripartiteSolve(const Problem<double>& p)
      : at_(p.at),
        exact_(p.exact),
        reduced_(p),
        clouds_(reduced_.costs().clouds),
        thirds_(clouds_, reduced_.a, reduced_.b),
        colgen_(thirds_.a, thirds_.b, thirds_, options_at(p.at, reduced_.tolerance())) {}

  void part() {
    Potentials start = start_at(at_, clouds_, reduced_.a, reduced_.b, reduced_.costs().most(), exact_);
    for (const double w : thirds_.potentials_between(start.v)) {
      start.u.push_back(w + start.raise);
      start.v.push_back(w);
    }
    colgen_.run(start.u, start.v, start.raise,
                [&](auto u, auto v, double threshold, Priced& out, const auto& add) {
                  const Region price("price");
                  thirds_.price(u, v, threshold, out, add);
                });
    done_ = done_ + colgen_work(colgen_.counts, 3, 3, thirds_.a.size(), thirds_.b.size());
  }

  void finish(Result<double>& out) {
    std::vector<double> u, v;
    reduced_.extend(colgen_.u().first(thirds_.M), colgen_.v().first(thirds_.N), u, v);
    out.write(u, v, plan());
  }

  std::optional<std::int64_t> iterations() const { return std::max<std::int64_t>(1, colgen_.counts.rounds); }
  Work work() const { return done_; }
  Facts facts() const {
    const double pairs = static_cast<double>(thirds_.M) * static_cast<double>(thirds_.N);
    return colgen_facts(colgen_.counts, pairs, reduced_.bytes() + thirds_.bytes() + colgen_.bytes());
  }

 private:
  /// What comes into a node in between goes on in the order of its arcs.
  std::vector<Flow> plan() const {
    const auto M = static_cast<std::int32_t>(thirds_.M), N = static_cast<std::int32_t>(thirds_.N);
    std::vector<std::vector<Flow>> in(thirds_.between), on(thirds_.between);
    colgen_.master().plan([&](std::int32_t s, std::int32_t t, double amount) {
      if (s < M) in[static_cast<std::size_t>(t - N)].push_back({s, t, amount});
      if (t < N) on[static_cast<std::size_t>(s - M)].push_back({s, t, amount});
    });
    std::vector<Flow> plan;
    for (std::size_t m = 0; m < thirds_.between; ++m)
      for (std::size_t p = 0, q = 0; p < in[m].size() && q < on[m].size();) {
        const double amount = std::min(in[m][p].amount, on[m][q].amount);
        plan.push_back({reduced_.rows[static_cast<std::size_t>(in[m][p].source)],
                        reduced_.columns[static_cast<std::size_t>(on[m][q].target)], amount});
        if (!((in[m][p].amount -= amount) > 0)) ++p;
        if (!((on[m][q].amount -= amount) > 0)) ++q;
      }
    return plan;
  }

  const Point& at_;
  bool exact_;
  Reduced reduced_;
  Clouds clouds_;
  Thirds thirds_;
  Colgen<Thirds, Region> colgen_;
  Work done_;
};

const Variant<void, TripartiteSolve> tripartite_variant{
    {
        .name = "simplex/tripartite",
        .summary = "images on a grid: 2 n^3 arcs over nodes in between, by column generation",
        .axes = colgen_axes(starting_axes({"coarse", "entropic", "nothing"})),
        .refuse =
            [](const Point& at) {
              const std::string data = at.text("data");
              for (const char* of_points : {"assignment", "colors", "clusters", "equal", "zeros"})
                if (data == of_points)
                  return "it is for points on a grid: data must be images or npy, not " + data;
              if (at.integer("k") != 2)
                return "it is for points of a plane: k must be 2, not " + std::to_string(at.integer("k"));
              return cannot_start(at);
            },
        .phases = {"price", "update", "pivot"},
        .matrices = 0,
    },
    {.bytes = [](const Point& at) { return 1500 * (at.number("M") + at.number("N")); }}};

}  // namespace
}  // namespace uotbench::simplex
