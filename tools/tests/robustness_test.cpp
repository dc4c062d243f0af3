// tools/tests/robustness.md promises nothing that no test shows.
#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

const fs::path sources = UOTBENCH_SOURCE_DIR;
const std::string robustness_page = "tools/tests/robustness.md";
const std::string misbehaviour_page = "docs/notes/misbehaving_workers.md";

/// What stands in code spans, line by line.
std::vector<std::vector<std::string>> code_spans(const std::string& text) {
  static const std::regex span("`([^`]+)`");
  std::vector<std::vector<std::string>> lines;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    lines.emplace_back();
    for (std::sregex_iterator found(line.begin(), line.end(), span), last; found != last; ++found)
      lines.back().push_back((*found)[1]);
  }
  return lines;
}

/// "Suite.Test" of every test that a file defines.
std::set<std::string> tests_in(const fs::path& file) {
  static const std::regex definition("TEST(_F|_P)?\\((\\w+), *(\\w+)\\)");
  const std::string text = text_of(file);
  std::set<std::string> tests;
  for (std::sregex_iterator found(text.begin(), text.end(), definition), last; found != last; ++found)
    tests.insert((*found)[2].str() + "." + (*found)[3].str());
  return tests;
}

TEST(Robustness, NamesTestsThatExist) {
  static const std::regex name("[A-Z]\\w+\\.[A-Z]\\w+");
  const std::string text = text_of(sources / robustness_page);
  std::set<std::string> own = tests_in(sources / "tools/tests/robustness_test.cpp"),
                        misbehaving = tests_in(sources / "tools/tests/full/misbehaving_test.cpp");
  own.merge(misbehaving);
  int named = 0;
  for (const auto& line : code_spans(text)) {
    std::set<std::string> here = own;  // which prose names without their file
    std::string file;
    for (const auto& span : line) {
      if (span.ends_with("_test.cpp")) {
        file = span;
        EXPECT_TRUE(fs::exists(sources / file)) << file;
        here = tests_in(sources / file);
      } else if (std::regex_match(span, name)) {
        ++named;
        EXPECT_TRUE(here.contains(span)) << span << " is no test" << (file.empty() ? "" : " of " + file);
      }
    }
  }
  EXPECT_GE(named, 40);
}

TEST(Robustness, SaysWhichTestShowsWhatItPromises) {
  static const std::regex row("\\| [^|]+ \\| [^|]+ \\| `[^|]+\\.[^|]+` [^|]*\\|");
  const std::string text = text_of(sources / robustness_page);
  const auto table_end = text.find("## Misbehaving workers");
  int rows = 0;
  bool inside = false;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) < table_end; begin = end + 1) {
    const std::string line = text.substr(begin, end - begin);
    if (line.starts_with("|---")) {
      inside = true;
    } else if (!line.starts_with("|")) {
      inside = false;
    } else if (inside) {
      ++rows;
      EXPECT_TRUE(std::regex_match(line, row)) << line << "\nnames no file and test";
    }
  }
  EXPECT_GE(rows, 20);
}

TEST(Robustness, TellsEachMisbehaviour) {
  const Folder folder;
  const Outcome told =
      Program({"python3", (sources / "tools/tests/misbehaving_worker.py").string(), "--markdown"},
              folder.path())
          .wait();
  ASSERT_EQ(told.code, 0) << told.err;
  EXPECT_THAT(
      text_of(sources / misbehaviour_page),
      testing::HasSubstr("<!-- misbehaving_worker.py --markdown -->" + told.out + "\n<!-- the end of it -->"))
      << "put in its place: python3 tools/tests/misbehaving_worker.py --markdown";
}

}  // namespace
}  // namespace uotbench
