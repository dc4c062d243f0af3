// A fuzz target is a reader of outside input. The same holds for each of them: wrong input is refused by an
// Error whose text a person can read, and nothing else happens.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "results/base/json.hpp"

namespace uotbench::fuzz {

/// Something that a target promises does not hold.
class Broken : public std::logic_error {
  using std::logic_error::logic_error;
};

struct Target {
  std::string name;  ///< letters, digits and '_'
  /// Reads `input` as the program reads it, and holds what came of it against what the target promises.
  /// Throws Error where the input is refused, Broken where a promise is.
  std::function<void(std::string_view input)> one_input;
  /// Right inputs, or nearly so: where mutations begin.
  std::function<std::vector<std::string>()> corpus;
  /// Makes a mutated input whole again, where a sum over it would refuse it before anybody looked at it.
  std::function<void(std::string& input)> mend = {};
  /// Its share of all cases, where a usual target has 1.
  double share = 1;
};

/// All targets, in the order of their names.
std::vector<Target> targets();
/// A static object of this in the target's file adds it.
struct Registration {
  explicit Registration(Target target);
};

/// What is wrong with the target, after it was given this input; absent: nothing is.
std::optional<std::string> complaint_of(const Target& target, std::string_view input);

/// Throws Broken unless a person can read it: no library's words, no control characters, and no more than 2
/// KB, but for what it quotes.
void require_readable(const std::string& message, std::size_t quoted = 0);
/// Throws Broken unless a text of several lines is that, whose lines may be long.
void require_printable(const std::string& text);
/// Throws Broken unless both are the same.
void require_same(const Json& once, const Json& again, const std::string& what);

/// `input` as a file of this name in a folder of this process's own; those of earlier calls are gone.
std::filesystem::path as_file(std::string_view input, const std::string& name);
/// The contents of files of the project: paths from its root, or folders of which all files that end so are
/// meant.
std::vector<std::string> files_of(const std::vector<std::string>& paths, const std::string& ending = "");

}  // namespace uotbench::fuzz
