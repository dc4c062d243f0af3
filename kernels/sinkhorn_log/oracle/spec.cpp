#include "kernels/sinkhorn_log/oracle/spec.hpp"

namespace uotbench::sinkhorn_log {
namespace {

/// Above 0, but for no better reason than that there is no C / 0.
constexpr double positive = 1e-12;

std::vector<Axis> axes() {
  using enum Axis::Kind;
  return {
      {.name = "B",
       .role = Role::size,
       .derived = true,
       .about = "items of the batch: pairs of histograms, or barycenters"},
      {.name = "M", .role = Role::size, .derived = true, .about = "rows: bins of mu"},
      {.name = "N", .role = Role::size, .derived = true, .about = "columns: bins of nu"},
      {.name = "task",
       .kind = text,
       .standard = "transport",
       .values = {"transport", "barycenter"},
       .about =
           "of each item: a plan from mu to nu, or the barycenter over N bins of some histograms over M"},
      {.name = "histograms",
       .kind = integer,
       .standard = 2,
       .least = 1,
       .most = 1024,
       .about = "task=barycenter: how many mu there are, all of them in each barycenter"},
      {.name = "weights",
       .kind = text,
       .standard = "steps",
       .values = {"steps", "equal", "drawn", "npy"},
       .about = "task=barycenter: of the histograms in item b: B steps from the first over the others to the "
                "last; all alike; random"},
      {.name = "dtype", .kind = text, .standard = "f32", .values = {"f32", "f64"}, .about = "element type"},
      {.name = "reg",
       .kind = number,
       .standard = .05,
       .least = positive,
       .about = "entropic regularisation, in units of the cost"},
      {.name = "data",
       .kind = text,
       .standard = "drawn",
       .values = {"drawn", "npy"},
       .about = "npy: the user's: masses, and points or costs"},
      {.name = "cost",
       .kind = text,
       .standard = "points",
       .values = {"points", "grid1d", "grid2d", "own", "npy", "matrix"},
       .derived = true,
       .about =
           "squared distances of points, of a line's or a square's pixels; own: each item has its "
           "own, drawn from [0, 1); npy, matrix: the user's C, or -reg log K of the user's K. Of data=npy it "
           "is matrix where the folder holds C.npy or K.npy and no X.npy"},
      {.name = "d",
       .kind = integer,
       .standard = 2,
       .least = 1,
       .most = 1024,
       .derived = true,
       .about = "cost=points: their coordinates; of data=npy those of X.npy"},
      {.name = "cost_scale",
       .kind = number,
       .standard = 1,
       .values = {1, .5},
       .about = "what squared distances are multiplied by"},
      {.name = "matrix",
       .kind = text,
       .standard = "stored",
       .values = {"stored", "never"},
       .about = "never: only the points are given, C is not made"},
      {.name = "scheme",
       .kind = text,
       .standard = "alternating",
       .values = {"alternating", "symmetric"},
       .about = "alternating: v, then u from the new v; symmetric: both from the old, averaged with them"},
      {.name = "masses",
       .kind = text,
       .standard = "uniform",
       .values = {"uniform", "equal", "ones", "images", "zeros", "npy"},
       .about = "drawn from [0.5, 1.5); all alike; all 1; drawn pictures; a quarter of the drawn ones are 0; "
                "but for ones, an item's sum to 1"},
      {.name = "source",
       .kind = text,
       .standard = "each",
       .values = {"each", "one"},
       .about = "one: all items have the same mu"},
      {.name = "ragged",
       .kind = text,
       .standard = "no",
       .values = {"no", "yes"},
       .about = "yes: items have from M/2 to M rows and from N/2 to N columns"},
      {.name = "warm",
       .kind = text,
       .standard = "no",
       .values = {"no", "neighbour", "given"},
       .about = "neighbour: start from the potentials of a problem whose masses differ a little; given: from "
                "log_u0 "
                "and log_v0 of the folder path"},
      {.name = "stop",
       .kind = text,
       .standard = "iterations",
       .values = {"iterations", "marginal", "change"},
       .about =
           "marginal, change: go to a solution, until the marginals' L1 error or the potentials' change is "
           "below tol for every item"},
      {.name = "tol", .kind = number, .standard = 1e-6, .least = 1e-15, .about = "of marginal or change"},
      {.name = "max_iterations",
       .kind = integer,
       .standard = 100000,
       .least = 1,
       .about = "a solve that needs more has failed"},
      {.name = "seed", .kind = integer, .standard = 1, .least = 0, .about = "of the random numbers"},
      {.name = "forbidden",
       .kind = text,
       .values = {"no", "yes"},
       .derived = true,
       .about = "yes where C.npy holds inf: pairs that no plan may use"},
      {.name = "path",
       .kind = text,
       .standard = "",
       .about = "data=npy: the folder with a.npy, b.npy, and X.npy, Y.npy or C.npy; cost=npy, masses=npy, "
                "weights=npy: with C.npy; a.npy, b.npy or mu.npy, nu.npy, and rows.npy, columns.npy where "
                "ragged; weights.npy"}};
}

}  // namespace

FamilySpec sinkhorn_log_spec() {
  return {
      .name = "sinkhorn_log",
      .summary = "balanced entropic transport in logarithms: a batch of pairs of histograms over one cost",
      .axes = axes(),
      .iterations = 10,
      .checked = {Point{{"B", 3}, {"M", 37}, {"N", 53}},
                  Point{{"B", 3}, {"M", 37}, {"N", 53}, {"dtype", "f64"}},
                  Point{{"B", 3}, {"M", 37}, {"N", 53}, {"scheme", "symmetric"}},
                  Point{{"B", 5}, {"M", 37}, {"N", 53}, {"masses", "zeros"}, {"ragged", "yes"}},
                  Point{{"B", 3}, {"M", 7}, {"N", 5}, {"cost", "own"}},
                  Point{{"B", 2}, {"M", 36}, {"N", 36}, {"cost", "grid2d"}},
                  Point{{"B", 1}, {"M", 1}, {"N", 7}},
                  Point{{"task", "barycenter"}, {"histograms", 3}, {"B", 2}, {"M", 37}, {"N", 53}},
                  Point{{"task", "barycenter"}, {"B", 3}, {"M", 36}, {"N", 36}, {"cost", "grid2d"}}},
      .mathematics =
          {"Items b are independent of each other. LSE is log sum exp. An iteration of scheme=alternating is "
           "log v_bj = log nu_bj - LSE_i(log u_bi - C_ij / reg) for all j, and then log u_bi = log mu_bi - "
           "LSE_j(log v_bj - C_ij / reg) for all i, with the new v.",
           "An iteration of scheme=symmetric is log v_bj = (log v_bj + log nu_bj - LSE_i(log u_bi - C_ij / "
           "reg)) "
           "/ 2 and log u_bi = (log u_bi + log mu_bi - LSE_j(log v_bj - C_ij / reg)) / 2, both from what the "
           "iteration before left.",
           "log u and log v start at 0 where there is mass, or at log_u0 and log_v0 where those are given. "
           "Where a mass is 0, log u (log v) is -inf from the beginning to the end. Nothing is ever NaN.",
           "The plan is P_ij = exp(log u_i + log v_j - C_ij / reg); f = reg log u, g = reg log v. loss_b is "
           "<f, "
           "mu> + <g, nu> - reg sum P, the dual value. gradient_b is f less its mean, then g less its mean, "
           "over the bins with mass, and -inf at the others.",
           "stop=marginal: iterate until the L1 distance of the plan's column sums from nu (in symmetric "
           "order "
           "plus that of its row sums from mu) is below tol for every item. It comes without a pass over C: "
           "before a half step column j sums to nu_j exp(log v_j - log v_j'), with v' after it. stop=change: "
           "until no f or g changes by tol or more in an iteration.",
           "A pair may cost infinity: it is forbidden, and P_ij is 0.",
           "An item is right where the mean error of log u, and that of log v, are at most 1e-6 (f32) or "
           "1e-14 (f64) in units of their lines, and no single one is off by 100 times that. The unit of row "
           "i "
           "is 1 + the largest of |log u_i|, |log v_j| and |C_ij| / reg over the pairs that carry mass, more "
           "than "
           "e^-40 of the largest P_ij of the row; for costs of points 2 |X_i - m|^2 + 2 |Y_j - m|^2, with "
           "the "
           "points' median m, in place of |C_ij|. Columns likewise. A constant of that size that log u gains "
           "and "
           "log v loses is no error: the plan is the same. Loss and gradient, in reg times these units, "
           "likewise. "
           "Where a line's unit times 1e-6 (1e-14) is more than 0.1, the result cannot be verified.",
           "A solution is right where the L1 error of its plan's marginals, relative to the mass, is at most "
           "2 tol (stop=change: 5 tol / reg) more than the above, in the mean unit of the masses; for reg >= "
           "0.01, "
           "and costs of which none is more than 4 times reg and the largest unit, also the gap between "
           "the dual value and the primal value of the plan rounded to the marginals (Altschuler, Weed, "
           "Rigollet 2017, Algorithm 2), relative to the mass times reg and that unit.",
           "task=barycenter: mu_s are S histograms over M bins with one sum, which all items share, and w_bs "
           "the weights of item b, with the sum 1. An iteration is log u_bsi = log mu_si - LSE_j(log v_bsj - "
           "C_ij / reg), then log a_bsj = LSE_i(log u_bsi - C_ij / reg), log b_bj = sum_s w_bs log a_bsj, "
           "and "
           "log v_bsj = log b_bj - log a_bsj. It starts from log v = 0; b_b is the barycenter: iterative "
           "Bregman projections (Benamou, Carlier, Cuturi, Nenna, Peyre 2015, section 3.2). loss_b is sum_s "
           "w_bs reg <log u_bs, mu_s> - reg sum_j b_bj.",
           "stop=marginal: until the L1 distance of the row sums of each plan from mu_s, relative to the "
           "mass, is below tol: row i sums to mu_si exp(log u_si - log u_si'), with u' after a half step. "
           "stop=change: until no reg log u changes by tol or more. Iterates are right as above, and the "
           "barycenter where its L1 error, relative to its mass, is in the units of the columns. A solution "
           "is "
           "right where it is, but for that, at most twice as far from the fixed point in double as the "
           "iterate in double that is the first with that marginal error (stop=change: of tol / reg), and at "
           "least 2 tol is allowed; where log_us and log_vs are written, too, the plans' sums must be right "
           "likewise, and sum_s w_bs log v_bs be 0."},
      .arrays = {{"C", "M,N", "dtype", false, "costs; B,M,N with cost=own; absent with matrix=never"},
                 {"X", "M,d", "dtype", false,
                  "points of the rows where C has such: C_ij = cost_scale |X_i - Y_j|^2; d is 1 for grid1d, "
                  "2 for grid2d"},
                 {"Y", "N,d", "dtype", false, "points of the columns, likewise"},
                 {"C1", "side,side", "dtype", false,
                  "cost=grid2d, side^2 = M = N: C of pixels (r, c) and (s, t) is C1[r, s] + C1[c, t]; pixel "
                  "(r, c) is "
                  "r side + c"},
                 {"mu", "B,M", "dtype", false,
                  "masses of the rows; with task=barycenter histograms,M, and no nu and log_nu"},
                 {"nu", "B,N", "dtype", false, "masses of the columns, with the same sum for each item"},
                 {"log_mu", "B,M", "dtype", false, "log mu; -inf where it is 0"},
                 {"log_nu", "B,N", "dtype", false, "log nu; likewise"},
                 {"rows", "B", "<i4", false,
                  "only with ragged=yes: item b has the first rows[b] rows; the others' masses are 0"},
                 {"columns", "B", "<i4", false, "likewise"},
                 {"weights", "B,histograms", "dtype", false, "only with task=barycenter: w"},
                 {"log_u0", "B,M", "dtype", false, "unless warm=no: where log u starts"},
                 {"log_v0", "B,N", "dtype", false, "likewise"},
                 {"log_u", "B,M", "dtype", true, "must be written; not with task=barycenter"},
                 {"log_v", "B,N", "dtype", true, "likewise"},
                 {"loss", "B", "dtype", true, "may be written"},
                 {"gradient", "B,M+N", "dtype", true, "may be written; not with task=barycenter"},
                 {"barycenter", "B,N", "dtype", true, "with task=barycenter: must be written"},
                 {"log_us", "B,histograms,M", "dtype", true,
                  "with task=barycenter, in place of log_u: may be written"},
                 {"log_vs", "B,histograms,N", "dtype", true, "likewise"}}};
}

}  // namespace uotbench::sinkhorn_log
