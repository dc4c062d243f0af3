// What is drawn is what was said: names are texts and never commands, files are whole or not there, the kept
// script is the figure, fonts are in the file.
#include "roofline/draw/gnuplot.hpp"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>

#include "results/base/error.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

class Figures : public testing::Test {
 protected:
  Figures() : before_(fs::current_path()) {
    std::string name = (fs::temp_directory_path() / "uotbench-figures-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    fs::current_path(folder_);
  }
  ~Figures() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }

  static std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::vector<std::string> files() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(".")) names.push_back(entry.path().filename().string());
    return names;
  }
  /// What a program prints.
  static std::string printed(const std::string& command) {
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(command.c_str(), "r"), ::pclose);
    std::string text;
    for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(c);
    return text;
  }

  static Drawing drawing(const std::string& name) {
    Drawing made;
    const Frame frame{.box = {1, 1, 8.5, 5.5}, .x = {1, 100, true}, .y = {0, 10, false}};
    made.commands = frame.commands(made) + "set label " + gnuplot_text(name) + " at 2,5\nset xtics (" +
                    gnuplot_tic(name) +
                    " 10)\n$points << EOD\n10 5\nEOD\nplot $points with points pt 7 title " +
                    gnuplot_text(name) + "\n";
    made.hotspots = {{.left = 2, .bottom = 2, .right = 3, .top = 3, .text = name}};
    made.data = {.columns = {"name", "value"}, .rows = {{name, "5"}}};
    return made;
  }

 private:
  fs::path before_, folder_;
};

TEST_F(Figures, DrawNamesAsTheyAreWhateverGnuplotWouldMakeOfThem) {
  const char* names[]{"it's 'quoted'",
                      "'",
                      "''",
                      "'; system('touch pwned'); '",
                      "\"; system(\"touch pwned\"); \"",
                      "`touch pwned`",
                      "$(touch pwned)",
                      "a\nsystem('touch pwned')\n",
                      "a\n!touch pwned\n",
                      "a\nEOD\nsystem 'touch pwned'",
                      "{/=50 x} {/Symbol a} a_b^c @d ~e &f",
                      "@x @GPVAL_VERSION",
                      "%d %s %n 100%",
                      "ends with a backslash \\",
                      "\\n \\047 \\' \\\\",
                      "# no comment",
                      "&lt; <script>alert(1)</script> ]]> &#65;",
                      "Gr\u00f6\u00dfe \u2013 \u6f22\u5b57 \U0001f600",
                      "|touch pwned"};
  for (const std::string name : names) {
    const std::string svg = svg_of(drawing(name), "p-");
    std::string drawn;  // as gnuplot_text() says it is drawn
    for (const char c : name) drawn += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    std::string escaped;
    for (const char c : drawn) escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : std::string(1, c);
    if (const auto end = escaped.find("]]>"); end != std::string::npos) escaped.replace(end, 3, "]]&gt;");
    std::size_t times = 0;  // label, tic and title
    for (std::size_t at = 0; (at = svg.find(">" + escaped + "</text>", at)) != std::string::npos; ++at)
      ++times;
    EXPECT_EQ(times, 3u) << name;
    EXPECT_THAT(svg, Not(HasSubstr("<script"))) << name;
    draw(drawing(name), "figure.svg", {.keep = true, .data = true});
    EXPECT_THAT(files(), testing::UnorderedElementsAre("figure.svg", "figure.gp", "figure.csv")) << name;
  }
}

// Whoever opens them reads XML.
TEST_F(Figures, InSvgAreXmlWhateverTheNames) {
  std::string controls;
  for (char c = 1; c < ' '; ++c) controls += c;
  for (const std::string& name :
       {std::string("]]>"), std::string("<![CDATA[ ]]> ]]>"), std::string("\ufffe\uffff"), controls + '\x7f',
        std::string("\xed\xa0\x80 \xed\xbf\xbf"), std::string("\u009b31m \u202e \u2028"),
        std::string("-->")}) {
    draw(drawing(name), "figure.svg");
    std::ofstream("part.svg") << svg_of(drawing(name), "p-");
    for (const char* file : {"figure.svg", "part.svg"})
      EXPECT_EQ(
          printed(std::string("python3 -c \"import sys, xml.dom.minidom as x; x.parse(sys.argv[1])\" ") +
                  file + " 2>&1"),
          "")
          << name;
  }
}

TEST_F(Figures, GoWhereTheyAreSentWhateverThePathSays) {
  for (const char* name :
       {"it's.svg", "|touch pwned.svg", "$(touch pwned).svg", "`touch pwned`.svg", "a b.svg"}) {
    draw(drawing("x"), name, {.keep = true});
    EXPECT_TRUE(fs::exists(name)) << name;
    EXPECT_FALSE(fs::exists("pwned")) << name;
  }
}

TEST_F(Figures, WhatCannotBeDrawnIsSpelledOut) {
  EXPECT_EQ(gnuplot_text("a\xff\xc3"), R"("a\134xff\134xc3")");
  EXPECT_EQ(gnuplot_text("\xe0\x80\x80"), R"("\134xe0\134x80\134x80")") << "overlong";
  EXPECT_EQ(gnuplot_text("\uffff\x1b"), R"("\134uffff\134x1b")");
  EXPECT_EQ(gnuplot_text("a\n\tb"), "'a  b'");
  EXPECT_EQ(gnuplot_text("\u00e9\u6f22\U0001f600"), "'\u00e9\u6f22\U0001f600'");
}

TEST_F(Figures, AreTheSameFromTheKeptScriptAlone) {
  draw(drawing("one_read"), "figure.svg", {.keep = true});
  const std::string drawn = text_of("figure.svg");
  fs::remove("figure.svg");
  ASSERT_EQ(printed("gnuplot -d figure.gp 2>&1"), "");
  EXPECT_EQ(text_of("figure.svg"), drawn);
}

TEST_F(Figures, PutTheirFontsIntoPdf) {
  draw(drawing("one_read"), "figure.pdf");
  std::istringstream lines(printed("pdffonts figure.pdf"));
  std::string line;
  int fonts = -2;  // below two lines of heading
  while (std::getline(lines, line))
    if (++fonts > 0) {
      EXPECT_THAT(line, testing::ContainsRegex("LiberationSans.* yes (yes|no) +")) << line;
    }
  EXPECT_GE(fonts, 1);
}

TEST_F(Figures, AreAsLargeAsAsked) {
  draw(drawing("x"), "figure.pdf");
  EXPECT_THAT(printed("pdfinfo figure.pdf"), testing::ContainsRegex("Page size: +249\\.45 x 175\\.75 pts"))
      << "8.8 cm by 6.2 cm";
  draw(drawing("x"), "figure.png");
  const std::string png = text_of("figure.png");
  ASSERT_GT(png.size(), 24u);
  EXPECT_EQ(static_cast<unsigned char>(png[18]) * 256 + static_cast<unsigned char>(png[19]), 1039)
      << "8.8 cm at 300 dots an inch";
}

TEST_F(Figures, AsPdfAreWholeAndTellNoTime) {
  draw(drawing("/MediaBox [ 0 0 1 1 ]"), "figure.pdf");
  EXPECT_THAT(text_of("figure.pdf"), Not(HasSubstr("/CreationDate")));
  EXPECT_THAT(printed("pdfinfo figure.pdf 2>&1"), Not(HasSubstr("Error")));
}

TEST_F(Figures, WriteTheirDataAsATable) {
  draw(drawing("a,\"b\""), "figure.svg", {.data = true});
  EXPECT_EQ(text_of("figure.csv"), "name,value\n\"a,\"\"b\"\"\",5\n");
}

TEST_F(Figures, AsPartsOfAPageHaveNoIdsScriptsOrTitlesButTheirOwn) {
  const std::string svg = svg_of(drawing("<b>\"x\"&"), "fig1-");
  EXPECT_TRUE(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 333 234\"")) << svg;
  EXPECT_TRUE(svg.ends_with("</svg>")) << svg.substr(svg.size() - 40);
  for (std::size_t at = 0; (at = svg.find(" id=", at)) != std::string::npos; ++at)
    EXPECT_EQ(svg.substr(at, 10), " id=\"fig1-");
  for (std::size_t at = 0; (at = svg.find("href=", at)) != std::string::npos; ++at)
    EXPECT_EQ(svg.substr(at, 12), "href=\"#fig1-");
  EXPECT_THAT(svg, HasSubstr("<title>&lt;b&gt;&quot;x&quot;&amp;</title></rect>"));
  EXPECT_EQ(svg.find("<title>"), svg.rfind("<title>"));
  EXPECT_THAT(svg, Not(HasSubstr("\"black\"")));
}

TEST_F(Figures, SayWhatGnuplotSaysAndLeaveWhatWasThere) {
  std::ofstream("figure.svg") << "before";
  Drawing wrong = drawing("x");
  wrong.commands += "plot nonsense(\n";
  try {
    draw(wrong, "figure.svg");
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("gnuplot: "));
    EXPECT_THAT(error.what(), HasSubstr("invalid expression"));
  }
  EXPECT_EQ(text_of("figure.svg"), "before");
}

// gnuplot itself draws on without letters, and ends well.
TEST_F(Figures, WithoutAnyFontAreRefused) {
  std::ofstream("fonts.conf")
      << "<?xml version=\"1.0\"?><!DOCTYPE fontconfig SYSTEM \"fonts.dtd\"><fontconfig>"
      << "<dir>/nonexistent</dir><cachedir>cache</cachedir></fontconfig>";
  ::setenv("FONTCONFIG_FILE", fs::absolute("fonts.conf").c_str(), 1);
  std::map<std::string, std::string> complaints;
  for (const char* name : {"f.pdf", "f.png", "f.svg"}) try {
      draw(drawing("x"), name);
    } catch (const UsageError& error) {
      complaints[name] = error.what();
    }
  ::unsetenv("FONTCONFIG_FILE");
  for (const char* name : {"f.pdf", "f.png"}) {
    EXPECT_THAT(complaints[name], HasSubstr("no font, so the figure would have no letters: apt-get install"));
    EXPECT_FALSE(fs::exists(name)) << name;
  }
  EXPECT_TRUE(fs::exists("f.svg")) << "it holds texts: who opens it has fonts";
  EXPECT_NO_THROW(draw(drawing("x"), "f.png"));
}

TEST_F(Figures, OfAnotherEndingAreRefused) {
  for (const char* name : {"figure.jpg", "figure", "figure.SVG2"}) {
    try {
      draw(drawing("x"), name);
      FAIL() << name;
    } catch (const UsageError& error) {
      EXPECT_THAT(error.what(), HasSubstr(".pdf, .svg or .png"));
    }
  }
  EXPECT_THAT(files(), testing::IsEmpty());
}

TEST_F(Figures, WithoutGnuplotSayWhatToInstall) {
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  try {
    draw(drawing("x"), "figure.svg");
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("gnuplot is not installed"));
    EXPECT_THAT(error.what(), HasSubstr("apt-get install gnuplot-nox"));
  }
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace uotbench
