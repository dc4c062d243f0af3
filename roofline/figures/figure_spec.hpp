// A file that describes a paper's figures (configs/figures.schema.json), and values as people write them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "roofline/draw/gnuplot.hpp"
#include "roofline/figures/figure.hpp"

namespace uotbench {

/// One figure of such a file.
struct FigureJob {
  std::string pointer;                ///< to it in the file, for errors: "figs.json: /figures/1"
  std::filesystem::path file;         ///< where it goes; relative ones beside the file that describes it
  std::vector<std::string> runs;      ///< as written: files or names
  std::vector<std::string> machines;  ///< as written: files of ceilings; empty: the runs' own
  FigureSpec spec;
  DrawOptions options;
};

/// Of a document that the schema accepts; `name` is the file's for errors, `folder` its folder. Throws
/// UsageError naming the JSON pointer: no such kind, a width that cannot be, one file for two figures.
std::vector<FigureJob> figures_from(const Json& json, const std::string& name,
                                    const std::filesystem::path& folder);

/// Centimetres of "8.8cm", "88mm", "3.5in" or "252pt" (of TeX: 1/72.27 inch). Throws UsageError: something
/// else, or not from 2 to 120 cm.
double parse_length(const std::string& text);

/// As a sweep's speedup_over: "uot/numpy_order", "uot/numpy_order@native-v3", "uot/numpy_order,threads=1" or
/// "threads=1". Throws UsageError.
Document parse_over(const std::string& text);

}  // namespace uotbench
