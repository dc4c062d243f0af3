// uotbench claims, as a user runs it: the papers of configs/claims are sound, and what is wrong is one line.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <regex>

#include "results/claims/claim.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

class ClaimsCommand : public ::testing::Test {
 protected:
  Outcome claims(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "claims");
    return uotbench(folder_.path(), arguments);
  }
  /// Of a paper with one claim on the golden run, with one text replaced.
  std::string claims_json(const std::string& what = "", const std::string& by = "") const {
    std::string text = R"json({"title": "T", "source": "S", "sweeps": {"one": {"here": "quickstart"}},
      "cases": {"slow": {"variant": "uot/numpy_order", "threads": 1}, "fast": {"variant": "uot/map_uot", "threads": 1}},
      "claims": [{"id": "gain", "in": "Fig. 9", "says": "Fast is 1000 times as fast.", "printed": 1000, "sweep": "one",
                  "value": "max(slow.time.seconds / fast.time.seconds)"}]})json";
    if (const auto at = text.find(what); !what.empty() && at != std::string::npos)
      text.replace(at, what.size(), by);
    return text;
  }
  std::string complaint(const std::string& what, const std::string& by) const {
    write_text(folder_ / "my.json", claims_json(what, by));
    const Outcome outcome = claims({"my.json"});
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    return outcome.err;
  }

  Folder folder_;
};

TEST_F(ClaimsCommand, PapersAreSoundAndListed) {
  const Outcome list = claims({});
  EXPECT_EQ(list.code, 0) << list.err;
  for (const char* paper : {"map_uot", "matching", "ranks", "simplex", "sinkhorn_log", "uotbench", "xla"}) {
    EXPECT_THAT(list.out, HasSubstr(paper));
    const Outcome full = claims({paper, "--full"});  // its sweeps at the paper's own sizes are sweeps
    EXPECT_EQ(full.code, 0) << full.err;
    EXPECT_THAT(full.out, HasSubstr(" --run --full goes on, at the paper's own sizes")) << paper;
  }
  EXPECT_THAT(claims({"map_uot", "--full"}).out, HasSubstr("claims-map_uot-misses-full"))
      << "runs at other sizes have other names";
}

/// The numbers of a text, of milliseconds in seconds, of a percentage the fraction.
std::vector<double> numbers_in(const std::string& text) {
  static const std::regex number(R"((\d+(?:\.\d+)?)( ms|%|))");
  std::vector<double> values;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at)
    values.push_back(std::stod((*at)[1]) * ((*at)[2] == " ms" ? 1e-3 : (*at)[2] == "%" ? 1e-2 : 1));
  return values;
}

/// Those that stand in a quote or after it, in each line that holds it.
std::vector<double> numbers_from(const std::string& page, const std::string& quote) {
  std::vector<double> values;
  for (auto at = page.find(quote); at != std::string::npos; at = page.find(quote, at + 1))
    std::ranges::copy(numbers_in(page.substr(at, page.find('\n', at) - at)), std::back_inserter(values));
  return values;
}

TEST_F(ClaimsCommand, OfThisProjectStandOnItsPages) {
  const std::string root = UOTBENCH_SOURCE_DIR;
  const auto file =
      claims_from(Json::parse(text_of(root + "/configs/claims/uotbench.json")), "uotbench.json");
  EXPECT_GE(file.claims.size(), 90u);
  for (const auto& claim : file.claims) {
    SCOPED_TRACE(claim.id);
    ASSERT_FALSE(claim.quotes.empty()) << "nobody knows where it stands";
    const std::string page = text_of(root + '/' + claim.place);
    for (const auto& quote : claim.quotes) ASSERT_THAT(page, HasSubstr(quote));
    if (claim.quotes.size() == 2) {
      const double printed = numbers_in(claim.quotes[0]).back() / numbers_in(claim.quotes[1]).back();
      EXPECT_NEAR(claim.printed, printed, .01 * printed);
    } else {
      EXPECT_THAT(numbers_from(page, claim.quotes[0]),
                  testing::Contains(testing::DoubleNear(claim.printed, 1e-9)));
    }
  }
}

TEST_F(ClaimsCommand, WithoutARunSaysWhatMeasuresIt) {
  const Outcome outcome = claims({"map_uot", "--figure", "9"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("not measured yet"));
  EXPECT_THAT(outcome.out, HasSubstr("uotbench claims map_uot --run"));
  EXPECT_EQ(claims({"map_uot", "--figure", "9", "--strict"}).code, 5);
  EXPECT_THAT(claims({"map_uot", "--figure", "3", "--format", "json"}).out,
              HasSubstr("\"verdict\": \"reproduced\""));
}

TEST_F(ClaimsCommand, HoldsARunAgainstWhatIsPrinted) {
  write_text(folder_ / "my.json", claims_json());
  const Outcome outcome = claims({"my.json", "--from", golden_run});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("trend only"));
  EXPECT_THAT(outcome.out, HasSubstr("uotbench show " + golden_run));
  EXPECT_EQ(claims({"my.json", "--from", golden_run, "--strict"}).code, 0);
  // What is printed is changed: the claim is contradicted.
  write_text(folder_ / "my.json", claims_json("\"printed\": 1000", "\"printed\": 0.001"));
  EXPECT_THAT(claims({"my.json", "--from", golden_run}).out, HasSubstr("contradicted"));
  EXPECT_EQ(claims({"my.json", "--from", golden_run, "--strict"}).code, 1);
  for (const char* format : {"md", "tex", "html", "csv", "json"})
    EXPECT_THAT(claims({"my.json", "--from", golden_run, "--format", format}).out, HasSubstr("contradicted"))
        << format;
}

TEST_F(ClaimsCommand, WhatIsWrongIsOneLine) {
  EXPECT_THAT(claims({"map_uto"}).err, HasSubstr("no paper \"map_uto\", neither here nor in "));
  EXPECT_THAT(claims({"map_uot", "--figure", "99"}).err,
              HasSubstr("--figure 99: no claim of map_uot is of it; there are: Fig. 2"));
  EXPECT_THAT(complaint("\"printed\": 1000", "\"prinetd\": 1000"), HasSubstr("my.json: /claims/0"));
  EXPECT_THAT(complaint("max(slow", "max((slow"), HasSubstr("/claims/0/value: "));
  write_text(folder_ / "my.json", claims_json("\"variant\": \"uot/map_uot\"", "\"variant\": \"uot/nobody\""));
  EXPECT_THAT(claims({"my.json", "--from", golden_run}).err,
              HasSubstr("holds no case of uot/nobody threads:1"));
  EXPECT_EQ(claims({"my.json", "--from", golden_run}).code, 2);
  EXPECT_THAT(claims({"--lint", "none.csv"}).err, HasSubstr("--lint none.csv: cannot be read"));
}

TEST_F(ClaimsCommand, LintsATable) {
  write_text(folder_ / "t.csv", "method,time,iterations\nA,1,100\nB,2,10\n");
  const Outcome outcome = claims({"--lint", "t.csv"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, EndsWith("unequal work: the table: iterations 100 of A, 10 of B\n"));
}

}  // namespace
}  // namespace uotbench
