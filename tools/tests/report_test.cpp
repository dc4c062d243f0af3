// The page in a browser, as a colleague opens it: from disk, alone, whatever names are in the run. It fills
// its table, sorts and filters it, asks for nothing, complains of nothing, and prints.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::string golden = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/";
const std::string hostile = "<script>document.title='gone'</script><img src=x onerror=alert(1)>\"' ]]> --!>";

/// golden/small.jsonl with a name that does harm wherever a page shows one.
fs::path hostile_run(const fs::path& folder) {
  std::istringstream lines(text_of(golden + "small.jsonl"));
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    Json json = parse_shallow(line).value_or(nullptr);
    if (!json.is_object()) continue;  // its last line is torn
    if (json["kind"] == "run") {
      json["sweep"]["about"] = json["machine"]["recorded"]["hostname"] = hostile;
      json["machine"]["hashed"]["cpu"] = hostile;
    } else if (json["kind"] == "case" && json["variant"] == "uot/gemv") {
      json["variant"] = "uot/" + hostile;
      json["reason"] = hostile;
    }
    text += to_line(json) + "\n";
  }
  write_text(folder / "hostile.jsonl", text);
  return folder / "hostile.jsonl";
}

/// Chromium on a file of `folder`, until its scripts have nothing left to do.
Outcome browse(const fs::path& folder, const std::string& page, const std::vector<std::string>& arguments) {
  const std::vector<std::string> quiet{"chromium",
                                       "--headless",
                                       "--no-sandbox",  // refuses to start as root, as in containers, else
                                       "--disable-gpu",
                                       "--disable-dev-shm-usage",
                                       "--user-data-dir=" + (folder / "profile").string(),
                                       "--enable-logging=stderr",
                                       "--virtual-time-budget=5000"};
  return Program(joined(joined(quiet, arguments), {"file://" + (folder / page).string()}), folder).wait(120);
}

/// What pages said on the console.
std::string console_of(const Outcome& outcome) {
  std::istringstream lines(outcome.err);
  std::string said;
  for (std::string line; std::getline(lines, line);)
    if (line.find("CONSOLE") != std::string::npos) said += line + "\n";
  return said;
}

/// A copy of the page with a script that does what a reader does, and writes what it finds into the page. The
/// page's policy lets no other script run than its own, so the copy has another.
void add_reader(const fs::path& page, const fs::path& copy, const std::string& script) {
  std::string text = text_of(page);
  const auto policy = text.find("script-src '"), end = text.find("';", policy);
  ASSERT_NE(policy, std::string::npos);
  text.replace(policy, end - policy + 1, "script-src 'unsafe-inline'");
  write_text(copy, text + R"(<script>
    const found = {};
    const violations = [];
    addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective));
    const rows = () => [...document.querySelectorAll('.cases tbody tr:not(.group)')];
    const head = name => [...document.querySelectorAll('.cases thead th')].find(th => th.textContent === name);
    const column = name => rows().map(row => row.cells[head(name).cellIndex].firstChild.textContent);
    const click = name => head(name).querySelector('button').click();
    const filter = text => {
      const input = document.querySelector('.cases input');
      input.value = text;
      input.dispatchEvent(new Event('input'));
    };
    setTimeout(() => {)" +
                       script +
                       R"(
      found.requests = performance.getEntriesByType('resource').map(entry => entry.name);
      found.violations = violations;
      const place = document.createElement('template');
      place.id = 'found';
      place.setAttribute('data-found', encodeURIComponent(JSON.stringify(found)));
      document.body.append(place);
    }, 100);
  </script>)");
}

std::string decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool coded = text[i] == '%' && i + 2 < text.size();
    out += coded ? static_cast<char>(std::stoi(text.substr(i + 1, 2), nullptr, 16)) : text[i];
    i += coded ? 2 : 0;
  }
  return out;
}

/// What the reader's script found; null where it did not come to its end.
Json found_in(const Outcome& outcome) {
  const std::string start = "data-found=\"";
  const auto begin = outcome.out.rfind(start);
  if (begin == std::string::npos) return nullptr;
  const auto from = begin + start.size();
  return parse_shallow(decoded(outcome.out.substr(from, outcome.out.find('"', from) - from)))
      .value_or(nullptr);
}

class ReportInBrowser : public testing::Test {
 protected:
  ReportInBrowser() {
    const Outcome outcome =
        uotbench(folder_.path(), {"report", hostile_run(folder_.path()), "-o", "report.html"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "report.html\n");
  }

  Folder folder_;
};

TEST_F(ReportInBrowser, FillsItsTableUnderItsOwnPolicyAndSaysNothing) {
  const Outcome outcome = browse(folder_.path(), "report.html", {"--dump-dom"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(console_of(outcome), "");
  EXPECT_THAT(outcome.out,
              HasSubstr("<td class=\"number\" title=\"median of 3 processes' medians, 9 samples, "));
  EXPECT_THAT(outcome.out, HasSubstr("<title>small – uotbench</title>")) << "a name became a script";
  EXPECT_THAT(outcome.out, Not(HasSubstr("<img")));
}

TEST_F(ReportInBrowser, SortsFiltersAndAsksForNothing) {
  add_reader(folder_ / "report.html", folder_ / "read.html", R"(
      const all = rows().length;
      found.all = all;
      found.count = document.querySelector('.count').textContent;
      click('median');
      found.down = column('median');
      found.arrow = head('median').getAttribute('aria-sort');
      found.groups = document.querySelectorAll('.cases tr.group').length;
      click('median');
      found.up = column('median');
      click('median');
      found.back = column('median');
      filter('MAP_uot threads:2');
      found.filtered = column('case');
      found.filteredCount = document.querySelector('.count').textContent;
      filter('onerror');
      found.hostile = rows().map(row => row.textContent);
      filter('nothing like this');
      found.none = document.querySelector('.more').textContent;
      filter('');
      const failed = [...document.querySelectorAll('.chip')].find(chip => chip.textContent.startsWith('failed'));
      failed.click();
      found.failed = column('status').filter(text => !text.startsWith('failed'));
      found.pressed = failed.getAttribute('aria-pressed');
      failed.click();
      found.allAgain = rows().length === all;
      console.log('the reader was here');
  )");
  const Outcome outcome = browse(folder_.path(), "read.html", {"--dump-dom"});
  const Json found = found_in(outcome);
  ASSERT_TRUE(found.is_object()) << outcome.err;
  const auto seconds = [](const Json& texts) {
    std::vector<double> values;
    for (const std::string text : texts) {
      if (text == "-") continue;
      const double unit = text.ends_with(" ms")   ? 1e-3
                          : text.ends_with(" us") ? 1e-6
                          : text.ends_with(" ns") ? 1e-9
                                                  : 1;
      values.push_back(std::stod(text) * unit);
    }
    return values;
  };
  EXPECT_EQ(found["count"], fmt::format("{} cases", found["all"].get<int>()));
  const auto down = seconds(found["down"]), up = seconds(found["up"]);
  EXPECT_GT(down.size(), 5u);
  EXPECT_TRUE(std::ranges::is_sorted(down, std::greater()));
  EXPECT_TRUE(std::ranges::is_sorted(up));
  EXPECT_EQ(found["down"].back(), "-") << "what has no time is last, either way";
  EXPECT_EQ(found["up"].back(), "-");
  EXPECT_EQ(found["arrow"], "descending");
  EXPECT_EQ(found["groups"], 0) << "cases of all groups are in one order";
  EXPECT_NE(found["back"], found["up"]);
  EXPECT_THAT(found["filtered"], ElementsAre("map_uot threads:2"));
  EXPECT_EQ(found["filteredCount"], fmt::format("1 of {} cases", found["all"].get<int>()));
  ASSERT_EQ(found["hostile"].size(), 1u);
  EXPECT_THAT(found["hostile"][0].get<std::string>(), HasSubstr(hostile));
  EXPECT_EQ(found["none"], "No case matches.");
  EXPECT_EQ(found["failed"], Json::array());
  EXPECT_EQ(found["pressed"], "true");
  EXPECT_EQ(found["allAgain"], true);
  EXPECT_EQ(found["requests"], Json::array());
  EXPECT_EQ(found["violations"], Json::array());
  const std::string console = console_of(outcome);  // the one line shows that others would be seen
  EXPECT_EQ(std::ranges::count(console, '\n'), 1) << console;
  EXPECT_THAT(console, HasSubstr("the reader was here"));
}

TEST_F(ReportInBrowser, TakesAScreenshotAndPrints) {
  const Outcome shot = browse(folder_.path(), "report.html",
                              {"--window-size=1280,900", "--screenshot=" + (folder_ / "page.png").string()});
  EXPECT_EQ(shot.code, 0) << shot.err;
  const std::string png = text_of(folder_ / "page.png");
  EXPECT_TRUE(png.starts_with("\x89PNG"));
  EXPECT_GT(png.size(), 20'000u) << "a page of text and figures is no empty picture";
  const Outcome print =
      browse(folder_.path(), "report.html", {"--print-to-pdf=" + (folder_ / "page.pdf").string()});
  EXPECT_EQ(print.code, 0) << print.err;
  ASSERT_TRUE(text_of(folder_ / "page.pdf").starts_with("%PDF"));
  const Outcome text = Program({"pdftotext", "-layout", "page.pdf", "-"}, folder_.path()).wait();
  EXPECT_THAT(text.out, HasSubstr("map_uot threads:2")) << "rows are printed";
}

TEST(ReportCommand, IsWrittenWholeOrNotAtAllAndSaysWhatIsWrong) {
  Folder folder;
  const std::string run = golden + "small.jsonl";
  const auto expect_refusal = [&](const std::vector<std::string>& arguments, const std::string& why) {
    const Outcome outcome = uotbench(folder.path(), joined({"report"}, arguments));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(outcome.err, HasSubstr(why));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_TRUE(fs::is_empty(folder.path()));
  };
  expect_refusal({run}, "a page needs a file: give -o report.html");
  expect_refusal({run, "-o", "x", "--format", "htm"}, "--format htm: no such format (did you mean html?)");
  expect_refusal({run, "-o", "x.html", "--models", "--format", "html"}, "--models prints text");
  expect_refusal({run, "-o", "x.pdf"}, "x.pdf: no format \".pdf\"; a report is .html or .md");
  expect_refusal({run, "-o", "x.html", "--models"}, "x.html: --models prints text");
  expect_refusal({"nothing.jsonl", "-o", "x.html"}, "nothing.jsonl");
  expect_refusal({run, "-o", "/proc/none/x.html"}, "/proc/none/x.html: cannot be written");
}

TEST(ReportCommand, PrintsASummaryOrTheModels) {
  Folder folder;
  const Outcome summary = uotbench(folder.path(), {"report", golden + "small.jsonl", "--format", "markdown"});
  EXPECT_EQ(summary.code, 0) << summary.err;
  EXPECT_THAT(summary.out, HasSubstr("| `map_uot threads:2` | "));
  const Outcome written = uotbench(folder.path(), {"report", golden + "small.jsonl", "-o", "summary.md"});
  EXPECT_EQ(written.code, 0);
  EXPECT_EQ(written.out, "summary.md\n");
  EXPECT_EQ(text_of(folder / "summary.md"), summary.out);
  const Outcome models = uotbench(folder.path(), {"report", golden + "small.jsonl", "--models"});
  EXPECT_EQ(models.code, 0) << models.err;
  EXPECT_THAT(models.out, HasSubstr("declares the work of an element"));
}

}  // namespace
}  // namespace uotbench
