// Where column generation may start: potentials of a coarser level, or of entropic iterations.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "harness/worker/phases.hpp"
#include "kernels/simplex/problem.hpp"
#include "kernels/simplex/timed/coarse.hpp"
#include "kernels/simplex/timed/entropic.hpp"

namespace uotbench::simplex {

/// `starts`: those of the variant, coarse among them.
inline std::vector<Axis> starting_axes(std::vector<Value> starts, std::vector<Axis> more = {}) {
  using enum Axis::Kind;
  std::vector<Axis> axes{
      {.name = "start",
       .kind = text,
       .standard = "coarse",
       .values = std::move(starts),
       .about = "potentials it starts from: a coarser level's, those of a few entropic iterations, or none"},
      {.name = "margin",
       .kind = number,
       .standard = 1,
       .least = 0,
       .about = "what artificial arcs cost beyond the potentials, as a multiple of what those may be off"},
      {.name = "levels",
       .standard = 12,
       .least = 1,
       .most = 30,
       .about = "start=entropic: iterations, each at half of the regularisation before"}};
  for (Axis& axis : more) axes.push_back(std::move(axis));
  return axes;
}

/// Why this start cannot be; empty: it can.
inline std::string cannot_start(const Point& at) {
  if (at.text("start") != "entropic" && at.integer("levels") != 12) return "levels is for start=entropic";
  if (at.text("start") == "nothing" && at.number("margin") != 1)
    return "margin is for start=coarse and start=entropic";
  return "";
}

/// What artificial arcs cost at the start (u, v), and by how much they are raised where flow stays on them.
/// Masses are positive; no cost is above `most`; `exact`: all are integers.
inline Potentials start_at(const Point& at, const Clouds& clouds, std::span<const double> a,
                           std::span<const double> b, double most, bool exact) {
  const std::string start = at.text("start");
  if (start == "nothing") return from_nothing(clouds, most, exact);
  Potentials found = start == "coarse"
                         ? coarse_potentials<Region>(clouds, a, b, most)
                         : entropic_potentials<Region>(clouds, a, b, most, at.integer("levels"));
  found.raise *= at.number("margin");
  if (exact) {
    for (double& u : found.u) u = std::round(u);
    for (double& v : found.v) v = std::round(v);
    found.raise = std::ceil(found.raise);
  }
  found.raise = std::max(found.raise, exact ? 1 : 1e-9 * most + 1e-300);
  for (double& u : found.u) u += found.raise;
  return found;
}

}  // namespace uotbench::simplex
