// What is written below a figure: what it shows, of which machine and when, and what to doubt.
#pragma once

#include <string>
#include <vector>

#include "roofline/figures/figure.hpp"

namespace uotbench {

/// A kind of figure on a page.
struct KindWords {
  std::string title;  ///< "Roofline"
  std::string about;  ///< a sentence: what it shows
};
KindWords words_of(const std::string& kind);

/// Sentences in plain text: what is shown, what the vertical lines are, the machines and dates of the runs,
/// how many times are doubtful, and the drawing's notes. Without a file's name: a paper's reader has no such
/// file.
std::string caption_of(const std::string& kind, const std::vector<const RunView*>& views,
                       const Drawing& drawing);

}  // namespace uotbench
