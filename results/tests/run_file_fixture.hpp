// Run files as tests write them: their lines, and a folder to write them to.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/tests/folder.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {

class RunFileTest : public testing::Test {
 protected:
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static void write(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }

  /// "no error" where there is none.
  template <class Callable>
  static std::string usage_error(Callable&& call) {
    try {
      call();
    } catch (const UsageError& error) {
      return error.what();
    }
    return "no error";
  }

  /// The first line.
  static std::string header(const std::vector<std::string>& plan) {
    return to_line({{"kind", "run"}, {"schema", 1}, {"plan", plan}}) + '\n';
  }

  /// A case's line.
  static std::string record(const std::string& id, Status status, const std::string& reason = "") {
    return to_line(to_json(plain_record(id, status, reason))) + '\n';
  }

  const Folder own;
  const std::filesystem::path folder = own.path(), file = folder / "runs" / "a.jsonl";
};

}  // namespace uotbench
