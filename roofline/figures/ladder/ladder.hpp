// The rungs of a ladder before they are drawn: variants in an order, each with what was measured or counted
// of it and what was published.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/view/published.hpp"
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

}  // namespace uotbench
