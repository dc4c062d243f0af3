// The places that a project's commands name in braces.
#pragma once

#include <filesystem>
#include <string>

namespace uotbench {

/// What the programs of uotbench's own workers are called before their names.
inline constexpr const char* worker_prefix = "uotbench-worker-";

struct ProjectPlaces {
  std::filesystem::path checkout, prefix;
};

/// `text` with {checkout} and {prefix} replaced, and {{word}} made {word}.
std::string filled(const std::string& text, const ProjectPlaces& places);
/// The same for a line that a shell will read: quoted as it has to be where it stands, within quotes or
/// outside.
std::string filled_in_shell(const std::string& line, const ProjectPlaces& places);
/// The first {word} that is neither; empty: there is none. ${word} is the shell's.
std::string unknown_word(const std::string& text);

}  // namespace uotbench
