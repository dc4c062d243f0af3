// Pictures as inputs of problems: PNG files, or scenes that the project draws itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace uotbench {

struct Image {
  std::size_t width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  ///< height x width x 3
};

/// Throws Error where `name` is neither a scene nor a file that begins as a PNG does. `axis` is named in it.
void require_image(const std::string& axis, const std::string& name);

/// The picture called `name`: scene:meadow, scene:sunset, or the path of a PNG file of any colour type
/// (transparency over white). Throws Error.
Image load_image(const std::string& axis, const std::string& name);

/// All of a PNG file but for what it says of gamma and colour spaces. Throws Error where it cannot be read.
std::vector<std::uint8_t> bytes_of_image(const std::string& axis, const std::string& path);
/// The picture of a PNG file in memory; bytes behind its end are nothing. Throws Error.
Image image_in(const std::string& name, std::span<const std::uint8_t> file);

/// Two pictures of the same size whose colours differ as those of photographs do. Always the same.
Image draw_meadow();
Image draw_sunset();

}  // namespace uotbench
