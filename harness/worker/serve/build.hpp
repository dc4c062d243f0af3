// How this worker was built: texts that the compiler and CMake know, and which machine code its variants
// are.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"

namespace uotbench {

struct Build {
  const char* name;     ///< the worker's, e.g. native-v4
  const char* version;  ///< of uotbench, with which it was built
  const char* compiler;
  const char* flags;
  const char* type;         ///< Release, Debug, …
  const char* cuda;         ///< nvcc's version, options, and for which GPUs; null: no CUDA
  const char* commit;       ///< of the project that built it; empty where there is no git checkout
  bool dirty;               ///< whether files differed from the commit, or git did not know them
  const char* kernel_dirs;  ///< JSON, of sources from outside that project: [{"folder","commit","dirty"}]
};

/// This worker's. build.cpp, which is compiled for each worker, defines it.
const Build& this_build();

// A build as JSON: what hello and records say of it.

/// {"compiler","flags","build_type","commit","dirty","uotbench","hash"}: `commit` is null where there is no
/// git checkout, `hash` is FNV-1a 64 of the executable. "cuda" and "kernel_dirs" are there where they apply.
Json to_json(const Build& build);

// Which machine code a variant is: what the build noted next to the program.

/// A hash, 16 hexadecimal digits, of each variant's code before it was linked: equal where two builds of it
/// differ in nothing but where its code is. It covers the variant's own object, those that are no variant's
/// and that it may call, and the library that runs around it; nothing of other libraries. `noted` is what
/// cmake/code_hashes.cmake wrote. A variant's object is found by the file's name; where none has it, all
/// objects are covered. Empty: nothing was noted.
std::map<std::string, std::string> code_of_variants(const std::filesystem::path& noted,
                                                    const std::vector<std::string>& variants);

}  // namespace uotbench
