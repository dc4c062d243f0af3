// Which machine code a variant is: what the build noted next to the program.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace uotbench {

/// A hash, 16 hexadecimal digits, of each variant's code before it was linked: equal where two builds of it
/// differ in nothing but where its code is. It covers the variant's own object, those that are no variant's
/// and that it may call, and the library that runs around it; nothing of other libraries. `noted` is what
/// cmake/code_hashes.cmake wrote. A variant's object is found by the file's name; where none has it, all
/// objects are covered. Empty: nothing was noted.
std::map<std::string, std::string> code_of_variants(const std::filesystem::path& noted,
                                                    const std::vector<std::string>& variants);

}  // namespace uotbench
