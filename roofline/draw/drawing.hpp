// A figure, ready to be drawn: the commands for gnuplot, the same for all formats of the file; and its key.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "roofline/draw/style.hpp"

namespace uotbench {

/// A part of the figure that tells more when pointed at (SVG only). Centimetres from the lower left corner.
struct Hotspot {
  double left = 0, bottom = 0, right = 0, top = 0;
  std::string text;  ///< lines; escaped when written
};

/// A table that the figure shows: written by --data, one row a drawn thing.
struct DataTable {
  std::vector<std::string> columns;  ///< with units: median_s, attainable_flops
  std::vector<std::vector<std::string>> rows;
};

struct Drawing {
  double width = 8.8, height = 6.2;  ///< cm; 8.8 is a column of a two-column paper
  /// gnuplot commands without terminal and output. Data stand in them as here-documents ($name << EOD), so
  /// that the script alone is the figure. Texts only through `gnuplot_text`.
  std::string commands;
  std::vector<Hotspot> hotspots;
  DataTable data;
  std::vector<std::string> notes;          ///< for the person who asked for it: what was left out, and why
  std::vector<std::string> warnings = {};  ///< what makes its numbers doubtful
  std::string doubts = {};                 ///< "the times of 15 of 20 cases are doubtful"; in `warnings`, too
  std::string about = {};                  ///< a sentence: what it shows; empty: what its kind shows
  std::string intervals = {};  ///< what its vertical lines are, as "the range of the processes"; empty: none
  std::string caption = {};    ///< sentences, plain text, once the figure is whole
  /// Cases that the figure could not show, by id, and why; in `notes` and `data`, too, once it is whole.
  std::vector<std::pair<std::string, std::string>> left_out = {};
};

/// A text as a gnuplot string that is drawn as it is: no markup, no commands; line ends are blanks, and what
/// cannot be drawn is as visible() spells it.
std::string gnuplot_text(const std::string& text);
/// The same for a list of tics, whose texts gnuplot takes for formats of their values.
std::string gnuplot_tic(const std::string& text);

inline constexpr double cm_per_inch = 2.54, cm_per_point = cm_per_inch / 72;

/// A rectangle on the canvas: centimetres from the lower left corner.
struct Box {
  double left = 0, bottom = 0, right = 0, top = 0;

  double width() const { return right - left; }
  double height() const { return top - bottom; }
};

struct Segment {
  double x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

/// From values to places along one side of a plot.
struct Scale {
  double low = 0, high = 1;  ///< the values at both ends; above 0 where logarithmic
  bool logarithmic = false;

  /// 0 at `low`, 1 at `high`.
  double fraction(double value) const;
};

/// A plot whose place is known before it is drawn.
struct Frame {
  Box box;
  Scale x, y;

  /// Centimetres on the canvas.
  double at_x(double value) const { return box.left + x.fraction(value) * box.width(); }
  double at_y(double value) const { return box.bottom + y.fraction(value) * box.height(); }
  /// The commands that put the next plot there: margins, ranges, logarithmic axes.
  std::string commands(const Drawing& drawing) const;
};

/// Okabe and Ito's colours (safe for colour-blind readers), ordered so that neighbours differ in grey, too;
/// shapes, dashes and fills go along with them. Colours repeat after 8, with others of these; looks after 64.
struct Look {
  std::string colour;  ///< #rrggbb
  int shape;           ///< gnuplot's point type
  int dash;            ///< gnuplot's dash type
  std::string fill;    ///< gnuplot's of a bar: every second one is hatched, so that they differ in grey, too
};
Look look(std::size_t index);

/// The outline of a shape that `look` gives.
int open_shape(int shape);

// What stands around the plots of a figure, as commands: places are centimetres from the lower left corner.

struct Stroke {
  double width = 1;
  std::string colour;
  int dash = 1;  ///< gnuplot's dash type
};

struct Marker {
  int shape = 7;    ///< gnuplot's point type
  double size = 1;  ///< gnuplot's
  std::string colour;
};

/// Around a mark whose time is doubtful.
inline const Marker doubt_ring{.shape = 6, .size = 1.7, .colour = doubt_colour};

/// Adds commands to a drawing whose width and height are known.
class Canvas {
 public:
  /// Everything stands `lift` above the places given.
  explicit Canvas(Drawing& drawing, double lift = 0) : drawing_(drawing), lift_(lift) {}

  /// `how`: "right rotate by 90".
  void label(const std::string& text, double x, double y, const std::string& how = "",
             double points = text_size);
  /// `how`: "back".
  void line(const Segment& line, const Stroke& stroke, const std::string& how = "");
  void mark(double x, double y, const Marker& marker);
  /// `fill`: "solid 1 noborder".
  void box(const Box& box, const std::string& colour, const std::string& fill);

  /// The head of a figure; returns where what follows below it begins.
  double title(const std::optional<std::string>& text);
  /// A small line at the left, `bottom` above the lower edge.
  void footnote(const std::string& text, double bottom);

 private:
  /// "screen 0.1, screen 0.2"
  std::string at(double x, double y) const;

  Drawing& drawing_;
  double lift_;
};

/// What a title takes of a figure's height; 0 without one.
double title_height(const std::optional<std::string>& title);

// The key of a figure: what each colour, shape and pattern stands for.

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
