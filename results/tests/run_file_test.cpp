#include "results/record/run_file/run_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>

#include "results/base/error.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/run_file/header_json.hpp"
#include "results/tests/folder.hpp"
#include "results/tests/plain_record.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

template <class Callable>
std::string usage_error(Callable&& call) {
  try {
    call();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

std::string header(const std::vector<std::string>& plan) {
  return to_line({{"kind", "run"}, {"schema", 1}, {"plan", plan}}) + '\n';
}

std::string record(const std::string& id, Status status, const std::string& reason = "") {
  return to_line(to_json(plain_record(id, status, reason))) + '\n';
}

/// A file may not grow past `bytes` while this lives: the disk is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    handler_ = ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

class RunFileTest : public testing::Test {
 protected:
  const Folder own;
  const fs::path folder = own.path(), file = folder / "runs" / "a.jsonl";
};

TEST_F(RunFileTest, HoldsALineForEachAppended) {
  {
    RunFile run(file, RunFile::Mode::create);
    run.append({{"kind", "run"}, {"schema", 1}});
    run.append_all({{{"kind", "case"}, {"id", "a"}}, {{"kind", "case"}, {"id", "b"}}});
    EXPECT_EQ(text_of(file),
              "{\"kind\":\"run\",\"schema\":1}\n{\"kind\":\"case\",\"id\":\"a\"}\n"
              "{\"kind\":\"case\",\"id\":\"b\"}\n");
  }
  EXPECT_TRUE(fs::exists(file));
}

// Nothing was written, so nothing is left lying about.
TEST_F(RunFileTest, IsRemovedWhereNothingWasWritten) {
  { RunFile run(file, RunFile::Mode::create); }
  EXPECT_FALSE(fs::exists(file));
  write(file, "");
  { RunFile run(file, RunFile::Mode::create); }
  EXPECT_TRUE(fs::exists(file)) << "it was there before";
}

// Hours of measuring are not overwritten by repeating a command.
TEST_F(RunFileTest, CreateRefusesAFileThatHoldsSomething) {
  write(file, header({}));
  EXPECT_EQ(usage_error([&] { RunFile run(file, RunFile::Mode::create); }),
            file.string() + ": holds a run already; --resume goes on with it, --force starts over");
  EXPECT_EQ(text_of(file), header({}));
}

TEST_F(RunFileTest, ReplaceStartsOver) {
  write(file, header({"old"}));
  RunFile run(file, RunFile::Mode::replace);
  run.append({{"kind", "run"}});
  EXPECT_EQ(text_of(file), "{\"kind\":\"run\"}\n");
}

// A parent that was killed while it wrote leaves half a line; the next line must not be glued to it.
TEST_F(RunFileTest, ContinueCutsATornLastLine) {
  const std::string whole = header({"a", "b"}) + record("a", Status::ok), torn = record("b", Status::ok);
  for (std::size_t kept = 0; kept < torn.size(); ++kept) {
    write(file, whole + torn.substr(0, kept));
    RunFile run(file, RunFile::Mode::continue_);
    ASSERT_EQ(text_of(file), whole) << kept;
    run.append({{"kind", "resume"}});
    ASSERT_EQ(text_of(file), whole + "{\"kind\":\"resume\"}\n") << kept;
  }
}

// Killed during its very first write, a run has nothing to keep: it starts.
TEST_F(RunFileTest, ContinueEmptiesAFileWithATornFirstLine) {
  const std::string first = header({"a"});
  for (std::size_t kept = 0; kept < first.size(); ++kept) {
    write(file, first.substr(0, kept));
    RunFile run(file, RunFile::Mode::continue_);
    ASSERT_EQ(text_of(file), "") << kept;
  }
}

// `--resume --output thesis.tex` must not cost the thesis its last line.
TEST_F(RunFileTest, ContinueLeavesOtherFilesAlone) {
  for (const std::string text :
       {"notes\nlast line", "x", "{\"kind\":\"case\"}\n{", "{\"name\": \"a sweep\"}", "\n", "[]\n"}) {
    write(file, text);
    EXPECT_EQ(usage_error([&] { RunFile run(file, RunFile::Mode::continue_); }),
              file.string() + ": not a run file (its first line is not {\"kind\":\"run\",...})")
        << text;
    EXPECT_EQ(text_of(file), text);
  }
}

TEST_F(RunFileTest, RefusesASecondWriterWhileTheFirstLives) {
  const std::string refused =
      file.string() + ": another uotbench is writing this file; wait for it, or give another --output";
  {
    RunFile first(file, RunFile::Mode::create);
    first.append({{"kind", "run"}, {"plan", Json::array()}});
    const std::string before = text_of(file);
    for (const auto mode : {RunFile::Mode::create, RunFile::Mode::replace, RunFile::Mode::continue_})
      EXPECT_EQ(usage_error([&] { RunFile second(file, mode); }), refused);
    EXPECT_EQ(text_of(file), before);
    EXPECT_EQ(read_run(file).warnings.size(), 0u) << "reading is always allowed";
  }
  EXPECT_NO_THROW(RunFile(file, RunFile::Mode::continue_));
}

TEST_F(RunFileTest, SaysWhyItCannotBeWritten) {
  fs::create_directories(file);
  EXPECT_EQ(usage_error([&] { RunFile run(file, RunFile::Mode::create); }),
            file.string() + ": cannot be written: Is a directory");
}

// A full disk: whatever fits of the line is taken back, and the run can be resumed from the last record.
TEST_F(RunFileTest, StaysWholeWhereAWriteFails) {
  RunFile run(file, RunFile::Mode::create);
  const std::string first = header({"a", "b", "c"}), second = record("a", Status::ok);
  run.append(Json::parse(first));
  run.append(Json::parse(second));
  for (const std::size_t room : {0, 1, 100}) {
    const FullDisk full(first.size() + second.size() + room);
    std::string message;
    try {
      run.append_all({Json::parse(record("b", Status::ok)), Json::parse(record("c", Status::ok))});
    } catch (const UsageError&) {
      ADD_FAILURE() << "nobody used it wrongly";
    } catch (const Error& error) {
      message = error.what();
    }
    EXPECT_EQ(message, file.string() +
                           ": cannot be written: File too large; the file is whole up to its last record; "
                           "make room and go on with --resume");
    EXPECT_EQ(text_of(file), first + second) << room;
  }
  run.append(Json::parse(record("b", Status::ok)));
  const auto read = read_run(file);
  EXPECT_THAT(read.warnings, IsEmpty());
  EXPECT_THAT(read.unfinished, ElementsAre("c"));
}

// Not even the first line fits: there is no run, and no file that looks like one.
TEST_F(RunFileTest, LeavesNoFileWhereTheFirstWriteFails) {
  {
    RunFile run(file, RunFile::Mode::create);
    const FullDisk full(10);
    EXPECT_THROW(run.append(Json::parse(header({"a"}))), Error);
  }
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(RunFileTest, IsReadInTheOrderOfThePlanWithTheLastRecordOfAnId) {
  write(file, header({"a", "b", "c", "d"}) + record("b", Status::interrupted) + record("a", Status::ok) +
                  "{\"kind\":\"resume\",\"started\":\"x\"}\n" + record("b", Status::failed, "wrong") +
                  record("c", Status::interrupted) + record("stranger", Status::ok));
  const auto run = read_run(file);
  ASSERT_EQ(run.records.size(), 3u);
  EXPECT_EQ(run.records[0].id, "a");
  EXPECT_EQ(run.records[1].id, "b");
  EXPECT_EQ(run.records[1].status, Status::failed);
  EXPECT_EQ(run.records[1].reason, "wrong");
  EXPECT_EQ(run.resumes.size(), 1u);
  EXPECT_FALSE(run.end);
  EXPECT_THAT(run.unfinished, ElementsAre("c", "d"));
  EXPECT_THAT(run.warnings,
              ElementsAre(file.string() + " holds a record that its plan does not name: left out"));
}

// Files in the plan's order, which are most, are read without a look back; what has been read counts all the
// same where an id comes again, a later start has another plan, or the plan names something twice.
TEST_F(RunFileTest, IsReadAlikeInOrderAndOutOfIt) {
  const auto read = [&](const std::vector<std::string>& plan, const std::string& lines) {
    write(file, header(plan) + lines);
    std::string told;
    const auto run = read_run(file);
    for (const auto& one : run.records) told += one.id + ':' + name_of(one.status) + ' ';
    for (const auto& id : run.unfinished) told += " left " + id;
    return told;
  };
  const std::string a = record("a", Status::ok), b = record("b", Status::ok),
                    cut = record("a", Status::interrupted);
  EXPECT_EQ(read({"a", "b", "c"}, a + b), "a:ok b:ok  left c");
  EXPECT_EQ(read({"a", "b"}, cut + b), "a:interrupted b:ok  left a");
  EXPECT_EQ(read({"a", "b"}, cut + b + a), "a:ok b:ok ");
  EXPECT_EQ(read({"a", "b"}, b + a), "a:ok b:ok ");
  EXPECT_EQ(read({"a", "b", "a"}, a + b + cut), "a:interrupted b:ok  left a left a");
  EXPECT_EQ(read({"a", "b"}, a + "{\"kind\":\"resume\",\"plan\":[\"b\",\"a\"]}\n" + b), "b:ok a:ok ");
}

// Times that no clock can have given are not believed, whoever wrote them.
TEST_F(RunFileTest, IsReadWithoutRecordsWhoseSamplesAreNoTimes) {
  for (const std::string sample : {"-1e-5", "0", "1e999"}) {
    write(
        file,
        header({"a"}) +
            R"({"kind":"case","id":"a","variant":"uot/x","worker":"w","point":{},"status":"ok","time":{"per":"iteration",)"
            R"("clock":"steady","inner":1,"stopped_by":"noise","processes":[{"start":1,"samples":[1e-5,)" +
            sample + "]}]}}\n");
    const auto run = read_run(file);
    EXPECT_TRUE(run.records.empty()) << sample;
    EXPECT_EQ(run.warnings.size(), 1u) << sample;
  }
}

// An export, or a merge, never takes the place of samples that nobody can take again.
TEST_F(RunFileTest, IsNotReplacedByAnythingElse) {
  write(file, header({"a"}));
  EXPECT_THROW(write_whole(file, "id,median\n"), UsageError);
  {
    const RunFile busy(file, RunFile::Mode::continue_);
    EXPECT_THROW(write_whole(file, "{}", true), UsageError) << "somebody writes it";
  }
  EXPECT_EQ(to_json(read_run(file).header).at("plan").size(), 1u);
}

// An end that a later start followed is no end.
TEST_F(RunFileTest, HasAnEndOnlyWhereNothingFollowsIt) {
  const std::string end = "{\"kind\":\"end\",\"status\":\"complete\"}\n";
  write(file, header({"a"}) + record("a", Status::ok) + end);
  EXPECT_TRUE(read_run(file).end);
  write(file, header({"a"}) + end + "{\"kind\":\"resume\"}\n");
  EXPECT_FALSE(read_run(file).end);
}

TEST_F(RunFileTest, IsReadWithoutATornLastLine) {
  write(file, header({"a", "b"}) + record("a", Status::ok) + record("b", Status::ok).substr(0, 40));
  const auto run = read_run(file);
  EXPECT_THAT(run.unfinished, ElementsAre("b"));
  EXPECT_THAT(run.warnings,
              ElementsAre("line 3 of " + file.string() + " is torn (cut off while being written): left out"));
}

// One bad line (a disk error, an editor) costs that line, not the run.
TEST_F(RunFileTest, WarnsOfABrokenLineByItsNumber) {
  for (const std::string broken : {"gibberish", "{\"kind\":5}", "[1,2]", "{}", "", "{\"kind\":\"run\"}"}) {
    write(file, header({"a", "b"}) + record("a", Status::ok) + broken + "\n" + record("b", Status::ok));
    const auto run = read_run(file);
    EXPECT_THAT(run.warnings, ElementsAre("line 3 of " + file.string() + " is not a record: left out"))
        << broken;
    EXPECT_EQ(run.records.size(), 2u) << broken;
  }
  write(file, header({"a"}) + "{\"kind\":\"case\",\"id\":\"a\"}\n");
  EXPECT_THAT(read_run(file).warnings,
              ElementsAre("line 2 of " + file.string() +
                          ": not a case record: /variant: missing; expected a text: left out"));
}

// A newer program's file is read as far as it is understood.
TEST_F(RunFileTest, IgnoresUnknownKeysAndKindsAndWarnsOfANewerSchema) {
  write(file, "{\"kind\":\"run\",\"schema\":7,\"plan\":[\"a\"],\"weather\":\"fine\"}\n" +
                  std::string("{\"kind\":\"verdict\"}\n") + record("a", Status::ok));
  const auto run = read_run(file);
  EXPECT_THAT(run.warnings, ElementsAre(file.string() + " was written by a newer uotbench (schema 7)"));
  EXPECT_EQ(run.records.size(), 1u);
  EXPECT_THAT(run.unfinished, IsEmpty());
}

TEST_F(RunFileTest, RefusesWhatIsNoRun) {
  EXPECT_EQ(usage_error([&] { read_run(file); }), file.string() + ": no such run file");
  write(file, "");
  EXPECT_EQ(usage_error([&] { read_run(file); }), file.string() + ": an empty file, not a run");
  for (const std::string& text :
       {std::string("x\n"), std::string("{\"kind\":\"case\"}\n"), header({}).substr(0, 20), std::string("\n"),
        std::string("{\"kind\":\"run\"}")}) {
    write(file, text);
    EXPECT_EQ(usage_error([&] { read_run(file); }),
              file.string() + ": not a run file (its first line is not {\"kind\":\"run\",...})")
        << text;
  }
}

// By its place, in the words of the file: no reader of it meets another type later.
TEST_F(RunFileTest, RefusesAFirstLineThatNobodyCouldRead) {
  const auto of = [&](const std::string& keys) {
    write(file, "{\"kind\":\"run\"," + keys + "}\n");
    return usage_error([&] { read_run(file); }).substr(file.string().size());
  };
  EXPECT_EQ(of(R"("schema":"one")"), ": line 1: /schema: expected an integer, got \"one\"");
  EXPECT_EQ(of(R"("plan":["a",1])"), ": line 1: /plan/1: expected a text, got 1");
  EXPECT_EQ(of(R"("machine":5)"), ": line 1: /machine: expected an object, got 5");
  EXPECT_EQ(of(R"("options":{"max_noise":"2%"})"),
            ": line 1: /options/max_noise: expected a number, got \"2%\"");
  EXPECT_EQ(of(R"("workers":{"w":5})"), ": line 1: /workers/w: expected an object, got 5");
  EXPECT_EQ(of(R"("axis_roles":{"uot":{"M":1}})"), ": line 1: /axis_roles/uot/M: expected a text, got 1");
  EXPECT_EQ(of(R"("shard":{"index":1,"of":2})"),
            ": line 1: /shard/order: missing; expected a list of integers");
  EXPECT_EQ(of(R"("merged":[{"shard":{"of":2}}])"),
            ": line 1: /merged/0/shard/index: missing; expected an integer");
}

TEST_F(RunFileTest, LeavesOutALaterStartThatNobodyCouldRead) {
  write(file, header({"a"}) + "{\"kind\":\"resume\",\"plan\":[5]}\n" + record("a", Status::ok));
  const auto run = read_run(file);
  EXPECT_THAT(run.warnings,
              ElementsAre("line 2 of " + file.string() + ": /plan/0: expected a text, got 5: left out"));
  EXPECT_EQ(run.records.size(), 1u);
}

// A file from a colleague, or from nobody knows where: its names drive no terminal and no page.
TEST_F(RunFileTest, IsReadWithItsTextsMadeVisible) {
  const std::string id = "uot/x\\u001b]52;c;eA==\\u0007/M:1@w\u202e";
  write(
      file,
      "{\"kind\":\"run\",\"started\":\"\u009b2J\",\"plan\":[\"" + id + "\"]}\n{\"kind\":\"case\",\"id\":\"" +
          id +
          R"(","variant":"uot/x\u001b","worker":"w","point":{"M\u001b":"\u001b"},"status":"failed",)"
          R"("reason":"a\nb\u001b","env":{"k\u001b":["\u001b"]},)"
          R"("time":{"per":"iteration","clock":"\u001b","inner":1,"stopped_by":"noise","warnings":["\u001b"],)"
          R"("processes":[{"start":1,"samples":[1e-5]}]},)"
          R"("counters":{"L1\u001b":{"value":1,"source":"\u001b"}}})"
          "\n");
  const auto run = read_run(file);
  EXPECT_THAT(run.warnings, IsEmpty());
  ASSERT_EQ(run.records.size(), 1u);
  EXPECT_EQ(run.records[0].id, "uot/x\\x1b]52;c;eA==\\x07/M:1@w\\u202e");
  EXPECT_EQ(run.records[0].reason, "a\nb\\x1b");
  const std::string all = to_line(to_json(run.records[0])) + to_line(to_json(run.header));
  for (const char* raw : {"\\u001b", "\x1b", "\u009b", "\u202e"})
    EXPECT_EQ(all.find(raw), std::string::npos) << all;
}

TEST_F(RunFileTest, IsFoundByPathOrAsTheNewestOfItsSweep) {
  const fs::path runs = folder / "runs";
  for (const char* name :
       {"small-20260101T000000Z.jsonl", "small-20260301T000000Z.jsonl", "small-20260201T000000Z.jsonl",
        "small-size-20270101T000000Z.jsonl", "small-20280101T000000Z.txt", "notes.jsonl"})
    write(runs / name, header({}));
  EXPECT_EQ(find_run("small", runs), runs / "small-20260301T000000Z.jsonl");
  EXPECT_EQ(find_run("small-size", runs), runs / "small-size-20270101T000000Z.jsonl");
  EXPECT_EQ(find_run((runs / "notes.jsonl").string(), runs), runs / "notes.jsonl");
  EXPECT_EQ(usage_error([&] { find_run("smal", runs); }),
            "no run \"smal\": give a file, or the name of a sweep with a run in " + runs.string() +
                " (there: small, small-size)");
  EXPECT_EQ(usage_error([&] { find_run("small", folder / "nowhere"); }),
            "no run \"small\": give a file, or the name of a sweep with a run in " +
                (folder / "nowhere").string() + " (there: none)");
}

// --resume --force changes the plan; the newest one counts for whoever reads the file, and what an older one
// measured is not lost.
TEST_F(RunFileTest, HasTheNewestPlanAndWhatBelongsToIt) {
  const std::string second =
      R"({"kind":"resume","started":"x","plan":["a","c"],"sweep":{"name":"two"},"options":{"rounds":2},"command":"uotbench run two"})"
      "\n";
  write(file, header({"a", "b"}) + record("a", Status::ok) + record("b", Status::ok) + second +
                  record("c", Status::ok));
  const auto run = read_run(file);
  EXPECT_EQ(to_json(run.header).at("plan"), Json({"a", "c"}));
  EXPECT_EQ(to_json(run.header).at("sweep").at("name"), "two");
  EXPECT_EQ(to_json(run.header).at("options").at("rounds"), 2);
  EXPECT_EQ(to_json(run.header).at("command"), "uotbench run two");
  EXPECT_THAT(run.unfinished, IsEmpty());
  ASSERT_EQ(run.unplanned.size(), 1u);
  EXPECT_EQ(run.unplanned[0].id, "b");
  EXPECT_EQ(plan_in_force(file), (std::vector<std::string>{"a", "c"}));
  const std::string back = R"({"kind":"resume","started":"y","plan":["a","b"],"command":null})"
                           "\n";
  write(file, text_of(file) + back);
  EXPECT_EQ(plan_in_force(file), (std::vector<std::string>{"a", "b"}));
  const auto again = read_run(file);
  EXPECT_THAT(again.unfinished, IsEmpty()) << "b was measured before";
  EXPECT_EQ(again.records.size(), 2u);
  EXPECT_FALSE(to_json(again.header).contains("command"));
  EXPECT_EQ(again.resumes.back().started, "y");
  EXPECT_EQ(plan_in_force(file.parent_path()), std::nullopt);
}

// Where nothing can be written there is nothing to go on with, and a command without --resume does not name
// it.
TEST_F(RunFileTest, SaysWhatHelpsWhereTheDiskIsFull) {
  const auto told = [&](bool resumable, bool begun) -> std::string {
    fs::remove(file);
    RunFile run(file, RunFile::Mode::create, resumable);
    if (begun) run.append(Json::parse(header({"a"})));
    const FullDisk full(begun ? 100 : 10);
    try {
      run.append(Json{{"kind", "case"}, {"text", std::string(1000, 'x')}});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(
      told(true, true),
      testing::EndsWith("the file is whole up to its last record; make room and go on with --resume"));
  EXPECT_THAT(told(true, false), testing::EndsWith("nothing was kept; make room and run it again"));
  EXPECT_THAT(told(false, true),
              testing::EndsWith("the file is whole up to its last record; make room and run it again"));
}

TEST_F(RunFileTest, SaysWhyItsFolderCannotBeMade) {
  write(file, "");
  try {
    const RunFile run(file / "below" / "run.jsonl", RunFile::Mode::create);
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("below cannot be made: Not a directory"));
  }
}

// Names sort by time. A clock that went back must not make an older run the newest of its sweep.
TEST_F(RunFileTest, OfANewRunIsTheLastByItsName) {
  const fs::path folder = file.parent_path() / "runs";
  fs::create_directories(folder);
  write(folder / "a-21991231T235959.999Z.jsonl", "");
  EXPECT_EQ(new_run("a", folder).filename(), "a-22000101T000000.000Z.jsonl");
  EXPECT_LT(new_run("b", folder).filename(), "b-2199");
}

}  // namespace
}  // namespace uotbench
