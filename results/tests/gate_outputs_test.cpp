// What CI systems are given: golden files, the usual schema of JUnit XML, and escapes that are exact,
// whatever a worker puts into a reason. UOTBENCH_UPDATE_GOLDEN=1 rewrites the golden files: read the diff.
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "results/gate/tell/formats.hpp"
#include "results/tests/made_gate.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string golden = std::string(UOTBENCH_SOURCE_DIR) + "/results/tests/golden/";

void expect_golden(const std::string& name, const std::string& text) {
  if (std::getenv("UOTBENCH_UPDATE_GOLDEN")) std::ofstream(golden + name, std::ios::binary) << text;
  std::ifstream in(golden + name, std::ios::binary);
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(in), {})) << name;
}

GateReport with_reason(const std::string& reason) {
  GateReport report = made_gate();
  report.cases = {{.id = "uot/x/M:1@w", .verdict = Verdict::failed, .reason = reason}};
  report.warnings.clear();
  report.notes.clear();
  return report;
}

/// Exit code of xmllint with a schema; nothing where there is none.
std::optional<int> xmllint(const std::string& text, const std::string& schema) {
  if (std::system("command -v xmllint >/dev/null") != 0) return std::nullopt;
  std::string name = (std::filesystem::temp_directory_path() / "junit-XXXXXX").string();
  if (::mkstemp(name.data()) < 0) return std::nullopt;
  std::ofstream(name, std::ios::binary) << text;
  const int code = std::system(("xmllint --noout --schema '" + schema + "' '" + name + "' 2>&1").c_str());
  std::filesystem::remove(name);
  return code;
}

TEST(GateOutputs, AreAsTheyWere) {
  const GateReport report = made_gate();
  expect_golden("gate.json", to_json(report).dump(2) + '\n');
  expect_golden("gate.md", markdown_of(report));
  expect_golden("gate.junit.xml", junit_of(report));
  expect_golden("gate.github.txt", github_of(report));
}

TEST(Junit, IsValid) {
  GateReport nothing;
  nothing.sweep = "gate";
  for (const GateReport& report :
       {made_gate(), nothing, with_reason("\x01\x1f\x7f \xff\xfe \xef\xbf\xbf ]]> <a b='c\"d'> & \r\n\t")}) {
    const auto code =
        xmllint(junit_of(report), std::string(UOTBENCH_SOURCE_DIR) + "/results/tests/junit.xsd");
    if (!code) GTEST_SKIP() << "xmllint is missing: libxml2-utils";
    EXPECT_EQ(*code, 0) << junit_of(report);
  }
}

TEST(Junit, EscapesWhatXmlCannotHold) {
  const std::string text = junit_of(with_reason("a<b>&\"c'\x01\xff\xef\xbf\xbe"));
  EXPECT_THAT(text, HasSubstr("message=\"a&lt;b&gt;&amp;&quot;c&#39;\\x01\\xff\\ufffe\""));
  GateReport warned = with_reason("");
  warned.warnings = {"one\ntwo\tthree\r"};
  EXPECT_THAT(junit_of(warned), HasSubstr("warning: one&#10;two&#9;three\\x0d&#10;</system-out>"));
}

TEST(Junit, IsNoPassWhereNothingWasCompared) {
  GateReport report;
  report.sweep = "gate";
  EXPECT_THAT(junit_of(report), HasSubstr("tests=\"1\" failures=\"0\" errors=\"1\""));
  EXPECT_THAT(junit_of(report),
              HasSubstr("<error type=\"incomplete\" message=\"nothing was compared: no case\"/>"));
  GateReport stopped = made_gate();
  stopped.interrupted = true;
  EXPECT_THAT(junit_of(stopped), HasSubstr("message=\"interrupted: not all cases were measured\""));
  EXPECT_THAT(junit_of(made_gate()), Not(HasSubstr("incomplete")));
}

TEST(Junit, SkipsWhatMayBeMissing) {
  GateReport report = made_gate();
  EXPECT_THAT(junit_of(report), HasSubstr("<error type=\"missing\""));
  report.options = Json{{"allow_missing", "coffee"}};
  EXPECT_THAT(junit_of(report), HasSubstr("<skipped type=\"missing\""));
}

TEST(Annotations, EscapeWhatHasAMeaning) {
  GateReport report = with_reason("");
  report.cases[0].id = "uot/x/path:%2Fa,b@w";
  report.warnings = {"50%: a,b\r\nc"};
  EXPECT_EQ(github_of(report),
            "::error title=uotbench gate::nothing was compared: 1 failed\n"
            "::error title=failed uot/x/path%3A%252Fa%2Cb@w::\n"
            "::warning title=uotbench gate::50%25: a,b%0D%0Ac\n");
}

TEST(Annotations, AreSilentWhereAllIsPlainlyOk) {
  GateReport report = made_gate();
  report.cases.resize(1);
  report.warnings.clear();
  EXPECT_EQ(github_of(report), "");
}

TEST(Annotations, AreNoMoreThanGitHubShows) {
  GateReport report = with_reason("gone");
  report.cases.insert(report.cases.end(), 11, report.cases[0]);
  const std::string text = github_of(report);
  EXPECT_EQ(std::ranges::count(text, '\n'), 10);
  EXPECT_THAT(text, testing::EndsWith("::error title=uotbench gate::and 4 more\n"));
  report.cases.resize(9);
  EXPECT_EQ(std::ranges::count(github_of(report), '\n'), 10) << "ten are shown as they are";
  EXPECT_THAT(github_of(report), Not(HasSubstr("more")));
}

TEST(Annotations, TakeWhatMayBeMissingForNoError) {
  GateReport report = made_gate();
  report.cases = {report.cases[0], report.cases[4]};
  EXPECT_THAT(github_of(report), HasSubstr("::error title=missing uot/coffee"));
  report.options = Json{{"allow_missing", "coffee"}};
  EXPECT_THAT(github_of(report), Not(HasSubstr("::error")));
  EXPECT_THAT(github_of(report), HasSubstr("::notice title=missing uot/coffee"));
}

TEST(Markdown, KeepsATablesCells) {
  GateReport report = with_reason("a|b `c` <i> *d*\ne");
  report.cases[0].id = "`x`|y``z";
  const std::string text = markdown_of(report);
  EXPECT_THAT(text, HasSubstr("| ``` `x`\\|y``z ``` | **failed** |"));
  EXPECT_THAT(text, HasSubstr("| a\\|b \\`c\\` \\<i\\> \\*d\\*\\\\ne |\n"));
}

TEST(Markdown, SaysWhatCouldHaveBeenFoundOfWhatIsOk) {
  EXPECT_THAT(markdown_of(made_gate()),
              HasSubstr("| `uot/map_uot/M:64/N:64@native-v4` | 1.001x (0.989 to 1.014) | 1.052x | 1 |\n"));
}

TEST(Markdown, PutsTheWorstFirst) {
  const std::string text = markdown_of(made_gate());
  const auto at = [&](const char* word) { return text.find(word); };
  EXPECT_LT(at("**regressed**"), at("**failed**"));
  EXPECT_LT(at("**failed**"), at("**missing**"));
  EXPECT_LT(at("**missing**"), at("| inconclusive |"));
  EXPECT_LT(at("| inconclusive |"), at("| improved |"));
  EXPECT_THAT(text, HasSubstr("| ok, accepted | 1.310x")) << "what was accepted is seen";
}

}  // namespace
}  // namespace uotbench
