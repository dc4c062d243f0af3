// An LP simplex that knows nothing of networks: COIN-OR's CLP on all pairs as columns. The talk compares such
// methods with the network simplex (S. Gualandi, L.-M. Rousseau, Aussois 2020; Gurobi there).
#include "kernels/simplex/timed/clp.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "harness/worker/phases.hpp"
#include "kernels/simplex/problem.hpp"
#include "kernels/simplex/timed/affordable.hpp"
#include "kernels/simplex/timed/costs.hpp"
#include "kernels/simplex/timed/forest.hpp"

namespace uotbench::simplex {
namespace {

class ClpSolve {
 public:
  static constexpr KernelTraits declares{.unit = Unit::solve, .iterations = true, .facts = true};

  explicit ClpSolve(const Problem<double>& p)
      : p_(p),
        affordable_(p.C, p.M, p.N),
        costs_{{p.M, p.N, p.k, p.X, p.Y}, affordable_.costs()},
        method_(p.at.text("method")) {}

  void part() {
    do {
      solve();
    } while (affordable_.raise([&](const auto& act) {
      double mass = 0;
      for (const double a : p_.a) mass += a;
      const double* flow = lp_->call<double*>("Clp_primalColumnSolution");
      for (std::size_t e = 0; e < p_.M * p_.N; ++e)
        if (flow[e] > 1e-9 * mass) act(e);  // CLP's tolerance
    }));
  }

 private:
  void solve() {
    unit_ = costs_.most() > 0 ? std::exp2(std::ilogb(costs_.most())) : 1;
    lp_.emplace();
    {
      const Region model("model");
      const std::size_t pairs = p_.M * p_.N;
      std::vector<int> start(pairs + 1), row(2 * pairs);
      std::vector<double> cost(pairs), masses(p_.a.begin(), p_.a.end());
      const std::vector<double> ones(2 * pairs, 1), zeros(pairs, 0);
      std::vector<double> most(pairs, std::numeric_limits<double>::max());
      for (std::size_t e = 0; e < p_.C.size(); ++e)
        if (std::isinf(p_.C[e])) most[e] = 0;
      masses.insert(masses.end(), p_.b.begin(), p_.b.end());
      for (std::size_t e = 0; e < pairs; ++e) {
        row[2 * e] = static_cast<int>(e / p_.N);
        row[2 * e + 1] = static_cast<int>(p_.M + e % p_.N);
        start[e + 1] = static_cast<int>(2 * e + 2);
        cost[e] = costs_(e / p_.N, e % p_.N) / unit_;
      }
      lp_->call("Clp_setLogLevel", 0);
      lp_->call("Clp_setPrimalTolerance", 1e-9);
      lp_->call("Clp_setDualTolerance", 1e-10);
      lp_->call("Clp_loadProblem", static_cast<int>(pairs), static_cast<int>(p_.M + p_.N), start.data(),
                row.data(), ones.data(), zeros.data(), most.data(), cost.data(), masses.data(),
                masses.data());
    }
    const Region solving("solve");
    lp_->call<int>(method_ == "barrier"  ? "Clp_initialBarrierSolve"
                   : method_ == "primal" ? "Clp_initialPrimalSolve"
                                         : "Clp_initialDualSolve");
    if (!lp_->call<int>("Clp_isProvenOptimal"))
      throw Error("CLP found no solution: its status is " + std::to_string(lp_->call<int>("Clp_status")));
  }

 public:
  void finish(Result<double>& out) {
    const std::span price(lp_->call<double*>("Clp_dualRowSolution"), p_.M + p_.N);
    std::vector<double> u, v;
    for (std::size_t i = 0; i < p_.M; ++i) u.push_back(unit_ * price[i]);
    for (std::size_t j = 0; j < p_.N; ++j) v.push_back(-unit_ * price[p_.M + j]);
    // Where many plans cost least, the interior point may end between them. A forest is a vertex, and that of
    // integer masses is integer, up to CLP's tolerance.
    Forest forest(p_.M, p_.N);
    const double* flow = lp_->call<double*>("Clp_primalColumnSolution");
    for (std::size_t e = 0; e < p_.M * p_.N; ++e)
      if (flow[e] > 0)
        forest.add({static_cast<std::int32_t>(e / p_.N), static_cast<std::int32_t>(e % p_.N), flow[e]});
    std::vector<Flow> plan = forest.plan();
    if (p_.exact) {
      for (Flow& arc : plan) arc.amount = std::round(arc.amount);
      std::erase_if(plan, [](const Flow& arc) { return arc.amount == 0; });
    }
    out.write(u, v, plan);
  }
  std::optional<std::int64_t> iterations() const {
    return std::max<std::int64_t>(1, lp_ ? lp_->call<int>("Clp_numberIterations") : 0);
  }
  Facts facts() const { return {{"library", "CLP " + Clp().version()}}; }

 private:
  const Problem<double>& p_;
  Affordable affordable_;
  Costs costs_;
  double unit_ = 1;  ///< a power of two near the largest cost: CLP takes costs below 1e25 alone
  std::string method_;
  std::optional<Clp> lp_;
};

const Variant<void, ClpSolve> clp_variant{
    {
        .name = "simplex/clp",
        .summary = "COIN-OR's CLP: an LP simplex with all pairs as columns",
        .axes = {{.name = "method",
                  .kind = Axis::Kind::text,
                  .standard = "dual",
                  .values = {"dual", "primal", "barrier"},
                  .about = "dual or primal simplex, or an interior point with crossover"}},
        .refuse = [](const Point&) -> std::string {
          return Clp::available() ? "" : "CLP is not installed: apt install coinor-libclp1";
        },
        .serial = true,
        .phases = {"model", "solve"},
        .foreign_code = [](const Point&) -> std::string { return "CLP"; },
    },
    {.matrix = true, .bytes = [](const Point& at) { return 250 * at.number("M") * at.number("N"); }}};

}  // namespace
}  // namespace uotbench::simplex
