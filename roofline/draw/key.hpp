// The key of a figure: what each colour, shape and pattern stands for.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "roofline/draw/drawing.hpp"

namespace uotbench {

struct KeyEntry {
  std::string text;
  std::string note = {};               ///< in a column of its own; left out where there is no room
  std::optional<Stroke> line = {};     ///< over the sample's whole width
  std::optional<Marker> marker = {};   ///< in its middle
  std::optional<Stroke> upright = {};  ///< a vertical line in its middle
  std::optional<Box> box = {};         ///< from the sample's beginning, at half the row's height
  std::string colour = {}, fill = {};  ///< of the box
};

/// Centimetres.
struct KeyStyle {
  enum class Order {
    down,    ///< columns that share the width; full rows at the top
    across,  ///< columns as narrow as the widest entry; row by row
    packed   ///< no columns
  };
  Order order = Order::down;
  double left = 0.1, right = 0.1;               ///< margins
  double sample = 0.5, space = 0.1, gap = 0.3;  ///< of an entry: its sample, before its text, behind it
  double row = line_height(), below = 0.1;      ///< a row's height, and what is left free under all
};

/// Over the whole width, in as few rows as hold it; texts that are wider are cut.
class Key {
 public:
  Key(std::vector<KeyEntry> entries, const KeyStyle& style, double width);

  std::size_t rows() const;
  double height() const;  ///< cm; 0 without entries
  /// `top`: cm from the figure's lower edge.
  void draw(Canvas& canvas, double top) const;

 private:
  void set_columns(double width);
  void pack(double width);
  double before_text(const KeyEntry& entry) const;  ///< cm

  KeyStyle style_;
  std::vector<KeyEntry> entries_;
  std::vector<std::pair<double, std::size_t>> places_;  ///< left end and row
  double text_width_ = 0;                               ///< of the widest
};

}  // namespace uotbench
