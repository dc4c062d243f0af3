// The oracle's half of the family `uot`: what a problem is, its inputs, and whether a result is right.
// The formulas are in oracle/reference.hpp; a kernel's view of the same problem is in problem.hpp.
#include <fmt/format.h>

#include "harness/worker/oracle/family.hpp"
#include "kernels/common/oracle/images.hpp"
#include "kernels/common/oracle/user_arrays.hpp"
#include "kernels/uot/oracle/data.hpp"
#include "kernels/uot/oracle/judge.hpp"
#include "kernels/uot/oracle/sampled.hpp"
#include "kernels/uot/oracle/user_arrays.hpp"

namespace uotbench::uot {
namespace {

namespace fs = std::filesystem;

/// Above 0, but for no better reason than that 0 has no exp(-C/0) and no power.
constexpr double positive = 1e-12;

FamilySpec uot_spec() {
  using enum Axis::Kind;
  return {
      .name = "uot",
      .summary = "entropic unbalanced optimal transport: iterations of a row and a column rescaling",
      .axes =
          {{.name = "M", .role = Role::size, .derived = true, .about = "rows"},
           {.name = "N", .role = Role::size, .derived = true, .about = "columns"},
           {.name = "dtype",
            .kind = text,
            .standard = "f32",
            .values = {"f32", "f64"},
            .about = "element type"},
           {.name = "scheme",
            .kind = text,
            .standard = "unbalanced",
            .values = {"unbalanced", "damped"},
            .about = "unbalanced: POT's iteration; damped: MAP-UOT's, whose limit is balanced transport"},
           {.name = "data",
            .kind = text,
            .standard = "uniform",
            .values = {"uniform", "points", "self", "noisy", "colors", "moons", "surface", "likelihood",
                       "npy"},
            .about = "where K, a and b come from"},
           {.name = "seed", .kind = integer, .standard = 1, .least = 0, .about = "of the random numbers"},
           {.name = "reg",
            .kind = number,
            .standard = .05,
            .least = positive,
            .about = "entropic regularisation"},
           {.name = "reg_m",
            .kind = number,
            .standard = .05,
            .least = positive,
            .about = "marginal relaxation"},
           {.name = "fi",
            .kind = number,
            .least = positive,
            .most = 1,
            .derived = true,
            .about = "exponent; reg_m / (reg_m + reg) unless given"},
           {.name = "d",
            .kind = integer,
            .least = 0,
            .derived = true,
            .about = "coordinates of the points; 0: the data have none"},
           {.name = "reg_type",
            .kind = text,
            .standard = "entropy",
            .values = {"entropy", "kl"},
            .about = "K is exp(-C/reg); kl: times a b', the default of POT since 0.9.5"},
           {.name = "mass_b",
            .kind = number,
            .standard = 1,
            .least = positive,
            .about = "what b is multiplied by: unequal masses"},
           {.name = "B",
            .standard = 1,
            .least = 1,
            .most = 1 << 24,
            .about = "problems of a batch, each with its own K, a and b: drawn with seed, seed + 1, ..."},
           {.name = "matrix",
            .kind = text,
            .standard = "stored",
            .values = {"stored", "never"},
            .about =
                "never: only points are given, K is not made; verified by samples where it would be large"},
           {.name = "stop",
            .kind = text,
            .standard = "iterations",
            .values = {"iterations", "change"},
            .about = "change: go to a solution, until POT's own test is below tol"},
           {.name = "tol",
            .kind = number,
            .standard = 1e-6,
            .least = 1e-15,
            .about = "stop=change: POT's stopThr"},
           {.name = "max_iterations",
            .kind = integer,
            .standard = 100000,
            .least = 1,
            .about = "stop=change: POT's numItermax; a solve that needs more has failed"},
           {.name = "warm",
            .kind = text,
            .standard = "no",
            .values = {"no", "given"},
            .about = "given: u and v start from log_u0 and log_v0 of the folder path; with stop=change"},
           {.name = "application",
            .kind = integer,
            .standard = 0,
            .least = 0,
            .most = 1e9,
            .about = "iterations of the data's application, from its inputs to its result; 0: "
                     "iterations alone"},
           {.name = "source",
            .kind = text,
            .standard = "scene:meadow",
            .about = "data=colors: a PNG file, scene:meadow or scene:sunset"},
           {.name = "target", .kind = text, .standard = "scene:sunset", .about = "data=colors: likewise"},
           {.name = "path",
            .kind = text,
            .standard = "",
            .about = "data=npy: the folder with a.npy, b.npy, and K.npy, C.npy, or X.npy and Y.npy"}},
      .iterations = 10,
      .checked = {Point{{"M", 37}, {"N", 53}}, Point{{"M", 37}, {"N", 53}, {"scheme", "damped"}},
                  Point{{"M", 37}, {"N", 53}, {"dtype", "f64"}},
                  Point{{"M", 37}, {"N", 53}, {"dtype", "f64"}, {"scheme", "damped"}},
                  Point{{"M", 1}, {"N", 7}}},
      .mathematics =
          {"An iteration starts from u and v, both 1 at first. It is a row step and then a column step.",
           "scheme=unbalanced: u_i = (a_i / (K v)_i)^fi, then v_j = (b_j / (K' u)_j)^fi. This is POT's "
           "sinkhorn_knopp_unbalanced.",
           "scheme=damped: u_i = u_i^(1-fi) (a_i / (K v)_i)^fi, then v_j = v_j^(1-fi) (b_j / (K' u)_j)^fi. "
           "This is "
           "MAP-UOT's: each row of the plan is scaled by (a_i / its sum)^fi, then each column likewise.",
           "The plan is diag(u) K diag(v). Where a mass is 0, so is its scaling: 0/0 is 0. K may be 0 where "
           "a pair is "
           "forbidden: in C.npy that is inf.",
           "B=n: n such problems in one call, of the same M, N and fi. In all arrays the items are one "
           "below "
           "the other: K and plan are B M x N, a and u B M, b and v B N, X and Y B M and B N points. Item k "
           "is "
           "the problem that B=1 has with a seed greater by k, and each is verified alone.",
           "stop=change: iterate (unbalanced) until 1/2 (max|u-u'| / max(max|u|, max|u'|, 1) + max|v-v'| / "
           "max(max|v|, max|v'|, 1)) < tol, with u' and v' of the iteration before.",
           "application=n: colors, moons, noisy and surface make C_ij = |x_i - y_j|^2 and K = exp(-C/reg) of "
           "the points, likelihood makes K of its table, each column divided by its sum. After n iterations "
           "a row's "
           "point has moved to sum_j P_ij y_j / sum_j P_ij. With colors x is a drawn pixel of the source, "
           "level/255 as a float, and y one of the target; every pixel moves by as much as the drawn one of "
           "the "
           "nearest levels (the first of those), rounded to levels from 0 to 255. With moons a "
           "column's point gets the label of the row's whose new place is nearest; with surface the match "
           "of a row's point is the nearest column's; with likelihood column j gets sum_i P_ij^2 / (r_i "
           "c_j), "
           "r and c the plan's row and column sums.",
           "A result is right where the relative L1 error of the plan, and of u and v where they are "
           "written, "
           "is at most 1e-5 (f32) or 1e-12 (f64), and no cell, row or column of the plan is far off; with "
           "stop=change 1e-2; of "
           "an application 1e-4 or 1e-9."},
      .arrays = {
          {"K", "M,N", "dtype", false, "the kernel, above 0; absent with matrix=never"},
          {"a", "M", "dtype", false, "masses of the rows"},
          {"b", "N", "dtype", false, "masses of the columns"},
          {"C", "M,N", "dtype", false, "the costs; only with stop=change, where the data have costs"},
          {"X", "M,d", "dtype", false,
           "points of the rows, where the data are points; C is their squared distance"},
          {"Y", "N,d", "dtype", false, "points of the columns, likewise"},
          {"log_u0", "M", "dtype", false, "with warm=given: log u at the start"},
          {"log_v0", "N", "dtype", false, "with warm=given: log v at the start"},
          {"pixels", "height,width,3", "dtype", false,
           "application, colors: levels of the source from 0 to 255"},
          {"palette", "height,width,3", "dtype", false, "likewise of the target"},
          {"picked", "M", "<i4", false, "likewise: which pixels of the source are the rows"},
          {"chosen", "N", "<i4", false, "likewise: which of the target are the columns"},
          {"labels", "M", "dtype", false, "application, moons: of the rows, 0 or 1"},
          {"table", "M,N", "dtype", false, "application, likelihood: how datum i speaks for hypothesis j"},
          {"plan", "M,N", "dtype", true, "must be written; absent with matrix=never, or an application"},
          {"u", "M", "dtype", true, "may be written; must be with matrix=never"},
          {"v", "N", "dtype", true, "likewise"},
          {"moved", "M,d", "dtype", true, "application, but for likelihood: where the rows' points are"},
          {"picture", "height,width,3", "dtype", true, "application, colors: levels of the source, moved"},
          {"labelled", "N", "dtype", true, "application, moons: the labels that columns get"},
          {"matches", "M", "dtype", true, "application, surface: the rows' columns"},
          {"agreement", "N", "dtype", true, "application, likelihood"}}};
}

bool is_double(const Point& point) { return point.text("dtype") == "f64"; }

bool has_matrix(const Point& point) { return point.text("matrix") == "stored"; }
bool to_solution(const Point& point) { return point.text("stop") == "change"; }
/// Whether costs are rounded to the point's dtype, as kernels get them, before K is made of them.
bool rounds_costs(const Point& point) { return to_solution(point) && has_costs(point); }
/// K=absent and costs=absent are no axes: a call says them whose kernel computes K from points, or reads K
/// alone.
bool makes_K(const Point& point) { return has_matrix(point) && !point.has("K"); }
/// C is an input, too: for kernels that make K anew, and for those that want costs.
bool wants_costs(const Point& point) { return rounds_costs(point) && makes_K(point) && !point.has("costs"); }

/// Items one below the other, in every array.
std::size_t items_of(const Point& point) { return point.size("B"); }

/// The problem that an item is alone.
Point item_of(const Point& point, std::size_t item) {
  Point one = point;
  one.set("B", 1);
  one.set("seed", static_cast<std::int64_t>(static_cast<std::uint64_t>(point.integer("seed")) + item));
  return one;
}

/// What there are no batches of.
void require_batch(const Point& point) {
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("{}: B must be 1, not {}", what, point.integer("B")));
  };
  if (items_of(point) == 1) return;
  if (point.text("data") == "npy") refuse("data=npy gives one problem");
  if (!has_matrix(point)) refuse("matrix=never is for one problem");
  if (to_solution(point)) refuse("stop=change solves one problem");
  if (has_application(point)) refuse("an application has one problem");
}

/// Throws Error where axes contradict one another, or one is given that means nothing beside another.
void require_sense(const Point& point, const FamilySpec& spec) {
  const std::string data = point.text("data");
  if (data == "self" && point.size("M") != point.size("N"))
    throw Error(fmt::format("data=self has one cloud of points: M and N must be equal, not {} and {}",
                            point.size("M"), point.size("N")));
  if (point.text("reg_type") == "kl" && !has_costs(point))
    throw Error(fmt::format("reg_type=kl is for costs, from which K is made; data={} gives K itself", data));
  if (!has_matrix(point) && dimensions(point) == 0)
    throw Error(fmt::format("matrix=never is for data that are points; data is {}", data));
  if (starts_warm(point) && (data != "npy" || !to_solution(point)))
    throw Error(fmt::format("warm=given is for data=npy with stop=change; data is {} and stop {}", data,
                            point.text("stop")));
  has_application(point);  // throws where there is none
  require_batch(point);
  if (!to_solution(point)) {
    for (const char* axis : {"tol", "max_iterations"})
      for (const auto& known : spec.axes)
        if (known.name == axis && point.value(axis) != known.standard)
          throw Error(fmt::format("{} is for stop=change; stop is {}", axis, point.text("stop")));
    return;
  }
  if (!has_matrix(point)) throw Error("stop=change needs K; matrix is never");
  if (point.text("scheme") != "unbalanced")
    throw Error("stop=change is for scheme=unbalanced; the limit of damped iterations is another problem's");
  if (point.has("fi") && point.number("fi") == 1)
    throw Error(
        "stop=change is for fi below 1; fi=1 is balanced transport, which unequal masses have none of");
}

class Uot final : public Family {
 public:
  Uot() : Family(uot_spec()) {}

  Point derive(const Point& given) const override {
    Point derived = sizes_of_masses(given), point = given;
    for (const auto& [axis, size] : derived.values()) point.set(axis, size);
    const std::string data = point.text("data");
    // Given but not used, they would stand in the record as if they had been.
    if (data != "npy" && !point.text("path").empty())
      throw Error(fmt::format("path={} is for data=npy; data is {}", point.text("path"), data));
    for (const auto& axis : spec().axes)
      if (data != "colors" && (axis.name == "source" || axis.name == "target") &&
          point.value(axis.name) != axis.standard)
        throw Error(
            fmt::format("{}={} is for data=colors; data is {}", axis.name, point.text(axis.name), data));
    require_sense(point, spec());
    if (data == "colors") {
      for (const char* axis : {"source", "target"}) require_image(axis, point.text(axis));
    } else if (data == "npy") {
      require_user_arrays(point);
    }
    derived.set("d", static_cast<std::int64_t>(dimensions(point)));
    // Stochastic rows and columns, and as much mass for every point, are balanced transport.
    const bool balanced = data == "likelihood" || data == "surface";
    if (balanced)
      derived.set("fi", 1);
    else
      derived.set("fi", point.number("reg_m") / (point.number("reg_m") + point.number("reg")));
    return derived;
  }

  std::vector<ArraySpec> outputs(const Point& point) const override {
    const std::size_t M = items_of(point) * point.size("M"), N = point.size("N"), v = items_of(point) * N;
    const std::string type = is_double(point) ? "<f8" : "<f4";
    if (has_application(point)) return application_outputs(point);
    if (!has_matrix(point)) return {{"u", type, {M}}, {"v", type, {v}}};
    return {{"plan", type, {M, N}}, {"u", type, {M}}, {"v", type, {v}}};
  }

  std::vector<int> judged_after(const Point& point) const override {
    const bool once =
        to_solution(point) || has_application(point) || (!has_matrix(point) && !is_judged_in_full(point));
    return once ? std::vector<int>{1} : Family::judged_after(point);
  }

  double input_bytes(const Point& point) const override {
    const double M = point.number("M"), N = point.number("N");
    const double matrices = has_application(point) ? 0 : makes_K(point) + wants_costs(point);
    double more = 0;
    if (has_application(point))
      for (const auto& array : application_inputs(point)) {
        double cells = 1;
        for (const std::size_t along : array.shape) cells *= static_cast<double>(along);
        more += cells;
      }
    return (is_double(point) ? 8 : 4) * point.number("B") *
           (more + matrices * M * N +
            (1 + starts_warm(point) + static_cast<double>(dimensions(point))) * (M + N));
  }

  void prepare(const Point& point, const fs::path& folder) const override {
    forget();
    is_double(point) ? prepare_as<double>(point, folder) : prepare_as<float>(point, folder);
  }

  Judgement judge(const Point& point, const fs::path& inputs, const fs::path& outputs,
                  const Claim& claim) const override {
    const Point problem = problem_of(point);
    return is_double(point) ? judge_.judge<double>(problem, inputs, outputs, this->outputs(point), claim)
                            : judge_.judge<float>(problem, inputs, outputs, this->outputs(point), claim);
  }

  void forget() const override { judge_.forget(); }

  std::vector<Spared> spared(const Point& point) const override {
    std::vector<Spared> list;
    if (dimensions(point) > 0 && makes_K(point) && !has_application(point))
      list.push_back({"K", "absent", true});
    if (wants_costs(point)) list.push_back({"costs", "absent"});
    return list;
  }
  std::vector<std::string> lendable(const Point&) const override { return {"K"}; }
  std::vector<std::string> on_request(const Point&) const override { return {"plan"}; }

 private:
  template <class Real>
  static void prepare_as(const Point& point, const fs::path& folder) {
    const std::size_t B = items_of(point), M = point.size("M"), N = point.size("N");
    const std::size_t d = dimensions(point);
    std::vector<NpyArray> arrays;
    const auto array = [&](const char* name, std::vector<std::size_t> shape) {
      shape.front() *= B;
      arrays.push_back(NpyArray::create(folder / fmt::format("{}.npy", name), npy_type<Real>(), shape));
      return arrays.back().template as_mutable<Real>();
    };
    Inputs<Real> inputs{
        M, N, point.number("mass_b"), point.text("reg_type") == "kl", array("a", {M}), array("b", {N})};
    std::vector<Real> own;  // an application makes K itself; that it can is seen here
    if (has_application(point)) {
      own.resize(M * N);
      inputs.K = own;
    } else if (makes_K(point)) {
      inputs.K = array("K", {M, N});
    }
    inputs.rounded = rounds_costs(point);
    if (wants_costs(point)) inputs.C = array("C", {M, N});
    if (d > 0) inputs.X = array("X", {M, d});
    if (d > 0) inputs.Y = array("Y", {N, d});
    if (starts_warm(point)) read_user_start<Real>(point, array("log_u0", {M}), array("log_v0", {N}));
    for (std::size_t item = 0; item < B; ++item) try {
        fill_one(item_of(point, item), inputs.item(item, B));
      } catch (const Error& error) {
        if (B == 1) throw;
        throw Error(fmt::format("item {} of {}: {}", item, B, error.what()));
      }
    if (!has_application(point)) return;
    for (const auto& more : application_inputs(point))
      NpyArray::create(folder / (more.name + ".npy"), more.type, more.shape);
    Arrays application(folder, true);
    fill_application<Real>(point, application);
  }

  template <class Real>
  static void fill_one(const Point& point, Inputs<Real> inputs) {
    fill(point, inputs);
    if (!inputs.K.empty()) require_solvable(point, inputs);
  }

  mutable Judge judge_;  // mutable for what it remembers; an oracle serves one request at a time
};

const Uot uot;

}  // namespace
}  // namespace uotbench::uot
