// Times over two axes, as Fig. 8 of the MAP-UOT paper, with all tiles framed that may be the best; or what
// was counted, where no time says anything.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "results/base/error.hpp"
#include "results/base/text.hpp"
#include "roofline/draw/chart_axis.hpp"
#include "roofline/draw/drawing.hpp"
#include "roofline/draw/style.hpp"
#include "roofline/figures/charts/tile_map.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {
namespace {

constexpr double tile_height = 0.5, least_text = 4, comfortable_text = 5.5;
constexpr double frame_room = 0.2;  ///< cm of a tile's width that its frame takes

class TilesDrawer {
 public:
  TilesDrawer(const FigureSpec& spec, const std::vector<TileMap>& maps, const TileValue& value)
      : spec_(spec), maps_(maps), value_(value), written_(maps, value) {
    for (const auto& map : maps)
      for (const auto& tile : map.tiles) {
        longest_ = std::max(longest_, text_width(text_of_tile(tile), 1));
        if (const std::string per = per_of(tile);
            (" or " + per_ + " or ").find(" or " + per + " or ") == std::string::npos)
          per_ += (per_.empty() ? "" : " or ") + per;
        if (!value_.is_time()) sources_.insert(text_of(value_.counter_of(*tile.shown).origin));
      }
  }

  Drawing drawing() {
    lay_out();
    out_.data.columns = tile_columns(value_);
    out_.commands =
        "set border 0\nset tics scale 0 nomirror font ',7'\nunset key\nunset colorbox\nset multiplot\n";
    double top = canvas_.title(spec_.title);
    canvas_.footnote(
        value_.is_time()
            ? fmt::format("{} per {}; darker is slower; framed: cannot be distinguished from the fastest{}",
                          written_.name, per_, any_doubtful() ? "; ?: doubtful" : "")
            : fmt::format("{}, per {} ({}); darker is more", written_.name, per_, fmt::join(sources_, "; ")),
        0.05);
    for (std::size_t first = 0; first < maps_.size(); first += columns_) {
      const double height = row_height(first);
      for (std::size_t i = first; i < std::min(first + columns_, maps_.size()); ++i)
        draw(maps_[i], i, column_width() * static_cast<double>(i - first), top);
      top -= height;
    }
    out_.commands += "unset multiplot\n";
    return std::move(out_);
  }

 private:
  std::string per_of(const Tile& tile) const {
    return name_of(value_.is_time() ? tile.shown->member->record->time->per
                                    : value_.counter_of(*tile.shown).per);
  }

  bool is_doubtful(const Tile& tile) const {
    return value_.is_time() && !tile.shown->member->warnings.empty();
  }
  bool any_doubtful() const {
    return std::ranges::any_of(maps_, [&](const TileMap& map) {
      return std::ranges::any_of(map.tiles, [&](const Tile& tile) { return is_doubtful(tile); });
    });
  }
  /// "0.457", "0.457?" where its time is doubtful.
  std::string text_of_tile(const Tile& tile) const {
    return written_.text(tile.value) + (is_doubtful(tile) ? "?" : "");
  }

  double column_width() const { return out_.width / static_cast<double>(columns_); }
  double left_of(const TileMap& map) const {
    double width = 0;
    for (const auto& row : map.rows) width = std::max(width, text_width(row, text_size));
    return width + line_height() + 0.3;
  }
  double tile_width(const TileMap& map) const {
    return (column_width() - left_of(map) - 0.15) / static_cast<double>(map.columns.size());
  }
  /// Points in which the values fit into the tiles.
  double text_points(const TileMap& map) const {
    return std::min(text_size, (tile_width(map) - frame_room) / longest_);
  }
  double least_points() const {
    double points = text_size;
    for (const auto& map : maps_) points = std::min(points, text_points(map));
    return points;
  }
  double above(const TileMap& map) const { return map.title.empty() ? 0.1 : line_height() + 0.1; }
  static double below() { return 2 * line_height() + 0.2; }
  /// Of the maps that stand beside this one.
  double row_height(std::size_t first) const {
    double height = 0;
    for (std::size_t i = first; i < std::min(first + columns_, maps_.size()); ++i)
      height = std::max(height,
                        above(maps_[i]) + below() + tile_height_ * static_cast<double>(maps_[i].rows.size()));
    return height;
  }
  double rows_height() const {
    double height = 0;
    for (std::size_t first = 0; first < maps_.size(); first += columns_) height += row_height(first);
    return height;
  }

  void lay_out() {
    out_.width = spec_.width;
    for (columns_ = std::min<std::size_t>(maps_.size(), 4); columns_ > 1; --columns_)
      if (least_points() >= comfortable_text) break;
    if (least_points() < least_text)
      throw UsageError(fmt::format(
          "tiles: {} tiles in a row of {:.3g} cm are too narrow for their values; {:.3g} cm would do",
          widest(), out_.width, out_.width * least_text / least_points() * 1.1));
    const double fixed = 0.13 + line_height(small_size) + title_height(spec_.title);
    out_.height = fixed + rows_height();
    if (spec_.height) {
      const double tiles =
          (rows_height() - (tile_height_ = 0, rows_height())) / tile_height;  // rows of tiles
      tile_height_ = (*spec_.height - fixed - rows_height()) / tiles;
      if (tile_height_ < 0.25)
        throw UsageError(
            fmt::format("tiles: {:.3g} cm is too low for {:.0f} rows of tiles; {:.3g} cm would do",
                        *spec_.height, tiles, fixed + rows_height() + 0.25 * tiles));
      out_.height = *spec_.height;
    }
  }
  std::size_t widest() const {
    std::size_t columns = 0;
    for (const auto& map : maps_) columns = std::max(columns, map.columns.size());
    return columns;
  }

  void draw(const TileMap& map, std::size_t number, double left, double top) {
    const double columns = static_cast<double>(map.columns.size()),
                 rows = static_cast<double>(map.rows.size());
    const double ceiling = top - above(map);
    // The first row stands on top, as in a table.
    const Frame frame{.box = {.left = left + left_of(map),
                              .bottom = ceiling - rows * tile_height_,
                              .right = left + left_of(map) + columns * tile_width(map),
                              .top = ceiling},
                      .x = {-0.5, columns - 0.5, false},
                      .y = {rows - 0.5, -0.5, false}};
    const Box& box = frame.box;
    auto& text = out_.commands;
    if (number > 0) text += "unset label\n";
    text += frame.commands(out_) + tics('x', axis_of_names("", map.columns).ticks) + " offset 0,0.5\n" +
            tics('y', axis_of_names("", map.rows).ticks) + " offset 0.7,0\n";
    const double middle = (box.left + box.right) / 2;
    canvas_.label(fitted(map.title, 2 * std::min(middle, out_.width - middle), text_size), middle,
                  top - line_height() / 2, "center");
    canvas_.label(map.x, middle, box.bottom - 1.45 * line_height(), "center");
    canvas_.label(map.y, left + line_height() / 2, (box.bottom + box.top) / 2, "center rotate by 90");
    text += values(map, number);
    for (const auto& tile : map.tiles) describe(map, tile, frame);
  }

  /// The tiles, their frames and their values.
  std::string values(const TileMap& map, std::size_t number) const {
    const auto [least, most] = std::ranges::minmax(map.tiles, {}, &Tile::value);
    const double low = least.value, high = most.value;
    const bool far = low > 0 && high / low > 3;  // even steps would hide all differences among the fast
    const auto amount = [&](double value) {
      if (high <= low) return 0.;
      return far ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    };
    std::string data, frames, labels;
    std::vector<bool> there(map.columns.size() * map.rows.size());
    const auto label = [&](const std::string& value, std::size_t column, std::size_t row,
                           const std::string& colour) {
      labels += fmt::format("set label {} at first {}, first {} center front font ',{:.3g}' tc rgb {}\n",
                            gnuplot_text(value), column, row, text_points(map), gnuplot_text(colour));
    };
    for (const auto& tile : map.tiles) {
      const Shade colour = shade(amount(tile.value));
      data += fmt::format("{} {} {}\n", tile.column, tile.row, colour.rgb);
      if (tile.tied) frames += frame_of(map, tile);
      label(text_of_tile(tile), tile.column, tile.row, colour.text);
      there[tile.row * map.columns.size() + tile.column] = true;
    }
    for (std::size_t i = 0; i < there.size(); ++i)
      if (!there[i]) label("-", i % map.columns.size(), i / map.columns.size(), guide_colour);
    Layers layers;
    layers.add(fmt::format("map{}", number), data,
               {"using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fs solid 1 noborder lc rgb "
                "variable"});
    const auto framed = [](const char* colour, double width) {
      return fmt::format("using 1:2 with lines lc rgb '{}' lw {:g}", colour, width);
    };
    layers.add(fmt::format("tied{}", number), frames, {framed(halo_colour, 5), framed(near_black, 2.5)});
    return labels + layers.commands();
  }

  /// A closed line a little inside a tile; ends in a gap.
  std::string frame_of(const TileMap& map, const Tile& tile) const {
    constexpr double inset = 0.045;  // cm
    const double x = 0.5 - inset / tile_width(map), y = 0.5 - inset / tile_height_;
    std::string line;
    // The first side twice, so that the last corner is one, too.
    for (const auto& [right, down] : {std::pair{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}})
      line += fmt::format("{:.5g} {:.5g}\n", static_cast<double>(tile.column) + right * x,
                          static_cast<double>(tile.row) + down * y);
    return line + "\n";
  }

  void describe(const TileMap& map, const Tile& tile, const Frame& frame) {
    const double column = static_cast<double>(tile.column), row = static_cast<double>(tile.row);
    out_.hotspots.push_back({.left = frame.at_x(column - 0.5),
                             .bottom = frame.at_y(row + 0.5),
                             .right = frame.at_x(column + 0.5),
                             .top = frame.at_y(row - 0.5),
                             .text = tip_of(map, tile, value_)});
    out_.data.rows.push_back(row_of(map, tile, value_));
  }

  const FigureSpec& spec_;
  const std::vector<TileMap>& maps_;
  const TileValue& value_;
  TileNumbers written_;
  Drawing out_;
  Canvas canvas_{out_};
  std::string per_;
  std::set<std::string> sources_;  ///< of what was counted
  double longest_ = 0;             ///< cm of the longest value at one point
  double tile_height_ = tile_height;
  std::size_t columns_ = 1;
};

}  // namespace

Drawing tiles_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                     const std::vector<Ceilings>&) {
  const TileValue value{.name = spec.value == "time" ? "" : spec.value};
  auto shown = selected(spec, views, value.is_time() ? Need::time : Need::nothing);
  std::string why;
  std::size_t without = 0;
  std::erase_if(shown, [&](const Shown& one) {
    if (value.of(one)) return false;
    ++without;
    if (why.empty()) why = fmt::format("{}: {}", one.member->record->id, value.counter_of(one).reason);
    return true;
  });
  if (shown.empty())
    throw UsageError(fmt::format("tiles: no case has a value of {}; {}", value.name, on_one_line(why)));
  const auto maps = tile_maps(spec, shown, views, value);
  Drawing drawing = TilesDrawer(spec, maps, value).drawing();
  if (without > 0)
    drawing.notes.push_back(
        fmt::format("{} cases have no value of {}; {}", without, value.name, on_one_line(why)));
  return drawing;
}

}  // namespace uotbench
