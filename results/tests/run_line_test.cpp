// A line is taken apart in one way, however it is spelled: the quick way reads what the plain one reads.
#include "results/record/run_file/run_line.hpp"

#include <gmock/gmock.h>

#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string line(const std::string& processes, const std::string& reason = "null",
                 const std::string& more = "") {
  return R"({"kind":"case","id":"uot/x@w","variant":"uot/x","worker":"w","point":{},"status":"ok","reason":)" +
         reason +
         R"(,"time":{"per":"iteration","clock":"steady","inner":1,"stopped_by":"noise","processes":)" +
         processes + "}" + more + "}";
}

std::vector<double> samples(const std::string& text) {
  const RunLine parsed = parse_run_line(text);
  EXPECT_EQ(parsed.kind, "case");
  EXPECT_TRUE(parsed.record) << parsed.problem;
  return parsed.record ? parsed.record->time->processes.at(0).samples : std::vector<double>{};
}

TEST(RunLine, ReadsSamplesInAnySpelling) {
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[1.5,2e-3,3]}])")), ElementsAre(1.5, 2e-3, 3));
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[ 1.5 , 2 ]}])")), ElementsAre(1.5, 2));
  EXPECT_THAT(samples(line(R"([{"start":1, "samples": [1.5]}])")), ElementsAre(1.5));
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[]}])")), IsEmpty());
}

TEST(RunLine, IsNotMisledByATextThatLooksLikeSamples) {
  const std::string reason = R"("it said: \"samples\":[7,8]")";
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[1.5]}])", reason)), ElementsAre(1.5));
  EXPECT_THAT(samples(line(R"([{"start":1,"samples":[1.5]}])", "null", R"(,"env":{"samples":[7]})")),
              ElementsAre(1.5));
}

TEST(RunLine, RefusesWhatIsNoListOfNumbers) {
  for (const char* list : {"[1,]", "[,1]", "[1", "[inf]", "[\"a\"]", "[null]", "1", "[+1]", "[-]"}) {
    const RunLine parsed = parse_run_line(line(std::string(R"([{"start":1,"samples":)") + list + "}]"));
    EXPECT_FALSE(parsed.record) << list;
  }
  EXPECT_THAT(parse_run_line(R"({"kind":"case","id":"x"})").problem, HasSubstr("variant"));
}

TEST(RunLine, KnowsItsKind) {
  EXPECT_EQ(parse_run_line(R"({"kind":"end","status":"complete"})").document.json().at("status"), "complete");
  for (const char* text : {"", "x", "[]", "{}", R"({"kind":7})"})
    EXPECT_EQ(parse_run_line(text).kind, "") << text;
}

}  // namespace
}  // namespace uotbench
