// How the values of a ladder's panel are written, and where they stand.
#pragma once

#include <string>
#include <vector>

#include "roofline/draw/chart_axis.hpp"
#include "roofline/figures/ladder/ladder.hpp"

namespace uotbench {

/// At most three digits, and those before the point; of a number with fewer (`digits`) in thousands: "1.6k".
std::string ladder_text(double value, int digits = 3);

/// Keeps a reference to its panel.
class LadderAxis {
 public:
  explicit LadderAxis(const LadderPanel& panel);

  /// Logarithmic for rates, and where values are far apart.
  ChartAxis axis;
  const LadderPanel& panel;

  /// "flop rate, GFLOP/s", "GPU.load_sectors, in 10⁶ *": the star where counts are scaled.
  const std::string& name() const { return name_; }
  /// As the axis counts.
  double in_unit(double value) const { return value / divisor_; }
  /// Where it stands on the axis; 0 has no place on a logarithmic one, and stands at its foot.
  double place(double value) const;
  /// Leaves `above` free over the highest value, of a plot `height` high, in the same unit of length.
  void make_room(double above, double height);

 private:
  void set_ticks();

  std::string name_;
  double divisor_ = 1;
};

// What a rung tells: on pointing at it, and in the figure's table.

std::vector<std::string> ladder_columns();
/// A row for each published value, or one of ours alone. The rung has a value.
std::vector<std::vector<std::string>> rows_of(const Ladder& ladder, const LadderPanel& panel,
                                              std::size_t rung);
std::string tip_of(const Ladder& ladder, const LadderPanel& panel, std::size_t rung);

}  // namespace uotbench
