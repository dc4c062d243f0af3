// Lines of kernels that a test speaks of.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace uotbench::simt::tests {

/// FILE:LINE of what is marked with "// LINE mark" in harness/simt/tests/kernels.
inline std::string marked_line(const std::string& kernel, const std::string& mark) {
  const std::string file = "harness/simt/tests/kernels/" + kernel;
  std::ifstream source(std::string(UOTBENCH_SOURCE_DIR) + "/" + file);
  std::string text;
  for (int line = 1; std::getline(source, text); ++line)
    if (text.ends_with("// LINE " + mark)) return file + ':' + std::to_string(line);
  ADD_FAILURE() << "no line is marked " << mark;
  return "";
}

}  // namespace uotbench::simt::tests
