#include "kernels/simplex/oracle/spec.hpp"

namespace uotbench::simplex {
namespace {

std::vector<Axis> axes() {
  using enum Axis::Kind;
  return {
      {.name = "M", .role = Role::size, .derived = true, .about = "sources"},
      {.name = "N", .role = Role::size, .derived = true, .about = "targets"},
      {.name = "dtype",
       .kind = text,
       .standard = "f64",
       .values = {"f64"},
       .about = "element type: in f32 pricing does not come to an end"},
      {.name = "k",
       .kind = integer,
       .standard = 2,
       .least = 1,
       .most = 4096,
       .derived = true,
       .about = "coordinates of a point; 2 for images, 3 for colors; of data=npy those of X.npy"},
      {.name = "data",
       .kind = text,
       .standard = "assignment",
       .values = {"assignment", "white_noise", "grf_rough", "grf_moderate", "grf_smooth", "log_grf",
                  "logit_grf", "cauchy", "pixels", "colors", "clusters", "equal", "zeros", "npy"},
       .about =
           "assignment: points drawn from the unit cube, equal masses; white_noise to cauchy: images as "
           "DOTmark "
           "has them; pixels: two pictures; colors: of two pictures' pixels; clusters: a mixture of normal "
           "distributions; equal: all points in one place; zeros: every fourth mass is 0"},
      {.name = "cost",
       .kind = text,
       .standard = "squared",
       .values = {"squared", "integer", "matrix"},
       .derived = true,
       .about = "squared distances; the same of points on a lattice, where nothing is rounded; a matrix, "
                "drawn from [0, 1). Of data=npy it is matrix where the folder holds C.npy and no X.npy"},
      {.name = "scale",
       .kind = integer,
       .standard = 1024,
       .least = 1,
       .about = "cost=integer: lattice points along the unit cube's side; pixels have their own"},
      {.name = "round",
       .kind = integer,
       .standard = 0,
       .least = 0,
       .about = "0: solve; r: price the potentials that column generation has after r rounds"},
      {.name = "image",
       .kind = text,
       .standard = "scene:meadow",
       .about = "data=pixels, colors: the sources' picture, "
                "a PNG file or numbers in a CSV file"},
      {.name = "other_image", .kind = text, .standard = "scene:sunset", .about = "likewise, of the targets"},
      {.name = "seed", .kind = integer, .standard = 1, .least = 0, .about = "of the random numbers"},
      {.name = "forbidden",
       .kind = text,
       .values = {"no", "yes"},
       .derived = true,
       .about = "yes where C.npy holds inf: pairs that no plan may use"},
      {.name = "path",
       .kind = text,
       .standard = "",
       .about = "data=npy: the folder with a.npy, b.npy, and X.npy, Y.npy or C.npy"}};
}

}  // namespace

FamilySpec simplex_spec() {
  return {
      .name = "simplex",
      .summary = "exact transport between points, with a proof: network simplex, and its pricing step",
      .axes = axes(),
      .iterations = 1,
      .memoryless = true,
      .checked = {Point{{"M", 37}, {"N", 53}}, Point{{"M", 37}, {"N", 53}, {"cost", "integer"}},
                  Point{{"M", 37}, {"N", 53}, {"cost", "matrix"}},
                  Point{{"M", 37}, {"N", 53}, {"k", 3}, {"data", "zeros"}},
                  Point{{"M", 16}, {"N", 16}, {"data", "white_noise"}},
                  Point{{"M", 37}, {"N", 53}, {"round", 2}},
                  Point{{"M", 37}, {"N", 53}, {"round", 2}, {"k", 200}, {"data", "clusters"}},
                  Point{{"M", 1}, {"N", 1}}},
      .mathematics =
          {"round=0: minimise sum_ij c_ij f_ij over f >= 0 with sum_j f_ij = a_i and sum_i f_ij = b_j, where "
           "c_ij = "
           "|x_i - y_j|^2, or C_ij.",
           "A solution is a plan and potentials u, v that prove it: c_ij - u_i + v_j >= 0 for all pairs, and "
           "sum_i a_i u_i - sum_j b_j v_j = sum_ij c_ij f_ij. The plan is given by its arcs with flow, at "
           "most M + N.",
           "A pair may cost infinity: it is forbidden, and carries no flow.",
           "A solution is right where, relative to the mass, the plan's sums are off by at most 1e-9; no "
           "reduced cost is below -1e-9 times its row's unit, the largest cost that carries flow there or "
           "the lower quartile of the row's costs; and the plan costs at most 1e-9 more than the potentials "
           "prove once they are lowered until no reduced cost is below 0, relative to the cost, or to 5e-6 "
           "times the masses times their rows' lower quartiles where that is more. With "
           "cost=integer all three are exact. A solver that has no potentials is held "
           "to "
           "the cost of a solution that has been proved.",
           "round=r: for each source i delta_i = min(0, min_j c_ij - u0_i + v0_j), and the target of the "
           "minimum, -1 where delta_i is 0. It is right where it is the exhaustive search's in double, to "
           "1e-9 of the largest of that pair's cost, the lower quartile of the row's and 1e-4 times its "
           "potentials."},
      .arrays = {{"X", "M,k", "dtype", false, "points of the sources; absent with cost=matrix"},
                 {"Y", "N,k", "dtype", false, "points of the targets; likewise"},
                 {"C", "M,N", "dtype", false, "costs; only with cost=matrix"},
                 {"a", "M", "dtype", false, "masses of the sources, not negative"},
                 {"b", "N", "dtype", false, "masses of the targets, with the same sum"},
                 {"u0", "M", "dtype", false, "potentials to price; only with round > 0"},
                 {"v0", "N", "dtype", false, "likewise"},
                 {"u", "M", "dtype", true, "round=0: potentials of the sources"},
                 {"v", "N", "dtype", true, "round=0: potentials of the targets"},
                 {"source", "M+N", "<i4", true, "round=0: the plan's arcs, counted from 0; -1: no arc"},
                 {"target", "M+N", "<i4", true, "round=0: likewise"},
                 {"flow", "M+N", "dtype", true, "round=0: what goes along the arc; 0 where there is none"},
                 {"delta", "M", "dtype", true, "round>0: the least reduced cost, or 0"},
                 {"best", "M", "<i4", true, "round>0: its target, or -1"}}};
}

}  // namespace uotbench::simplex
