// The rungs of a ladder before they are drawn: variants in an order, each with what was measured or counted
// of it and what was published.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/view/published.hpp"
#include "roofline/draw/chart_axis.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

/// What a panel shows where it shows no counter: flops over time.
inline constexpr const char* ladder_rate = "rate";

/// What `spec.value` lists, each once; nothing where it is empty.
std::vector<std::string> ladder_values(const FigureSpec& spec);

/// Ours on one rung.
struct LadderBar {
  const Shown* shown = nullptr;
  double value = 0;  ///< flops per second, or a count as the panel has it
  double scale = 1;  ///< by which the count was multiplied
  std::string source;
  std::size_t worker = 0;  ///< of the ladder's
  bool doubtful = false;   ///< a rate of a time that has warnings
};

/// Published on one rung.
struct LadderStep {
  double value = 0;
  int digits = 1;  ///< that it was published with
};

struct LadderPanel {
  std::string quantity;  ///< `ladder_rate`, or a counter's or metric's name
  std::string unit;
  bool scaled = false;                              ///< counts are those of the published problem
  std::vector<std::optional<LadderBar>> ours = {};  ///< one element a rung; absent is not 0
  std::vector<std::vector<std::optional<LadderStep>>> theirs = {};  ///< of every machine one element a rung

  bool is_rate() const { return quantity == ladder_rate; }
  /// Of ours or of theirs.
  bool has_value(std::size_t rung) const;
};

struct LadderWorker {
  std::string name;
  std::vector<std::string> sizes;  ///< "N:256", of the problems that it solved
};

struct Ladder {
  std::vector<std::string> variants;  ///< the rungs
  std::vector<std::string> labels;
  std::vector<LadderPanel> panels;
  std::vector<LadderWorker> workers;       ///< of ours
  std::vector<PublishedMachine> machines;  ///< of published values
  double flops = 0;                        ///< of the published problem; 0: nothing is published
  std::vector<std::string> notes;          ///< of which of several cases a rung is
};

/// What `spec.order` names stands first, then what is published, in its order; the run's further variants
/// stand behind the one that they follow in the run. A rung with several cases has the fastest, or of counts
/// the one nearest in size to what was published. `shown`: as `selected` gives it; the ladder keeps pointers
/// to it. Throws UsageError where a panel has no value of ours and none published.
Ladder ladder_of(const FigureSpec& spec, const std::vector<const RunView*>& views,
                 const std::vector<Shown>& shown);

// How the values of a ladder's panel are written, and where they stand.

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
