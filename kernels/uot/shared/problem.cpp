// What all variants of the family share and nobody times, compiled once for all workers.
#include "kernels/uot/problem.hpp"

#include <string>

#include "kernels/uot/shared/applications/application.hpp"

namespace uotbench::uot {
namespace {

bool to_solution(const Point& at) { return at.text("stop") == "change"; }

/// Whether an application has the kernel scale its matrix.
bool applies(const Abilities& able, const VariantSpec& spec) {
  return able.unit == Unit::iteration && spec.matrices > 0 && !spec.steps;
}

}  // namespace

template <class Real>
Problem<Real>::Problem(const Point& point, Arrays& inputs, const Team& its_team)
    : M(point.size("M")),
      N(point.size("N")),
      fi(static_cast<Real>(point.number("fi"))),
      damped(point.text("scheme") == "damped"),
      K(inputs.given<Real>("K")),
      a(inputs["a"].as<Real>()),
      b(inputs["b"].as<Real>()),
      C(inputs.given<Real>("C")),
      X(inputs.given<Real>("X")),
      Y(inputs.given<Real>("Y")),
      d(X.size() / M),
      stopping{to_solution(point), point.number("tol"), point.integer("max_iterations"),
               point.has("stop_after") ? point.integer("stop_after") : 0},
      team(its_team),
      at(point),
      log_u0(inputs.given<Real>("log_u0")),
      log_v0(inputs.given<Real>("log_v0")) {}

template <class Real>
Problem<Real>::Problem(const Point& point, const Team& its_team, std::span<const Real> block,
                       std::span<const Real> its_a, std::span<const Real> its_b)
    : M(its_a.size()),
      N(its_b.size()),
      fi(static_cast<Real>(point.number("fi"))),
      damped(point.text("scheme") == "damped"),
      K(block),
      a(its_a),
      b(its_b),
      d(0),
      stopping{},
      team(its_team),
      at(point) {}

template <class Real>
Result<Real>::Result(Arrays& outputs)
    : plan(outputs.has("plan") ? outputs["plan"].as_mutable<Real>() : std::span<Real>()),
      u(outputs["u"].as_mutable<Real>()),
      v(outputs["v"].as_mutable<Real>()) {}

template <class Real>
void Result<Real>::write_scalings(std::span<const Real> from_u, std::span<const Real> from_v) {
  std::ranges::copy(from_u, u.begin());
  std::ranges::copy(from_v, v.begin());
  written = {"u", "v"};
  if (!plan.empty()) written.insert(written.begin(), "plan");
}

template struct Problem<float>;
template struct Problem<double>;
template struct Result<float>;
template struct Result<double>;

std::string no_batches(const std::string& name, const Point& at) {
  return items_of(at) == 1 ? "" : name + " takes one problem a call: B must be 1";
}

std::string no_start(const std::string& name, const Point& at) {
  return at.has("warm") && at.text("warm") != "no" ? name + " starts from u = v = 1: warm must be no" : "";
}

bool is_whole_solve(const Point& at) { return to_solution(at) || application_of(at) > 0; }

double memory_of(const VariantSpec& spec, const Point& at) {
  const double M = at.number("M"), N = at.number("N");
  const double matrices = spec.matrices + (application_of(at) > 0 && !spec.device ? 2 : 0);
  const double items = static_cast<double>(items_of(at));
  return width(at) * (matrices * items * M * N + (1 + items + at.number("threads")) * (M + N));
}

std::string cannot_do(const Abilities& able, const VariantSpec& spec, const Point& at) {
  if (!able.batches)
    if (std::string reason = no_batches(spec.name, at); !reason.empty()) return reason;
  if (!able.starts)
    if (std::string reason = no_start(spec.name, at); !reason.empty()) return reason;
  if (!able.from_points && at.text("matrix") == "never")
    return spec.name + " reads K, which matrix=never does not make";
  if (!able.from_points && at.has("K")) return spec.name + " reads K, which K=absent does not make";
  if (to_solution(at) && !able.solves)
    return spec.name + " counts iterations and has no stopping test: stop must be iterations";
  if (!to_solution(at) && !able.canonical)
    return spec.name +
           " takes other steps than the iteration that is verified step by step: stop must be change";
  if (application_of(at) > 0 && !Application<float>::make)
    return "applications are timed, and this build counts: application must be 0";
  if (application_of(at) > 0 && !applies(able, spec))
    return spec.name + " scales no matrix that an application has made: application must be 0";
  return "";
}

}  // namespace uotbench::uot
