#include "results/base/text.hpp"

#include <gtest/gtest.h>

#include <regex>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/pattern.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

const std::vector<std::string> variants{"uot/gemv", "uot/map_uot", "uot/numpy_order", "uot/one_read"};

TEST(Nearest, FindsASlipOfTheKeyboard) {
  EXPECT_EQ(nearest("uot/map_out", variants), "uot/map_uot") << "swapped";
  EXPECT_EQ(nearest("uot/mapuot", variants), "uot/map_uot") << "left out";
  EXPECT_EQ(nearest("uot/gemmv", variants), "uot/gemv") << "doubled";
  EXPECT_EQ(nearest("uot/one_reed", variants), "uot/one_read") << "mistaken";
  EXPECT_EQ(nearest("uot/gemv", variants), "uot/gemv");
}

// A guess that has nothing to do with the name only distracts.
TEST(Nearest, SaysNothingRatherThanNonsense) {
  EXPECT_EQ(nearest("sinkhorn_log", variants), "");
  EXPECT_EQ(nearest("", variants), "");
  EXPECT_EQ(nearest("x", {"M", "N"}), "");
  EXPECT_EQ(nearest("gemv", {}), "");
}

// Half of the letters may differ, not more; swapping neighbours is one slip, not two.
TEST(Nearest, AllowsHalfOfTheLetters) {
  EXPECT_EQ(nearest("Tx", {"Ty"}), "Ty");
  EXPECT_EQ(nearest("Ab", {"bA"}), "bA");
  EXPECT_EQ(nearest("abcd", {"abxy"}), "abxy");
  EXPECT_EQ(nearest("abcd", {"axyz"}), "");
}

TEST(Nearest, CompletesBeginnings) {
  EXPECT_EQ(nearest("comp", {"run", "compare"}), "compare");
  EXPECT_EQ(nearest("comp", {"compare", "cmp"}), "compare");
  EXPECT_EQ(nearest("co", {"run", "compare"}), "");
}

TEST(Nearest, TakesTheFirstOfEquallyNear) { EXPECT_EQ(nearest("T", {"T1", "T"}), "T"); }

// A sweep may hold a megabyte where a name should be.
TEST(Nearest, IsNotHeldUpByLongNames) { EXPECT_EQ(nearest(std::string(50'000'000, 'x'), variants), ""); }

TEST(DidYouMean, FollowsTheNameInParentheses) {
  EXPECT_EQ(did_you_mean("uot/map_out", variants), " (did you mean uot/map_uot?)");
  EXPECT_EQ(did_you_mean("sinkhorn_log", variants), "");
}

// What a file or a kernel says is read, and never obeyed: by a terminal, a page, a spreadsheet.

TEST(Visible, IsEveryControlCharacterAndLinesAreLines) {
  EXPECT_EQ(visible("\x1b]52;c;eA==\x07"), "\\x1b]52;c;eA==\\x07");
  EXPECT_EQ(visible(std::string_view("a\0b\x7f\r\b", 6)), "a\\x00b\\x7f\\x0d\\x08");
  EXPECT_EQ(visible("one\n\ttwo"), "one\n\ttwo");
  EXPECT_EQ(on_one_line("one\n\ttwo"), "one\\n\\x09two");
  EXPECT_EQ(visible("\u009b31m\u0080\u009f\u00a0"), "\\u009b31m\\u0080\\u009f\u00a0");
}

TEST(Visible, IsWhatTurnsOrEndsLinesAndWhatIsNoCharacter) {
  EXPECT_EQ(visible("a\u202eb\u2066c\u2069\u200e\u200f\u061c"),
            "a\\u202eb\\u2066c\\u2069\\u200e\\u200f\\u061c");
  EXPECT_EQ(visible("\u2028\u2029\ufffe\uffff"), "\\u2028\\u2029\\ufffe\\uffff");
}

TEST(Visible, IsEveryByteThatIsNoUtf8) {
  EXPECT_EQ(visible("\x9b[31m"), "\\x9b[31m") << "a bare C1";
  EXPECT_EQ(visible("a\xff\xc3"), "a\\xff\\xc3");
  EXPECT_EQ(visible("\xc3("), "\\xc3(");
  EXPECT_EQ(visible("\xc1\xbf \xe0\x80\x80 \xf0\x80\x80\x80"),
            "\\xc1\\xbf \\xe0\\x80\\x80 \\xf0\\x80\\x80\\x80");
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(visible("\xf4\x90\x80\x80 \xf5"), "\\xf4\\x90\\x80\\x80 \\xf5") << "beyond U+10FFFF";
}

TEST(Visible, AreAllOtherTextsAsTheyAre) {
  for (const std::string text : {"", "uot/map_uot M:4096 @native-v4", "\u00b10.1% \u2026 \u00d7",
                                 "\u6f22\U0001f600\ud7ff\ue000\U0010ffff", "back\\slash \\x1b"}) {
    EXPECT_EQ(visible(text), text);
    EXPECT_EQ(on_one_line(text), text);
  }
}

TEST(Visible, AreTextsAndKeysOfParsedJson) {
  const Json json =
      parse_visible("{\"a\\u001b\": [\"x\\u202ey\", 5, {\"k\": \"\u009b\"}], \"plain\": \"\\n\"}").value();
  EXPECT_EQ(json.dump(), R"({"a\\x1b":["x\\u202ey",5,{"k":"\\u009b"}],"plain":"\n"})");
  EXPECT_EQ(parse_visible("{\"a\":\"b\"}")->dump(), "{\"a\":\"b\"}");
  EXPECT_FALSE(parse_visible("{\"a\\u001b\""));
}

// OWASP, "CSV Injection".
TEST(CsvFields, AreNoFormulas) {
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("=cmd|' /C calc'!A0"), "'=cmd|' /C calc'!A0");
  EXPECT_EQ(csv_field("=HYPERLINK(\"http://x\",\"y\")"), "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
  EXPECT_EQ(csv_field("@SUM(A1)"), "'@SUM(A1)");
  EXPECT_EQ(csv_field("+1+1"), "'+1+1");
  EXPECT_EQ(csv_field("-1+1"), "'-1+1");
  EXPECT_EQ(csv_field("-"), "'-");
  EXPECT_EQ(csv_field("\t=1"), "'\t=1");
  EXPECT_EQ(csv_field("\r=1"), "\"'\r=1\"");
}

TEST(CsvFields, AreNumbersAndOtherTextsAsTheyAre) {
  for (const std::string text : {"", "-5", "-1.5e-07", "5", "uot/x", "a=b", "'x", "1+1", "~"})
    EXPECT_EQ(csv_field(text), text);
}

// What a person writes finds what std::regex finds, and no text and no pattern ends the program.

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

TEST(Seconds, HaveFourDigitsAndTheUnitThatFits) {
  EXPECT_EQ(format_seconds(0), "0.000 ns");
  EXPECT_EQ(format_seconds(3.2e-9), "3.200 ns");
  EXPECT_EQ(format_seconds(20.014e-6), "20.01 us");
  EXPECT_EQ(format_seconds(0.0012344), "1.234 ms");
  EXPECT_EQ(format_seconds(0.1), "100.0 ms");
  EXPECT_EQ(format_seconds(12.345678), "12.35 s");
  EXPECT_EQ(format_seconds(1234.5678), "1235 s");
  EXPECT_EQ(format_seconds(123456), "123456 s");
}

// 999.96 us rounds to 1000: four digits of the next unit, not five of this one.
TEST(Seconds, ThatRoundUpTakeTheNextUnit) {
  EXPECT_EQ(format_seconds(999.949e-6), "999.9 us");
  EXPECT_EQ(format_seconds(999.96e-6), "1.000 ms");
  EXPECT_EQ(format_seconds(999.99e-9), "1.000 us");
  EXPECT_EQ(format_seconds(0.99997), "1.000 s");
  EXPECT_EQ(format_seconds(9.99951), "10.00 s");
  EXPECT_EQ(format_seconds(99.996), "100.0 s");
}

TEST(Bytes, AreBinary) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.0 KiB");
  EXPECT_EQ(format_bytes(400.0 * 1024 * 1024), "400.0 MiB");
  EXPECT_EQ(format_bytes(1024. * 1024 - 1), "1.0 MiB");
  EXPECT_EQ(format_bytes(5e15), "4547.5 TiB");
}

TEST(Bandwidth, IsDecimal) {
  EXPECT_EQ(format_bandwidth(512e3), "0.5 MB/s");
  EXPECT_EQ(format_bandwidth(38.14e9), "38.1 GB/s");
  EXPECT_EQ(format_bandwidth(999.96e6), "1.0 GB/s");
  EXPECT_EQ(format_bandwidth(3.352e12), "3.35 TB/s");
}

TEST(Flops, AreDecimal) {
  EXPECT_EQ(format_flops(512e3), "0.5 MFLOP/s");
  EXPECT_EQ(format_flops(793.6e9), "793.6 GFLOP/s");
  EXPECT_EQ(format_flops(999.96e9), "1.00 TFLOP/s");
}

TEST(Counts, AreDecimalAndSmallOnesExact) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(64), "64");
  EXPECT_EQ(format_count(9999), "9999");
  EXPECT_EQ(format_count(10000), "10.00k");
  EXPECT_EQ(format_count(0.25), "0.25");
  EXPECT_EQ(format_count(1234.5), "1.234k");
  EXPECT_EQ(format_count(999'960), "1.000M");
  EXPECT_EQ(format_count(16'777'216), "16.78M");
  EXPECT_EQ(format_count(4.2e12), "4.200T");
  EXPECT_EQ(format_count(1e300), "1.000e+300");
}

TEST(Percent, NeverShowsNoiseAsNone) {
  EXPECT_EQ(format_percent(0), "<0.1%");
  EXPECT_EQ(format_percent(0.0004), "<0.1%");
  EXPECT_EQ(format_percent(0.0006), "0.1%");
  EXPECT_EQ(format_percent(0.0123), "1.2%");
  EXPECT_EQ(format_percent(1.5), "150.0%");
}

TEST(Wait, IsAsPeopleSayIt) {
  EXPECT_EQ(format_wait(0.2), "0s");
  EXPECT_EQ(format_wait(3.2), "3s");
  EXPECT_EQ(format_wait(59.6), "1m00s");
  EXPECT_EQ(format_wait(65.4), "1m05s");
  EXPECT_EQ(format_wait(3600), "1h00m");
  EXPECT_EQ(format_wait(7325), "2h02m");
}

// A record, a sweep and a worker may hold any number; none fills a screen.
TEST(Units, NeverMakeARowOfDigits) {
  EXPECT_EQ(format_bytes(1e300), "9.095e+287 TiB");
  for (const double value : {1e7, 1e15, 1e16, 1e300, 1.7e308, -1e300})
    for (const auto format : {format_seconds, format_bytes, format_bandwidth, format_flops, format_count,
                              format_percent, format_wait})
      EXPECT_LT(format(value).size(), 20u) << format(value);
  EXPECT_EQ(format_wait(1e300), "1.000e+300s");
}

// Run files, baselines and kept builds are found again by these values: they are FNV-1a's own, for ever.

// From Fowler, Noll and Vo's own test vectors.
TEST(Hash, IsFnv1a) {
  EXPECT_EQ(hash_text(""), "cbf29ce484222325");
  EXPECT_EQ(hash_text("a"), "af63dc4c8601ec8c");
  EXPECT_EQ(hash_text("foobar"), "85944171f73967e8");
  EXPECT_EQ(hash_text(std::uint64_t{0x1f}), "000000000000001f") << "always 16 digits";
  EXPECT_EQ(fnv1a("\xff"), (fnv1a_start ^ 0xff) * 0x100000001b3u) << "bytes have no sign";
}

TEST(Hash, OfPartsIsThatOfTheWhole) { EXPECT_EQ(fnv1a("bar", fnv1a("foo")), fnv1a("foobar")); }

}  // namespace

}  // namespace uotbench
