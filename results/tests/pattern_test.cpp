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
       {"map", "^map", "^uot", "v4$", "v$", "map|one", "^one|v4$", "M:\\d+/", "M:\\d{3}/", "\\bmap_uot\\b",
        "", ".*", "a(b)?t", "[[:upper:]]:", "N:4096$"}) {
    const Pattern pattern(text, "--filter");
    EXPECT_EQ(pattern.is_in(id), std::regex_search(id, std::regex(text))) << text;
    const std::string tail(2000, 'x');
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

// A stranger's artefact has patterns, too. Backtracking takes 2^n steps for these.
TEST(Patterns, AlwaysEnd) {
  const std::string id = "uot/" + std::string(1000, 'x') + "/M:1@w";
  EXPECT_FALSE(Pattern("(x+x+)+y|(((((.*)*)*)*)*)*z", "filter").is_in(id));
  EXPECT_FALSE(Pattern("(.|a)*z", "--filter").is_in(id));
  EXPECT_FALSE(Pattern("(x?){500}x{500}y", "--filter").is_in(id));
}

TEST(Patterns, ChooseWhatDoesNotMatchWhereTheyBeginWithAnExclamationMark) {
  EXPECT_FALSE(Pattern("!threads", "--filter").is_in("uot/map_uot/M:4/threads:2@w"));
  EXPECT_TRUE(Pattern("!threads", "--filter").is_in("uot/map_uot/M:4@w"));
  EXPECT_FALSE(Pattern("!", "--filter").is_in("uot/map_uot/M:4@w")) << "nothing is in every text";
  EXPECT_TRUE(pattern_complaint("!(").starts_with("--filter !(: not a regular expression: "));
}

TEST(Patterns, TakeBytesThatSpellNothing) {
  EXPECT_TRUE(Pattern("\\xff/M", "--filter").is_in("uot/\xff/M:1"));
  EXPECT_TRUE(Pattern("é", "--filter").is_in("uot/\xff/data:é"));
}

TEST(Patterns, AreRefusedWhereTheyAreNone) {
  EXPECT_EQ(pattern_complaint("("), "--filter (: not a regular expression: missing ): (");
  EXPECT_TRUE(pattern_complaint("a)(b").starts_with("--filter a)(b: not a regular expression: "));
  EXPECT_EQ(pattern_complaint("(a)\\1"),
            "--filter (a)\\1: not a regular expression: invalid escape sequence: \\1 (RE2 has neither "
            "back-references nor look-ahead; !RE chooses what RE does not match)");
  EXPECT_TRUE(pattern_complaint("(?=a)").ends_with("look-ahead; !RE chooses what RE does not match)"));
  EXPECT_EQ(pattern_complaint("a\n(").find('\n'), std::string::npos) << "one line";
  EXPECT_EQ(
      pattern_complaint(std::string(5000, 'a')),
      "--filter " + std::string(60, 'a') + "…: a regular expression of 5000 bytes; expected at most 4096");
  EXPECT_EQ(pattern_complaint(std::string(500, '(') + "a" + std::string(500, ')')), "");
}

}  // namespace
}  // namespace uotbench
