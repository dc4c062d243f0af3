// What a roofline figure shows: a panel for each machine, with its roofs and the cases below them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "roofline/figures/figure.hpp"

namespace uotbench {

/// A bandwidth: a line of slope 1.
struct SlopedRoof {
  std::string name;      ///< "L2 412 GB/s"
  std::string level;     ///< as of a point
  double bandwidth = 0;  ///< bytes per second
  std::string label;     ///< its name; of levels that are hardly apart all names stand at the first
  bool mix = false;      ///< of a kernel that the cases' traffic is like; else the level's best
  std::string origin;    ///< what measured it
  /// Of the only variant whose points move most of their bytes as this kernel does, where other points move
  /// theirs as another; empty: no one variant's.
  std::string colour = {};
};

/// A flop rate: a level line.
struct FlatRoof {
  std::string name;  ///< "vector FMA 96 GFLOP/s"
  double flops = 0;  ///< per second
  bool main = true;  ///< the highest one, which bounds the others
  std::string origin;
};

struct RoofPoint {
  Shown shown;
  std::string label;               ///< of its variant, and what tells it from the variant's other points
  double intensity = 0;            ///< flops per byte, modelled
  double performance = 0;          ///< flops per second
  double low = 0, high = 0;        ///< performance at the ends of the time's noise; equal: not known
  std::optional<double> counted;   ///< flops per byte of DRAM traffic that was counted
  std::string level;               ///< where its data come from: DRAM, or "at 40.0 MiB" (RoofView::where)
  Footprint from = {};             ///< the same, as roofs are read off
  std::optional<double> fraction;  ///< of its roof
  bool doubtful = false;           ///< its time has warnings
};

struct RoofPanel {
  std::string machine;  ///< for a person
  std::string setting;  ///< "f32, 2 threads"; "specified"
  bool specified = false;
  /// The processors that the points were measured on, where the roofs are not theirs; else empty.
  std::string measured_on;
  std::string not_shown;           ///< "10 cases of f32, 1 thread", of other settings; empty: none
  std::vector<SlopedRoof> slopes;  ///< innermost level first
  std::vector<FlatRoof> flats;     ///< highest first
  std::vector<RoofPoint> points;
  /// Modelled intensities, drawn with what the roofs allow there: of specified machines without points.
  std::vector<double> intensities;

  /// Flops per second that its highest roofs allow; absent where it has none of a kind.
  std::optional<double> peak() const;
  /// The outermost level's.
  std::optional<double> slowest() const;
  double allowed(double intensity) const;
};

struct RooflineContents {
  std::vector<RoofPanel> panels;
  std::vector<std::string> notes;  ///< what was left out, and why
};

/// One setting (dtype, threads, place) has one set of roofs, so measured panels show the cases of one: that
/// with the most threads. Specified roofs fit all. Throws UsageError as `figure_of` does.
RooflineContents roofline_contents(const FigureSpec& spec, const std::vector<const RunView*>& views,
                                   const std::vector<Ceilings>& given);

// What a panel marks: its roofs, and the names of its points.

// The roofs of a roofline's panel.

/// Those that fit the panel's points, each level's best and the kernels that move data as the points do; of
/// `spec.level` alone where it names one. Throws UsageError: there is no such level.
void add_roofs(RoofPanel& panel, const Roofs& roofs, const FigureSpec& spec);

// What a roofline's points are called.

/// Each point's label: its variant's, and where a variant has several points, what differs among them
/// ("one_read 4096² 2 threads"); and its share of its roof. Of more points than a reader takes in, only each
/// variant's best has one.
void add_point_labels(std::vector<RoofPoint>& points);

}  // namespace uotbench
