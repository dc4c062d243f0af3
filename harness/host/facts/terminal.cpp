#include "harness/host/facts/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

namespace uotbench {
namespace {

constexpr std::size_t least_width = 20;  // narrower, nothing can be laid out

std::string_view setting(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool continues_a_character(char c) { return (c & 0xC0) == 0x80; }

}  // namespace

Terminal terminal_of(std::FILE* out) {
  Terminal terminal;
  const bool is_one = ::isatty(::fileno(out)) != 0;
  winsize size{};
  if (is_one && ::ioctl(::fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= least_width)
    terminal.width = size.ws_col;
  const std::string_view columns = setting("COLUMNS");
  std::size_t number = 0;
  const auto [rest, error] = std::from_chars(columns.data(), columns.data() + columns.size(), number);
  if (error == std::errc() && rest == columns.data() + columns.size() && number >= least_width)
    terminal.width = number;
  const std::string_view force = setting("CLICOLOR_FORCE");
  const bool forced = !force.empty() && force != "0";
  terminal.colour = setting("NO_COLOR").empty() && (forced || (is_one && setting("TERM") != "dumb"));
  return terminal;
}

std::size_t columns_of(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_a_character));
}

std::string_view cut_to(std::string_view text, std::size_t columns) {
  std::size_t end = 0, taken = 0;
  for (; end < text.size(); ++end)
    if (!continues_a_character(text[end]) && ++taken > columns) break;
  return text.substr(0, end);
}

}  // namespace uotbench
