// Colours for amounts.
#pragma once

#include <string>

namespace uotbench {

struct Shade {
  int rgb = 0;       ///< 0xRRGGBB
  std::string text;  ///< #rrggbb that can be read on it; never black, which a page may turn around
};

/// Black or white, whichever is read better on a colour (#rrggbb).
const char* text_on(const std::string& colour);

/// A colour (#rrggbb) mixed with white: 1 is the colour itself, 0 is white.
std::string tinted(const std::string& colour, double part);

/// From light (0) to dark (1), even to the eye and so in grey, too: lightness falls linearly in CIELAB
/// (ISO/CIE 11664-4), at one hue of blue, which colour-blind readers see as well.
Shade shade(double amount);

}  // namespace uotbench
