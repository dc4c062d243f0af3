// Texts held against files, character for character. UOTBENCH_UPDATE_GOLDEN=1 rewrites these: read the diff.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace uotbench {

inline void expect_golden(const std::string& file, const std::string& text) {
  if (std::getenv("UOTBENCH_UPDATE_GOLDEN")) std::ofstream(file, std::ios::binary) << text;
  std::ifstream in(file, std::ios::binary);
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(in), {})) << file;
}

/// Texts name the file as it was given, so the tests stand in golden's folder.
class Golden : public testing::Test {
 protected:
  Golden() { std::filesystem::current_path(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden"); }
  ~Golden() override { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_ = std::filesystem::current_path();
};

}  // namespace uotbench
