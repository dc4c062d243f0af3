// What a person writes finds what std::regex finds, and no text and no pattern ends the program.
#include "results/base/pattern.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

std::string pattern_complaint(const std::string& text) {
  try {
    const Pattern pattern(text, "--filter");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Patterns, FindWhatStdRegexFindsInShortAndLongTexts) {
  const std::string id = "uot/map_uot/M:128/N:4096/data:colors/threads:2@native-v4";
  for (const std::string text :
       {"map", "^map", "^uot", "v4$", "v$", "map|one", "^one|v4$", "M:\\d+/", "M:\\d{3}/", "(?=M:1)M",
        "(?!u)o", "\\bmap_uot\\b", "", ".*", "a(b)?t", "[[:upper:]]:", "N:4096$"}) {
    const Pattern pattern(text, "--filter");
    EXPECT_EQ(pattern.is_in(id), std::regex_search(id, std::regex(text))) << text;
    const std::string tail(2000, 'x');  // for the other engine
    EXPECT_EQ(pattern.is_in(id + tail), std::regex_search(id + tail, std::regex(text))) << text;
    EXPECT_EQ(pattern.is_in(tail + id), std::regex_search(tail + id, std::regex(text))) << text;
  }
}

// std::regex_search ends in a stack overflow for 100 KB.
TEST(Patterns, TakeTextsOfAnyLength) {
  const std::string id = "uot/" + std::string(1 << 20, 'a') + "/M:1@w";
  EXPECT_TRUE(Pattern(".*@w", "--filter").is_in(id));
  EXPECT_TRUE(Pattern("((((a))))*/M", "--filter").is_in(id));
  EXPECT_FALSE(Pattern("(a|b)*c", "--filter").is_in(id));
  EXPECT_FALSE(Pattern("(a+)+$", "--filter").is_in(id));
}

TEST(Patterns, AreRefusedWhereTheyAreNone) {
  EXPECT_TRUE(pattern_complaint("(").starts_with("--filter (: not a regular expression: "))
      << pattern_complaint("(");
  EXPECT_TRUE(pattern_complaint("a)(b").starts_with("--filter a)(b: not a regular expression: "));
  EXPECT_TRUE(
      pattern_complaint("(a)\\1").starts_with("--filter (a)\\1: a regular expression that refers back"));
  EXPECT_EQ(pattern_complaint(std::string(5000, 'a')),
            "--filter " + std::string(60, 'a') +
                "…: a regular expression of 5000 bytes; at most 4096 are accepted");
  EXPECT_EQ(pattern_complaint(std::string(2000, '(') + "a" + std::string(2000, ')')), "");
}

}  // namespace
}  // namespace uotbench
