#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <span>

#include "harness/worker/oracle/difference.hpp"
#include "kernels/common/oracle/images.hpp"
#include "kernels/uot/oracle/application.hpp"
#include "kernels/uot/oracle/data.hpp"
#include "kernels/uot/oracle/drawn.hpp"
#include "kernels/uot/oracle/reference.hpp"
#include "kernels/uot/oracle/sampled.hpp"
#include "results/base/error.hpp"

namespace uotbench::uot {
namespace {

namespace fs = std::filesystem;

// An f32 application rounds costs up to 60 times reg before their exponentials: 4e-6 of a cell of K, and what
// is scaled and averaged afterwards is off by less than 1e-5 (measured). Columns of the plan in a wrong
// order, or one left out, are off by 1e-3 and more.
template <class Real>
constexpr double application_tolerance = sizeof(Real) == 4 ? 1e-4 : 1e-9;

std::vector<double> widened(const auto& values) { return {values.begin(), values.end()}; }

double squared(const double* one, const double* other, std::size_t d) {
  double sum = 0;
  for (std::size_t c = 0; c < d; ++c) sum += (one[c] - other[c]) * (one[c] - other[c]);
  return sum;
}

struct Nearest {
  std::size_t index = 0;
  double apart = std::numeric_limits<double>::infinity();  ///< squared
};

/// The first of those of `points` that are nearest.
Nearest nearest_of(const double* query, const std::vector<double>& points, std::size_t d) {
  Nearest best;
  for (std::size_t k = 0; k * d < points.size(); ++k)
    if (const double apart = squared(query, &points[k * d], d); apart < best.apart) best = {k, apart};
  return best;
}

/// Of every query.
std::vector<Nearest> all_nearest(const std::vector<double>& queries, const std::vector<double>& points,
                                 std::size_t d) {
  std::vector<Nearest> all(queries.size() / d);
#pragma omp parallel for schedule(static)
  for (std::size_t q = 0; q < all.size(); ++q) all[q] = nearest_of(&queries[q * d], points, d);
  return all;
}

/// Pixels of few colours, each looked up once.
std::vector<std::size_t> nearest_pixels(const std::vector<double>& pixels, const std::vector<double>& drawn) {
  std::map<std::uint32_t, std::size_t> place;
  std::vector<double> colours;
  std::vector<std::size_t> of(pixels.size() / 3);
  for (std::size_t p = 0; p < of.size(); ++p) {
    const double* const pixel = &pixels[3 * p];
    const auto code = static_cast<std::uint32_t>((pixel[0] * 256 + pixel[1]) * 256 + pixel[2]);
    const auto [known, fresh] = place.try_emplace(code, place.size());
    if (fresh) colours.insert(colours.end(), pixel, pixel + 3);
    of[p] = known->second;
  }
  const auto nearest = all_nearest(colours, drawn, 3);
  for (auto& at : of) at = nearest[at].index;
  return of;
}

/// The output besides the points; null: they are all.
const char* answer_of(const std::string& data) {
  if (data == "colors") return "picture";
  if (data == "moons") return "labelled";
  if (data == "surface") return "matches";
  return data == "likelihood" ? "agreement" : nullptr;
}

/// u_i K_ij v_j.
class Plan {
 public:
  Plan(std::vector<double> K, const Reference& scaled) : cells(std::move(K)), N(to_size(scaled.v.size())) {
    for (std::size_t k = 0; k < cells.size(); ++k)
      cells[k] *= scaled.u.data()[k / N] * scaled.v.data()[k % N];
  }
  std::vector<double> cells;
  std::size_t N;

 private:
  static std::size_t to_size(Eigen::Index size) { return static_cast<std::size_t>(size); }
};

/// sum_j P_ij y_j / sum_j P_ij.
std::vector<double> barycentres(const Plan& plan, const std::vector<double>& X, const std::vector<double>& Y,
                                std::size_t d) {
  std::vector<double> moved = X;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < X.size() / d; ++i) {
    const double* const row = &plan.cells[i * plan.N];
    const double mass = std::accumulate(row, row + plan.N, 0.);
    if (mass == 0) continue;
    for (std::size_t c = 0; c < d; ++c) {
      double sum = 0;
      for (std::size_t j = 0; j < plan.N; ++j) sum += row[j] * Y[j * d + c];
      moved[i * d + c] = sum / mass;
    }
  }
  return moved;
}

/// sum_i P_ij / c_j P_ij / r_i of each column.
std::vector<double> agreement(const Plan& plan) {
  std::vector<double> index(plan.N, 0), columns(plan.N, 0);
  for (std::size_t i = 0; i < plan.cells.size() / plan.N; ++i) {
    const double* const row = &plan.cells[i * plan.N];
    const double mass = std::accumulate(row, row + plan.N, 0.);
    for (std::size_t j = 0; j < plan.N; ++j) {
      columns[j] += row[j];
      index[j] += row[j] * row[j] / mass;
    }
  }
  for (std::size_t j = 0; j < plan.N; ++j) index[j] /= columns[j];
  return index;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::abs(value);
  return sum / static_cast<double>(values.size());
}

/// How many labels are those that the points were drawn with.
double accuracy(const std::vector<double>& labels) {
  const auto truth = moon_labels(labels.size(), false);
  std::size_t right = 0;
  for (std::size_t j = 0; j < labels.size(); ++j) right += labels[j] == truth[j];
  return static_cast<double>(right) / static_cast<double>(labels.size());
}

/// As far away as the nearest, as f32 can tell.
bool as_near(double apart, double least) { return apart <= least * (1 + 1e-4) + 1e-9; }

/// Labels that follow from the points as they were moved: `got` where it is one of the nearest's.
std::vector<double> right_labels(const std::vector<double>& Y, const std::vector<double>& moved,
                                 const std::vector<double>& labels, const std::vector<double>& got) {
  std::vector<double> right(got.size());
  for (std::size_t j = 0; j < got.size(); ++j) {
    const double* const point = &Y[2 * j];
    const Nearest nearest = nearest_of(point, moved, 2);
    right[j] = labels[nearest.index];
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == got[j] && as_near(squared(point, &moved[2 * i], 2), nearest.apart)) right[j] = got[j];
  }
  return right;
}

/// Likewise the points that are nearest to where rows were moved.
std::vector<double> right_matches(const std::vector<double>& Y, const std::vector<double>& moved,
                                  const std::vector<double>& got) {
  constexpr std::size_t d = surface_features;
  const auto nearest = all_nearest(moved, Y, d);
  std::vector<double> right(got.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    right[i] = static_cast<double>(nearest[i].index);
    const bool names_one = got[i] >= 0 && got[i] < static_cast<double>(Y.size() / d);
    if (names_one &&
        as_near(squared(&moved[i * d], &Y[static_cast<std::size_t>(got[i]) * d], d), nearest[i].apart))
      right[i] = got[i];
  }
  return right;
}

/// What is wrong with the file that a picture was written to.
template <class Real>
std::string png_reason(const std::vector<double>& picture, std::span<const Real> written,
                       const std::vector<std::size_t>& shape) {
  std::vector<std::uint8_t> bytes;
  for (const Real byte : written) {
    if (!(byte >= 0 && byte <= 255)) return fmt::format("png holds {}, which is no byte", byte);
    bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  try {
    const Image file = image_in("png", bytes);
    if (file.height != shape[0] || file.width != shape[1])
      return fmt::format("png is of {} x {} pixels, not {} x {}", file.width, file.height, shape[1],
                         shape[0]);
    const auto differs = std::ranges::mismatch(file.rgb, picture).in1;
    if (differs == file.rgb.end()) return "";
    return fmt::format("png is another picture: value {} is {}, not {}", differs - file.rgb.begin(), *differs,
                       picture[static_cast<std::size_t>(differs - file.rgb.begin())]);
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

template <class Real>
const ApplicationJudge::Right& ApplicationJudge::right(const Point& problem, const fs::path& folder,
                                                       Arrays& inputs) {
  for (const auto& known : known_)
    if (known.folder == folder && known.problem == problem) return known.right;
  const std::string data = problem.text("data");
  const auto given = [&](const char* name) { return widened(inputs[name].as<Real>()); };
  std::vector<double> K = data == "likelihood" ? likelihoods(given("table"), problem.size("N"))
                                               : kernel_of_points<Real>(problem, inputs);
  const auto scaled = solve<Real, double>(
      std::span<const double>(K), inputs["a"].as<Real>(), inputs["b"].as<Real>(), problem.number("fi"),
      problem.text("scheme") == "damped", static_cast<int>(problem.integer("application")));
  if (!scaled.overflow.empty()) throw Error("the reference overflows: " + scaled.overflow);
  const Plan plan(std::move(K), scaled);
  Right right;
  if (data == "likelihood") {
    right.answer = agreement(plan);
  } else {
    const std::vector<double> X = given("X");
    right.moved = barycentres(plan, X, given("Y"), dimensions(problem));
    if (data == "colors") {
      const std::vector<double> pixels = given("pixels");
      std::vector<double> drawn;
      for (const auto pixel : inputs["picked"].as<std::int32_t>())
        drawn.insert(drawn.end(), &pixels[3 * static_cast<std::size_t>(pixel)],
                     &pixels[3 * static_cast<std::size_t>(pixel)] + 3);
      const auto nearest = nearest_pixels(pixels, drawn);
      right.answer = pixels;
      for (std::size_t p = 0; p < nearest.size(); ++p)
        for (std::size_t c = 0; c < 3; ++c) {
          const std::size_t at = 3 * nearest[p] + c;
          double& level = right.answer[3 * p + c];
          level = std::clamp(level + 255 * (right.moved[at] - X[at]), 0., 255.);
        }
    }
  }
  known_.push_back({folder, problem, std::move(right)});
  return known_.back().right;
}

/// Points are held against the reference's. An answer is held against what follows from the points as they
/// were moved, where the nearest of two equally near ones is anybody's; levels of a picture may be rounded.
template <class Real>
Judgement ApplicationJudge::judge(const Point& problem, const fs::path& folder, const fs::path& outputs,
                                  const Claim& claim) {
  const double tolerance = claim.tolerance.value_or(application_tolerance<Real>);
  const std::string data = problem.text("data");
  Arrays inputs(folder, false), got(outputs, false);
  const Right& want = right<Real>(problem, folder, inputs);
  Judgement judgement{.check = {.error = 0, .tolerance = tolerance, .oracle = "application-f64"},
                      .reason = {}};
  auto& [check, reason] = judgement;
  const auto compared = [&](const char* name, const std::vector<double>& should) {
    const auto shape = got[name].shape();
    const std::size_t rows = shape.size() == 1 ? 1 : shape[0], columns = should.size() / rows;
    const auto row = [&](std::size_t i, std::span<double> to) {
      std::copy_n(should.begin() + static_cast<std::ptrdiff_t>(i * columns), columns, to.begin());
    };
    const Difference difference =
        compare({name, rows, columns, shape.size() == 1, claim.threads},
                std::span<const Real>(got[name].as<Real>()), row, mean_of(should), tolerance);
    if (reason.empty()) reason = difference.reason();
    if (check.worst.empty() || difference.error() > check.error) {
      check.error = difference.error();
      check.worst = name;
    }
  };
  if (!want.moved.empty()) compared("moved", want.moved);
  const char* const name = answer_of(data);
  if (!name || !reason.empty()) return judgement;

  const std::vector<double> answer = widened(got[name].as<Real>());
  std::vector<double> should = want.answer;
  if (data == "colors") {
    constexpr double rounding = .5 + 1e-2;  // of f32, too
    for (std::size_t p = 0; p < should.size(); ++p)
      if (std::abs(answer[p] - should[p]) <= rounding && answer[p] == std::round(answer[p]))
        should[p] = answer[p];
  }
  if (data == "moons" || data == "surface") {
    const std::vector<double> Y = widened(inputs["Y"].as<Real>()), moved = widened(got["moved"].as<Real>());
    should = data == "moons" ? right_labels(Y, moved, widened(inputs["labels"].as<Real>()), answer)
                             : right_matches(Y, moved, answer);
  }
  compared(name, should);
  if (reason.empty() && got.has("png"))
    reason = png_reason(answer, got["png"].as<Real>(), got["picture"].shape());
  if (!reason.empty()) return judgement;
  if (data == "moons") {
    std::vector<double> unmoved;  // what the points would get without transport
    const std::vector<double> labels = widened(inputs["labels"].as<Real>());
    for (const auto& near : all_nearest(widened(inputs["Y"].as<Real>()), widened(inputs["X"].as<Real>()), 2))
      unmoved.push_back(labels[near.index]);
    check.found = {{"accuracy", accuracy(answer)}, {"accuracy_before", accuracy(unmoved)}};
  }
  if (data == "surface") {
    double sum = 0;
    for (std::size_t i = 0; i < answer.size(); ++i)
      sum += surface_angle(i, problem.size("M"), static_cast<std::size_t>(answer[i]), problem.size("N"));
    check.found = {{"degrees", sum / static_cast<double>(answer.size())}};
  }
  if (data == "likelihood") check.found = {{"agreement", mean_of(answer)}};
  return judgement;
}

template Judgement ApplicationJudge::judge<float>(const Point&, const fs::path&, const fs::path&,
                                                  const Claim&);
template Judgement ApplicationJudge::judge<double>(const Point&, const fs::path&, const fs::path&,
                                                   const Claim&);

}  // namespace uotbench::uot
