// Runs of known times, made for tests of figures.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "results/base/document.hpp"
#include "results/base/json.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/tests/made_record.hpp"
#include "results/view/view.hpp"
#include "roofline/draw/gnuplot.hpp"
#include "roofline/tests/made.hpp"
#include "roofline/tests/read_figure.hpp"

namespace uotbench {

// Runs of known times, round by round, and what is found in the figures drawn of them.

/// A case of the family uot, whose problem is M and N, timed once a round.
struct Rounds {
  std::string variant;
  Json point;
  std::vector<double> seconds;
  Work work = {.flops = 4e6, .bytes_read = 4e6, .bytes_written = 4e6};
  Json counters = Json::object();
};

inline Run run_of_rounds(const std::vector<Rounds>& cases, const Json& speedup_over = {}) {
  Run run;
  run.path = "folder/made.jsonl";
  run.header = made_header({{"kind", "run"},
                            {"machine", made_machine()},
                            {"sweep", {{"speedup_over", speedup_over}}},
                            {"problem_axes", {{"uot", {"M", "N"}}}}});
  for (const auto& made : cases) {
    Record record;
    record.variant = made.variant;
    record.worker = "native-v4";
    record.point = made.point;
    record.id = made.variant;
    for (const auto& [axis, value] : made.point.items())
      record.id += fmt::format("/{}:{}", axis, value_text(value));
    record.id += "@native-v4";
    record.work = made.work;
    record.counters = counters_from(made.counters);
    record.time = Timing{};
    for (const double seconds : made.seconds) {
      ProcessSamples process;
      process.samples = {seconds, seconds};
      record.time->processes.push_back(process);
    }
    run.records.push_back(std::move(record));
  }
  return run;
}

/// Centimetres from the lower left corner, as hotspots have them.
struct Place {
  double x = 0, y = 0;
};

/// Of a place in the SVG, which counts whole pixels from the upper left corner.
inline Place place_of(double x, double y, const Drawing& drawing) {
  const auto pixels = [](double cm) { return std::round(cm * 96 / 2.54); };
  return {x / pixels(drawing.width) * drawing.width,
          drawing.height - y / pixels(drawing.height) * drawing.height};
}

/// The middles of all gnuplot's markers.
inline std::vector<Place> markers_in(const std::string& svg, const Drawing& drawing) {
  std::vector<Place> places;
  for (const auto& found : matches(svg, "<use [^>]*translate\\(([0-9.]+),([0-9.]+)\\)"))
    places.push_back(place_of(std::stod(found[1]), std::stod(found[2]), drawing));
  return places;
}

/// The box around a list of coordinates.
inline Box box_around(const std::string& points, const Drawing& drawing) {
  Box box{.left = 1e9, .bottom = 1e9, .right = -1e9, .top = -1e9};
  for (const auto& found : matches(points, "(-?[0-9.]+),(-?[0-9.]+)")) {
    const auto [x, y] = place_of(std::stod(found[1]), std::stod(found[2]), drawing);
    box = {std::min(box.left, x), std::min(box.bottom, y), std::max(box.right, x), std::max(box.top, y)};
  }
  return box;
}

/// All filled shapes: bars, tiles, the key's samples.
inline std::vector<Box> shapes_in(const std::string& svg, const Drawing& drawing) {
  std::vector<Box> boxes;
  for (const auto& found : matches(svg, "<polygon [^>]*points *= *[\"']([^\"']*)"))
    boxes.push_back(box_around(found[1], drawing));
  return boxes;
}

/// All lines of a colour, "rgb( 16,  16,  16)", each from where the pen is put down.
inline std::vector<Box> lines_in(const std::string& svg, const std::string& colour, const Drawing& drawing) {
  std::vector<Box> boxes;
  for (const auto& found : matches(svg, "<path stroke=[\"']([^\"']*)[\"'] +d=[\"']([^\"']*)"))
    if (const std::string line = found[2]; found[1] == colour)
      for (const auto& part : matches(line, "M[^M]*")) boxes.push_back(box_around(part[0], drawing));
  return boxes;
}

/// Equal to a tenth of a millimetre; the SVG rounds.
inline bool same(const Box& a, const Box& b, double within = 0.01) {
  return std::fabs(a.left - b.left) < within && std::fabs(a.bottom - b.bottom) < within &&
         std::fabs(a.right - b.right) < within && std::fabs(a.top - b.top) < within;
}

// Runs of kernels on square matrices, and the check that a chart's hotspots are where its points are.

inline Rounds timed(const std::string& variant, int size, int threads, const std::vector<double>& seconds) {
  const double bytes = 4. * size * size;
  return {.variant = variant,
          .point = {{"M", size}, {"N", size}, {"threads", threads}},
          .seconds = seconds,
          .work = {.flops = bytes, .bytes_read = bytes, .bytes_written = bytes, .working_set = bytes}};
}

/// Over uot/base, uot/ours is 2 and 4 times as fast.
inline Run two_speedups() {
  return run_of_rounds(
      {timed("uot/base", 512, 1, {2e-3, 2e-3, 2e-3}), timed("uot/ours", 512, 1, {1e-3, 1.1e-3, 0.9e-3}),
       timed("uot/base", 1024, 1, {8e-3, 8e-3, 8e-3}), timed("uot/ours", 1024, 1, {2e-3, 2e-3, 2e-3})});
}

/// Every hotspot of a chart of points has a marker in its middle.
inline void expect_markers_at_hotspots(const Drawing& drawing) {
  const auto markers = markers_in(svg_of(drawing, "t"), drawing);
  for (const auto& spot : drawing.hotspots) {
    double nearest = 1e9;
    for (const auto& at : markers)
      nearest = std::min(
          nearest, std::hypot(at.x - (spot.left + spot.right) / 2, at.y - (spot.bottom + spot.top) / 2));
    EXPECT_LT(nearest, 0.015) << spot.text;  // cm
  }
}

// A run whose cases were timed per iteration, per solve and per part, with work, counts and phases of their
// own units.

inline Record unit_record(const std::string& variant, const std::string& worker, const Json& point, Unit per,
                          double seconds, std::int64_t iterations = 0) {
  Record record = timed_record(variant, point, worker, {});
  record.time->per = per;
  if (iterations > 0) record.time->iterations = iterations;
  for (const double shift : {0.98, 1., 1.03}) {
    const double sample = seconds * shift;
    ProcessSamples process{.samples = {sample, sample}, .busy = 0.5};
    process.phases = {{"price", {sample / 4, sample / 4}, 1}};
    record.time->processes.push_back(std::move(process));
  }
  const double steps = iterations > 0 ? static_cast<double>(iterations) : 1;
  const double cells = point.at("M").get<double>() * point.at("N").get<double>();
  // Different for each variant, so that no number can pass for another's.
  const double bytes = cells * 4 * steps * (1 + 0.125 * static_cast<double>(variant.size() % 5));
  record.work = Work{.flops = 4 * cells * steps,
                     .bytes_read = bytes,
                     .bytes_written = bytes / 2,
                     .working_set = cells * 4 * (1 + 0.001 * static_cast<double>(variant.size()))};
  const auto count = [&](const char* name, double value) {
    record.counters[name] = {
        .value = value, .origin = {.source = "papi", .kind = "measured"}, .unit = "1", .per = per};
  };
  count("L1D.accesses", cells * steps);
  count("L1D.misses", cells * steps / 16 * (1 + 0.01 * static_cast<double>(variant.size())));
  record.check = Check{.error = 1e-6, .tolerance = 1e-5};
  return record;
}

/// POT's 100 iterations and OTT's 10 next to iterations; parts next to both; solves to a test; tiles.
inline Run run_of_units(const std::vector<int>& counts = {1, 2}) {
  Run run;
  run.path = "units.jsonl";
  run.header = made_header({{"kind", "run"},
                            {"machine", made_machine()},
                            {"ceilings", Json::array({to_json(made_ceilings())})},
                            {"workers", {{"native-v4", Json::object()}, {"python", Json::object()}}},
                            {"problem_axes", {{"uot", {"M", "N", "dtype", "stop", "reg_m"}}}}});
  for (const int size : {2048, 4096})
    for (const int threads : counts) {
      const Json point{
          {"M", size}, {"N", size}, {"dtype", "f32"}, {"stop", "iterations"}, {"threads", threads}};
      const double unit = 1e-9 * size * size * (threads == 1 ? 1.7 : 1);
      const auto add = [&](const char* variant, const char* worker, Unit per, double seconds,
                           std::int64_t its = 0) {
        run.records.push_back(unit_record(variant, worker, point, per, seconds, its));
      };
      add("uot/numpy_order", "native-v4", Unit::iteration, 2 * unit);
      add("uot/one_read", "native-v4", Unit::iteration, 0.8 * unit);
      add("uot/pot_knopp", "python", Unit::solve, 380 * unit, 100);
      add("uot/ott", "python", Unit::solve, 90 * unit, 10);
      add("uot/part_a", "native-v4", Unit::part, 0.5 * unit);
      add("uot/part_bb", "native-v4", Unit::part, 0.3 * unit);
      for (const int rows : {4, 8})
        for (const int block : {16, 32}) {
          Json tile = point;
          tile["rows"] = rows, tile["block"] = block;
          run.records.push_back(unit_record("uot/coffee", "native-v4", tile, Unit::iteration,
                                            unit * (1 + 0.01 * rows + 0.002 * block)));
        }
    }
  for (const double reg_m : {0.5, 5.}) {
    const Json point{{"M", 1024},        {"N", 1024},      {"dtype", "f32"},
                     {"stop", "change"}, {"reg_m", reg_m}, {"threads", 2}};
    run.records.push_back(unit_record("uot/sor", "native-v4", point, Unit::solve, 2e-3 * reg_m, 21));
    run.records.push_back(unit_record("uot/pot_ti", "python", point, Unit::solve, 9e-2 * reg_m,
                                      static_cast<std::int64_t>(300 * reg_m)));
  }
  return run;
}

}  // namespace uotbench
