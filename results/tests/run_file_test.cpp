// A run file is written a whole line at a time, by one program, and stays whole where a write fails.
#include "results/record/run_file/run_file.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <csignal>

#include "results/base/error.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/run_file/line_json.hpp"
#include "results/tests/made_record.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

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
