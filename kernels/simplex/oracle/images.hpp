// Masses of pixels: images as the DOTmark benchmark has them, and pictures.
//
// DOTmark: J. Schrieber, D. Schuhmacher, C. Gottschlich, "DOTmark - a benchmark for discrete optimal
// transport", IEEE Access 5, 2017, section 3. Its images are not copied: they are drawn anew from the
// distributions given there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace uotbench::simplex {

/// A grey image of side x side pixels, not negative, of the class `which`: white_noise, grf_rough, …, cauchy.
std::vector<double> draw_image(const std::string& which, std::size_t side, std::int64_t seed,
                               std::uint64_t number);

/// A picture's luminance, averaged over side x side equal parts. `name`: scene:meadow, a PNG file, or a file
/// of numbers, a line a row, with commas between (DOTmark's own). Throws Error.
std::vector<double> read_image(const std::string& axis, const std::string& name, std::size_t side);

/// Integers in proportion to `grey` that sum to 1e5 a pixel, none of them 0.
void masses_of(std::span<const double> grey, std::span<double> masses);

}  // namespace uotbench::simplex
