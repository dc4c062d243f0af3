// uotbench pack, as a user runs it: an artefact is made of runs, says what it holds, checks itself, and is
// made again from its own runs; what somebody else's ZIP file may be is one line.
#include <gmock/gmock.h>

#include <algorithm>

#include "results/base/whole_file.hpp"
#include "tools/tests/program.hpp"
#include "tools/uotbench/packing/artefact.hpp"

namespace uotbench {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

/// The golden run, ended: without the record that was cut off and its case, and with none that was
/// interrupted.
std::string ended_run() {
  std::string text = text_of(golden_run);
  text.resize(text.rfind('\n') + 1);
  const std::string lost = ",\"uot/one_read/M:20480/N:20480@native-v4\"]";
  text.replace(text.find(lost), lost.size(), "]");
  const std::string open = "\"status\":\"interrupted\"";
  for (auto at = text.find(open); at != std::string::npos; at = text.find(open))
    text.replace(at, open.size(), "\"status\":\"timeout\"");
  return text + R"({"kind":"end","finished":"2026-01-31T12:01:30Z","elapsed":90.5,"status":"complete"})" +
         "\n";
}

class Pack : public ::testing::Test {
 protected:
  Pack() { write_text(folder_ / "made.jsonl", ended_run()); }

  Outcome pack(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "pack");
    return uotbench(folder_.path(), arguments);
  }
  /// With one figure, which takes gnuplot the least time, and one claim.
  void make(const std::string& file = "art.zip") const {
    write_text(
        folder_ / "figs.json",
        R"({"figures": [{"file": "fig9.pdf", "kind": "speedup", "runs": ["made"], "over": "uot/numpy_order,threads=1"}]})");
    write_text(folder_ / "my.json",
               R"json({"title": "T", "source": "S", "sweeps": {"one": {"here": "quickstart"}},
      "cases": {"slow": {"variant": "uot/numpy_order", "threads": 1}, "fast": {"variant": "uot/map_uot", "threads": 1}},
      "claims": [{"id": "gain", "in": "Fig. 9", "says": "Fast is fast.", "printed": 1000, "sweep": "one",
                  "value": "max(slow.time.seconds / fast.time.seconds)"}]})json");
    const Outcome made = pack({"made.jsonl", "--claims", "my.json", "--figures", "figs.json", "-o", file});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("uotbench pack --verify " + file));
  }
  /// One line, exit code 2.
  std::string complaint(const std::vector<std::string>& arguments) const {
    const Outcome outcome = pack(arguments);
    EXPECT_EQ(outcome.code, 2) << outcome.out;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    return outcome.err;
  }
  /// The artefact with something done to its files, its checksums made anew or not.
  Outcome verified(const std::function<void(PackedFiles&)>& change, bool sums_anew) const {
    PackedFiles files = read_zip(folder_ / "art.zip");
    change(files);
    if (sums_anew) files[checksums_file] = checksums_of(files);
    write_text(folder_ / "changed.zip", zip_of(files));
    return pack({"--verify", "changed.zip"});
  }

  Folder folder_;
};

TEST_F(Pack, HoldsWhatAReviewerAsksForAndIsMadeAgainFromItsRuns) {
  make();
  const Outcome outcome = pack({"--verify", "art.zip", "--into", "out"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("12 of 12 files made again from the runs, byte by byte the same\n"));
  EXPECT_THAT(outcome.out, EndsWith("art.zip: verified; not made again, their checksums alone were checked: "
                                    "LICENSE, claims/my.json, figures/figures.json, runs/made.jsonl\n"));
  for (const char* file :
       {"runs/made.jsonl", "sweeps/made.json", "figures/fig9.svg", "figures/fig9.csv", "figures/fig9.gp",
        "figures/figures.json", "claims/my.json", "claims/my.md", "claims/my.verdicts.json", "machines.json",
        "versions.json", "README.md", "appendix.md", "checklist.md", "LICENSE", "ro-crate-metadata.json"})
    EXPECT_TRUE(fs::is_regular_file(folder_ / "out" / file)) << file;
  EXPECT_EQ(text_of(folder_ / "out/runs/made.jsonl"), ended_run());
  EXPECT_THAT(text_of(folder_ / "out/claims/my.md"), HasSubstr("trend only"));
  // Others' tools check it, too, and its figures are drawn where it lies.
  EXPECT_EQ(Program({"sha256sum", "--quiet", "-c", checksums_file}, folder_ / "out").wait().code, 0);
  EXPECT_EQ(uotbench(folder_ / "out", {"figure", "--spec", "figures/figures.json"}).code, 0);
  EXPECT_THAT(complaint({"--verify", "art.zip", "--into", "out"}),
              HasSubstr("--into: expected an empty folder"));
}

TEST_F(Pack, IsTheSameBytesEachTime) {
  make();
  make("again/art.zip");
  EXPECT_TRUE(text_of(folder_ / "art.zip") == text_of(folder_ / "again/art.zip"));
}

TEST_F(Pack, PagesTellWhatRunsTellAndLeaveTheRestToTheAuthor) {
  make();
  const PackedFiles files = read_zip(folder_ / "art.zip");
  EXPECT_THAT(files.at("README.md"), HasSubstr("| execution | 2 |")) << "90.5 s";
  EXPECT_THAT(files.at("README.md"), HasSubstr("| `runs/made.jsonl` | small | 13 | 2026-01-31 | 2 |"));
  EXPECT_THAT(files.at("README.md"), HasSubstr("uotbench rerun runs/made.jsonl\n"));
  EXPECT_THAT(files.at("appendix.md"), HasSubstr("| A1 | C1 TODO(author) | Fig. 9 |"));
  EXPECT_THAT(files.at("appendix.md"), HasSubstr("| `claims/my.md` | T | 1 trend only |"));
  EXPECT_THAT(files.at("checklist.md"), HasSubstr("- **Data licenses**: TODO(author)"));
  for (const char* page : {"README.md", "appendix.md", "checklist.md"})
    EXPECT_THAT(files.at(page), Not(HasSubstr("{{"))) << page;
  const Json crate = Json::parse(files.at("ro-crate-metadata.json"));
  const auto entity = [&](const std::string& id) {
    for (const auto& each : crate.at("@graph"))
      if (each.at("@id") == id) return each;
    return Json();
  };
  EXPECT_EQ(entity("ro-crate-metadata.json").at("conformsTo").at("@id"), "https://w3id.org/ro/crate/1.1");
  for (const char* key : {"name", "description", "datePublished", "license", "hasPart"})
    EXPECT_TRUE(entity("./").contains(key)) << key;
  const Json whole = entity("./");
  for (const auto& part : whole.at("hasPart")) {
    EXPECT_TRUE(files.contains(part.at("@id"))) << part;
    EXPECT_EQ(entity(part.at("@id")).at("@type"), "File");
  }
  EXPECT_EQ(entity("#run-made").at("endTime"), "2026-01-31T12:01:30Z");
}

TEST_F(Pack, TakesThePagesThatTheirAuthorWroteOn) {
  make();
  write_text(folder_ / "README.md", "mine\n");
  ASSERT_EQ(pack({"made.jsonl", "--figures", "figs.json", "--pages", ".", "-o", "mine.zip"}).code, 0);
  const PackedFiles files = read_zip(folder_ / "mine.zip");
  EXPECT_EQ(files.at("README.md"), "mine\n");
  EXPECT_THAT(files.at("appendix.md"), HasSubstr("TODO(author)"));
  EXPECT_THAT(wrong_checksums(files), IsEmpty());
  EXPECT_THAT(complaint({"made.jsonl", "--pages", "none", "-o", "b.zip"}),
              HasSubstr("--pages none: none of README.md"));
}

TEST_F(Pack, SaysWhatWasChanged) {
  make();
  const auto slower = [](PackedFiles& files) {
    std::string& run = files.at("runs/made.jsonl");
    run.replace(run.find("0.003984"), 8, "0.013984");
  };
  const Outcome changed = verified(slower, false);
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.out, StartsWith("runs/made.jsonl: was changed: its SHA-256 is "));
  EXPECT_THAT(changed.out, EndsWith("changed.zip: is not what it was\n"));
  const Outcome figures = verified(
      [](PackedFiles& files) {
        std::string& data = files.at("figures/fig9.csv");
        data.replace(data.find("uot/map_uot"), 11, "uot/mop_uot");
        files.erase("claims/my.md");
        files["figures/extra.csv"] = "a,b\n";
      },
      true);
  EXPECT_EQ(figures.code, 1) << "its checksums are right, and it is wrong";
  EXPECT_THAT(figures.out, HasSubstr("figures/fig9.csv: comes out different\n"));
  EXPECT_THAT(figures.out, HasSubstr("claims/my.md: is missing\n"));
  EXPECT_THAT(figures.out, HasSubstr("figures/extra.csv: nothing in the artefact makes it\n"));
  EXPECT_THAT(verified([](PackedFiles& files) { files.erase("LICENSE"); }, false).out,
              HasSubstr("LICENSE: is missing\n"));
  EXPECT_THAT(verified([](PackedFiles& files) { files["new.md"] = ""; }, false).out,
              HasSubstr("new.md: was added: checksums.sha256 does not name it\n"));
  EXPECT_THAT(verified([](PackedFiles& files) { files.erase(checksums_file); }, false).out,
              HasSubstr("this is no artefact of uotbench pack"));
}

// Whatever follows from the runs is made again: nobody has to believe it.
TEST_F(Pack, WhateverTheRunsTellIsMadeAgain) {
  make();
  const auto with = [&](const std::string& file, const std::string& text) {
    return verified([&](PackedFiles& files) { files[file] = text; }, true);
  };
  for (const char* file : {"machines.json", "versions.json", "sweeps/made.json", "ro-crate-metadata.json",
                           "claims/my.verdicts.json", "figures/fig9.gp", "figures/fig9.svg"}) {
    std::string text = read_zip(folder_ / "art.zip").at(file);
    const Outcome outcome = with(file, text.insert(text.size() - 2, " "));
    EXPECT_EQ(outcome.code, 1) << file;
    EXPECT_THAT(outcome.out, HasSubstr(std::string(file) + ": comes out different\n"));
    EXPECT_THAT(outcome.out, EndsWith("changed.zip: is not what it was\n")) << file;
  }
  const Outcome more = with("sweeps/other.json", "{}");
  EXPECT_EQ(more.code, 1);
  EXPECT_THAT(more.out, HasSubstr("sweeps/other.json: nothing in the artefact makes it\n"));
}

// gnuplot's script is ours, whatever drew the picture; a picture of another gnuplot is told.
TEST_F(Pack, APictureOfAnotherGnuplotIsNamedAndItsScriptIsNot) {
  make();
  const Outcome outcome = verified(
      [](PackedFiles& files) {
        std::string& svg = files.at("figures/fig9.svg");
        const auto at = svg.find("GNUPLOT "), end = svg.find(" </desc>", at);
        ASSERT_NE(end, std::string::npos);
        svg.replace(at, end - at, "GNUPLOT 4.0 patchlevel 1");
        files.at("ro-crate-metadata.json").clear();
      },
      true);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(outcome.out,
              HasSubstr("figures/fig9.svg: not compared: drawn by GNUPLOT 4.0 patchlevel 1, and GNUPLOT "));
  EXPECT_THAT(outcome.out, Not(HasSubstr("figures/fig9.svg: comes out different")));
}

TEST_F(Pack, PagesThatTheirAuthorWroteOnAreNotMadeAgain) {
  make();
  write_text(folder_ / "README.md", "mine\n");
  ASSERT_EQ(pack({"made.jsonl", "--figures", "figs.json", "--pages", ".", "-o", "mine.zip"}).code, 0);
  fs::rename(folder_ / "mine.zip", folder_ / "other.zip");
  const Outcome outcome = pack({"--verify", "other.zip"});
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, EndsWith("checked: LICENSE, README.md, figures/figures.json, runs/made.jsonl\n"));
}

// A stranger's pattern must not keep the one who verifies waiting.
TEST_F(Pack, APatternThatBacktracksForEverEnds) {
  make();
  const Outcome outcome = verified(
      [](PackedFiles& files) {
        std::string& spec = files.at("figures/figures.json");
        spec.insert(spec.find("\"kind\""), R"("filter": "(x+x+)+y|(((((.*)*)*)*)*)*z", )");
        std::string& run = files.at("runs/made.jsonl");
        const std::string name = "uot/map_uot";
        for (auto at = run.find(name); at != std::string::npos; at = run.find(name, at + 300))
          run.insert(at + name.size(), std::string(200, 'x'));
      },
      true);
  EXPECT_EQ(outcome.code, 2) << "it ends, and names the pattern";
  EXPECT_THAT(outcome.err, HasSubstr("(x+x+)+y"));
}

// What a killed pack left behind, the next one takes away.
TEST_F(Pack, LeavesNothingBehindThatAKilledOneLeft) {
  make();
  const std::vector<std::string> left{"uotbench-verify-a1B2c3", "uotbench-drawn-a1B2c3"};
  for (const auto& name : left) fs::create_directories(folder_ / "tmp" / name / "runs");
  fs::create_directories(folder_ / "tmp/uotbench-verify-of-mine");
  const Outcome outcome = Program({"env", "TMPDIR=" + (folder_ / "tmp").string(), uotbench_program, "pack",
                                   "--verify", "art.zip"},
                                  folder_.path())
                              .wait(60);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const auto& name : left) EXPECT_FALSE(fs::exists(folder_ / "tmp" / name)) << name;
  EXPECT_TRUE(fs::exists(folder_ / "tmp/uotbench-verify-of-mine"));
}

TEST_F(Pack, DrawsFromItsOwnRunsAlone) {
  make();
  for (const char* other : {"../../made.jsonl", "/etc/passwd", "small", "../runs/none.jsonl"}) {
    const Outcome outcome = verified(
        [&](PackedFiles& files) {
          std::string& spec = files.at("figures/figures.json");
          spec.replace(spec.find("../runs/made.jsonl"), 18, other);
        },
        true);
    EXPECT_EQ(outcome.code, 2) << other;
    EXPECT_THAT(outcome.err, AllOf(HasSubstr("figures.json: /figures/0/runs: expected a run"),
                                   HasSubstr("got \"" + std::string(other))));
  }
}

TEST_F(Pack, WhatCannotBePackedIsOneLine) {
  EXPECT_THAT(complaint({}), HasSubstr("pack: give RUN and --output FILE.zip, or --verify FILE.zip"));
  EXPECT_THAT(complaint({"made.jsonl", "-o", "a.tar"}), HasSubstr("--output: expected FILE.zip"));
  EXPECT_THAT(complaint({"made.jsonl", "./made.jsonl", "-o", "a.zip"}), HasSubstr("is given twice"));
  EXPECT_THAT(complaint({golden_run, "-o", "a.zip"}), HasSubstr("2 of its cases have no result yet"));
  EXPECT_THAT(complaint({"made.jsonl", "--claims", "nobody", "-o", "a.zip"}),
              HasSubstr("no paper \"nobody\""));
  write_text(folder_ / "figs.json",
             R"({"figures": [{"file": "a.pdf", "kind": "speedup", "runs": ["other"]}]})");
  EXPECT_THAT(complaint({"made.jsonl", "--figures", "figs.json", "-o", "a.zip"}),
              HasSubstr("figs.json: /figures/0/runs: \"other\" is none of the packed runs"));
  EXPECT_FALSE(fs::exists(folder_ / "a.zip"));
}

/// Of a ZIP file with one entry of this name.
std::string zip_complaint(const Folder& folder, const std::string& name) {
  write_text(folder / "bad.zip", zip_of({{"good.md", "x"}, {name, "x"}}));
  try {
    read_zip(folder / "bad.zip");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(HostileZip, NamesThatLeadElsewhereAreRefused) {
  const Folder folder;
  EXPECT_THAT(zip_complaint(folder, "runs/a.jsonl"), IsEmpty());
  EXPECT_THAT(zip_complaint(folder, "/etc/passwd"),
              HasSubstr("bad.zip: /etc/passwd: refused, its path is absolute"));
  for (const char* name : {"../a", "a/../../b", "a/..", "a\\..\\b"})
    EXPECT_THAT(zip_complaint(folder, name), HasSubstr("refused, its path leads out of the folder")) << name;
  for (const char* name : {"C:\\a", "a//b", "./a", "a b", "a\nb", "~/a"})
    EXPECT_THAT(zip_complaint(folder, name), HasSubstr("refused, no name of letters")) << name;
  EXPECT_THAT(zip_complaint(folder, std::string(300, 'a')), HasSubstr("refused, no name of letters"));
}

TEST(HostileZip, MoreThanThereIsRoomForIsRefused) {
  const Folder folder;
  const fs::path file = folder / "big.zip";
  const auto told = [&](const ZipLimits& limits) -> std::string {
    try {
      read_zip(file, limits);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  write_text(file, zip_of({{"a", std::string(1000, 'x')}, {"b", std::string(1000, 'x')}}));
  EXPECT_THAT(told({.files = 2, .bytes = 2000}), IsEmpty());
  EXPECT_THAT(told({.files = 1, .bytes = 2000}), HasSubstr("b: refused, there are more than 1 files"));
  EXPECT_THAT(told({.files = 2, .bytes = 1999}),
              HasSubstr("b: refused, with it the files are larger than 1999 bytes"));
}

TEST_F(Pack, LinksDoublesAndWhatIsNoZipAreRefused) {
  // Python's zipfile makes what ours does not.
  const Outcome made = Program({"python3", "-c", R"(
import warnings, zipfile
warnings.simplefilter("ignore")
with zipfile.ZipFile("link.zip", "w") as z:
    link = zipfile.ZipInfo("runs"); link.create_system = 3; link.external_attr = 0o120777 << 16
    z.writestr(link, "/etc")
with zipfile.ZipFile("twice.zip", "w") as z:
    z.writestr("a", "1"); z.writestr("a", "2")
with zipfile.ZipFile("lie.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("a", "x" * 100000)
data = bytearray(open("lie.zip", "rb").read())
at = data.rindex(b"PK\x01\x02")
data[at + 24:at + 28] = (0xfffffff0).to_bytes(4, "little")
open("lie.zip", "wb").write(data)
data[22:26] = data[at + 24:at + 28]
open("huge.zip", "wb").write(data)
)"},
                               folder_.path())
                           .wait();
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_THAT(complaint({"--verify", "link.zip"}),
              HasSubstr("runs: refused, it is a link; nothing was unpacked"));
  EXPECT_THAT(complaint({"--verify", "twice.zip"}), HasSubstr("a: refused, it is there twice"));
  EXPECT_THAT(complaint({"--verify", "huge.zip"}),
              HasSubstr("a: refused, with it the files are larger than"));
  EXPECT_THAT(complaint({"--verify", "lie.zip"}), HasSubstr("a: refused, with it the files are larger than"));
  EXPECT_THAT(complaint({"--verify", "made.jsonl"}), HasSubstr("made.jsonl: no ZIP file that can be read"));
  EXPECT_THAT(complaint({"--verify", "none.zip"}), HasSubstr("--verify none.zip: no such file"));
  make();
  const std::string whole = text_of(folder_ / "art.zip");
  write_text(folder_ / "cut.zip", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(complaint({"--verify", "cut.zip"}), HasSubstr("cut.zip: "));
}

TEST(Sha256,
     IsTheStandards) {  // the examples of FIPS 180-4 (NIST's "SHA256.pdf"), and lengths around a block
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1000000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Templates, AskForNothingThatIsNotKnown) {
  EXPECT_EQ(filled("{{a}} and {{a}}{{b}}.", {{"a", "one"}, {"b", "{{c}}"}}), "one and one{{c}}.");
  EXPECT_THROW(filled("{{d}}", {}), Error);
  EXPECT_THROW(filled("{{d", {}), Error);
}

}  // namespace
}  // namespace uotbench
