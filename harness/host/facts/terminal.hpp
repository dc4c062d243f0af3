// Where text goes: how wide that is, and whether it shows colours.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace uotbench {

struct Terminal {
  std::optional<std::size_t> width =
      {};  ///< columns; none: a file or a pipe, where nothing is wrapped or cut
  bool colour = false;
};

/// What `out` is now; a window can change its size. COLUMNS, where it is a number of 20 or more, is the width
/// of whatever `out` is. Colours are for terminals, unless NO_COLOR is set to anything or TERM is dumb;
/// CLICOLOR_FORCE (not 0) asks for them everywhere.
Terminal terminal_of(std::FILE* out);

/// The columns that UTF-8 text takes: its characters. None of ours is wider than one.
std::size_t columns_of(std::string_view text);

/// As much of the text as `columns` hold, in whole characters.
std::string_view cut_to(std::string_view text, std::size_t columns);

}  // namespace uotbench
