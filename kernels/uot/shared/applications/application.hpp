// An application from end to end, as phases of a solve: what is before the scaling of a matrix in a
// program that uses it, the scaling by any kernel of this family that counts iterations, and what is made of
// the plan. `data` says which:
//
//   colors      colour transfer (Ferradans, Papadakis, Peyre, Aujol 2014; POT's plot_otda_color_images):
//               pixels of two pictures are drawn; each pixel of the first moves as the nearest drawn one
//               does. Pictures that are PNG files are read from their bytes, and the result is written as one
//   moons       domain adaptation (Courty, Flamary, Tuia, Rakotomamonjy 2017): labelled points move to those
//               without labels, which get that of the nearest
//   noisy       2-D entropic unbalanced transport (POT's plot_unbalanced_OT): points move
//   surface     a Sinkhorn filter (Pai, Ren, Melzi, Wonka, Ovsjanikov 2021): the map between features of two
//               surfaces is smoothed, and made one from point to point
//   likelihood  cooperative inference (Wang, Wang, Shafto 2020): a table of data x hypotheses is scaled to
//               the beliefs of a teacher and a learner who know of each other, and their agreement is
//               reported
//
// The point of a row moves to the barycentre of its row of the plan, sum_j P_ij y_j / sum_j P_ij.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "harness/protocol/point.hpp"
#include "harness/worker/arrays.hpp"
#include "harness/worker/buffer.hpp"

namespace uotbench::uot {

/// All but the scaling.
template <class Real>
class Application {
 public:
  /// The one of the point's `data`. timed/applications/application.cpp, which workers that time or judge
  /// link, sets it; null in a worker that counts.
  using Make = std::unique_ptr<Application> (*)(const Point&, Arrays& inputs);
  inline static Make make = nullptr;

  virtual ~Application() = default;
  /// M x N: K of the inputs. The phases before the scaling.
  virtual std::span<const Real> kernel() = 0;
  /// What the plan (M x N) is for. The phases after the scaling.
  virtual void use(const Buffer<Real>& plan) = 0;
  /// Writes the result; returns the names of its arrays.
  virtual std::vector<std::string> finish(Arrays& outputs) const = 0;

  std::span<const Real> a, b;  ///< M row masses, N column masses
};

}  // namespace uotbench::uot
