// tools/tests/robustness.md promises nothing that no test shows. And every wrong invocation: exit code 2, one
// line that says what is wrong, where, and what was expected, and nothing written. golden/messages.txt holds
// the invocations and the lines.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

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

struct Message {
  std::string command, line;
};

std::vector<Message> messages() {
  std::ifstream golden(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/messages.txt");
  std::vector<Message> all;
  for (std::string line; std::getline(golden, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    if (line.starts_with("$ ")) {
      all.push_back({line.substr(2), ""});
    } else {
      all.back().line += line;
    }
  }
  return all;
}

/// Equal, where "..." in the golden text stands for anything.
bool matches(std::string golden, std::string text) {
  if (!golden.ends_with("...")) golden += '\n', text += '\n';
  std::size_t at = 0;
  for (bool first = true;; first = false) {
    const auto dots = golden.find("...");
    const std::string piece = golden.substr(0, dots);
    const auto found = text.find(piece, at);
    if (found == std::string::npos || (first && found != 0)) return false;
    at = found + piece.size();
    if (dots == std::string::npos) return at == text.size();
    golden.erase(0, dots + 3);
  }
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

TEST(Messages, OfWrongInvocationsAreOneLineAndNothingIsWritten) {
  const auto all = messages();
  ASSERT_GT(all.size(), 60u);
  Folder stored;  // a copy: a program that overwrites it must not have the original
  fs::copy_file(std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/small.jsonl", stored / "small.jsonl");
  const std::string shell =
      "GOLDEN='" + stored.path().string() + "'\n" + "uotbench() { '" + uotbench_program +
      "' \"$@\"; }\n"
      "run() { uotbench run --worker '" +
      fault_worker +
      "' \"$@\"; }\n"
      "sweep() { printf %s \"$1\" >sweep.json; shift; run --sweep sweep.json \"$@\"; }\n";
  for (const auto& [command, line] : all) {
    SCOPED_TRACE("$ " + command);
    Folder folder;
    write_text(folder / "notes", "bread\n");
    const Outcome outcome = Program({"sh", "-c", shell + command}, folder.path()).wait();
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(matches(line + "\n", outcome.err)) << "wanted: " << line << "\ngot:    " << outcome.err;
    auto names = names_in(folder.path());
    names.erase("sweep.json");
    EXPECT_EQ(names, std::set<std::string>{"notes"}) << "something was written";
    EXPECT_EQ(text_of(folder / "notes"), "bread\n");
  }
}

// What is read whole is a regular file: a pipe without a writer is refused in one line, and not waited for.

TEST(Pipes, AreRefusedWhereAFileIsReadWhole) {
  const Folder folder;
  const std::string golden_times = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/first/times.jsonl";
  for (const char* name : {"pipe.jsonl", "pipe.json", "pipe.csv"})
    ASSERT_EQ(::mkfifo((folder.path() / name).c_str(), 0600), 0);
  const std::vector<std::vector<std::string>> commands{
      {"merge", "pipe.jsonl", golden_run, "-o", "merged.jsonl"},
      {"figure", "--spec", "pipe.json"},
      {"claims", "--lint", "pipe.csv"},
      {"pack", golden_times, "--figures", "pipe.json", "-o", "a.zip"},
  };
  for (const auto& command : commands) {
    const Outcome outcome = uotbench(folder.path(), command);
    EXPECT_EQ(outcome.code, 2) << command[0];
    EXPECT_THAT(outcome.err, testing::HasSubstr(": expected a regular file, got a pipe")) << command[0];
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
  // One of many is left out, and the others are added.
  fs::create_directory(folder / "runs");
  fs::rename(folder / "pipe.jsonl", folder / "runs/a.jsonl");
  fs::copy_file(golden_run, folder / "runs/b.jsonl");
  const Outcome added = uotbench(folder.path(), {"history", "add", "runs", "--commit", "0123456789abcdef"});
  EXPECT_EQ(added.code, 0) << added.err;
  EXPECT_THAT(added.err, testing::HasSubstr("a.jsonl: expected a regular file, got a pipe"));
  EXPECT_THAT(added.out, testing::StartsWith("added: "));
}

}  // namespace
}  // namespace uotbench
