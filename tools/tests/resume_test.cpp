// --resume goes on where a run was cut, and is refused where it would mix two runs.
#include "tools/tests/fixtures.hpp"

namespace uotbench {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;

/// A run that is there, and what --resume makes of changes.
class Resume : public Durability {
 protected:
  void SetUp() override { ASSERT_EQ(run(sweep_).code, 0); }
  void expect_refused(const std::vector<std::string>& arguments, const std::string& why) {
    const std::string before = text_of(file_);
    const Outcome outcome = run(joined(arguments, {"--resume"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "uotbench: run.jsonl: --resume is refused: " + why + "\n");
    EXPECT_EQ(text_of(file_), before) << "a refusal changes nothing";
  }
  /// What is printed of a command that was given with these arguments.
  std::string resuming_by(const std::vector<std::string>& arguments) const {
    std::string text = uotbench_program + " run --worker " + fault_worker;
    for (const auto& word : arguments)
      text += word.find(';') == std::string::npos ? " " + word : " '" + word + "'";
    return text + " --resume --output run.jsonl";
  }
  /// The end of a refusal where the command that began the run goes on with it, or where nothing but force
  /// does.
  std::string the_first_goes_on() const {
    return "; start a new file with --output, or go on with it by: " + resuming_by(sweep_);
  }
  std::string force_goes_on(const std::vector<std::string>& arguments) const {
    return "; start a new file with --output, or insist by: " + resuming_by(arguments) + " --force";
  }
  void replace_in_file(const std::string& what, const std::string& by) {
    std::string text = text_of(file_);
    const auto at = text.find(what);
    ASSERT_NE(at, std::string::npos);
    write_text(file_, text.replace(at, what.size(), by));
  }

  const std::vector<std::string> sweep_{"uot/fault_fine", "-a", "M,N=12,7;13,7", "--verify-only"};
};

TEST_F(Resume, OfAFinishedRunDoesNothingAgain) {
  EXPECT_EQ(run(joined(sweep_, {"--resume"})).code, 0);
  EXPECT_THAT(final_records(file_), testing::UnorderedElementsAre(Pair(done_, 1), Pair(beside_, 1)));
  EXPECT_THAT(read_run(file_).resumes, SizeIs(1));
}

TEST_F(Resume, IsRefusedForAnotherPlan) {
  const std::vector<std::string> other{"uot/fault_fine", "-a", "M,N=12,7;14,7", "--verify-only"};
  expect_refused(
      other,
      "it was made from another plan (1 case is new: uot/fault_fine/M:14/N:7@fault, 1 case is gone: "
      "uot/fault_fine/M:13/N:7@fault)" +
          the_first_goes_on());
  expect_refused(
      joined(other, {"--rounds", "2"}),
      "it was made from another plan (1 case is new: uot/fault_fine/M:14/N:7@fault, 1 case is gone: "
      "uot/fault_fine/M:13/N:7@fault); it was measured with other options (rounds was 3, is 2)" +
          the_first_goes_on());
  EXPECT_EQ(Program({"/bin/sh", "-c", resuming_by(sweep_)}, folder_.path()).wait().code, 0)
      << "what is printed is to be pasted";
  EXPECT_EQ(run(joined(other, {"--resume", "--force"})).code, 0);
  EXPECT_THAT(final_records(file_), testing::UnorderedElementsAre(Pair(done_, 1), Pair(beside_, 1),
                                                                  Pair("uot/fault_fine/M:14/N:7@fault", 1)));
  EXPECT_THAT(read_run(file_).unfinished, IsEmpty());
}

TEST_F(Resume, IsRefusedForOtherOptions) {
  expect_refused(joined(sweep_, {"--rounds", "2"}),
                 "it was measured with other options (rounds was 3, is 2)" + the_first_goes_on());
}

TEST_F(Resume, IsRefusedForAnotherBuildOfAWorker) {
  const fs::path other = folder_ / "worker";
  fs::copy_file(bin + "/" + worker_name_, other);
  std::ofstream(other, std::ios::app | std::ios::binary) << '\0';
  auto arguments = joined(sweep_, {"--worker", "fault=" + other.string()});
  expect_refused(arguments, "worker fault was built anew since" + force_goes_on(arguments));
  EXPECT_EQ(run(joined(arguments, {"--resume", "--force"})).code, 0);
}

TEST_F(Resume, IsRefusedOnAnotherMachine) {
  replace_in_file("\"fingerprint\":\"", "\"fingerprint\":\"0");
  expect_refused(sweep_, "it was made on another machine" + force_goes_on(sweep_));
  const std::vector<std::string> other{"uot/fault_fine", "-a", "M,N=12,7;13,7"};
  const std::string both =
      "it was measured with other options (verify_only was true, is false); it was made on another machine";
  expect_refused(other, both + force_goes_on(sweep_));
  replace_in_file("\"command\":\"", "\"commanded\":\"");  // as files of old
  expect_refused(other, both + force_goes_on(other));
  EXPECT_EQ(run(joined(sweep_, {"--resume", "--force"})).code, 0);
}

TEST_F(Resume, WithoutAFileStarts) {
  for (const char* found : {"", "\n", R"({"kind":"run","schema":1,"sweep":{"na)"}) {
    fs::remove(file_);
    if (*found) write_text(file_, *found == '\n' ? "" : found);
    EXPECT_EQ(run(joined(sweep_, {"--resume"})).code, 0) << found;
    EXPECT_THAT(read_run(file_).unfinished, IsEmpty()) << found;
    EXPECT_THAT(read_run(file_).warnings, IsEmpty()) << found;
  }
}

TEST_F(Resume, RunsACaseWhoseRecordIsTornAgain) {
  const std::string text = text_of(file_);
  const auto last = text.rfind("{\"kind\":\"case\"");
  write_text(file_, text.substr(0, last + 100));
  EXPECT_THAT(read_run(file_).warnings, Contains(HasSubstr("torn")));
  EXPECT_EQ(run(joined(sweep_, {"--resume"})).code, 0);
  EXPECT_THAT(read_run(file_).warnings, IsEmpty());
  EXPECT_THAT(final_records(file_), testing::UnorderedElementsAre(Pair(done_, 1), Pair(beside_, 1)));
}

TEST_F(Resume, LeavesAFileAloneThatIsNoRun) {
  for (const std::string notes : {"my notes", "my notes\nwithout an end", "{\"kind\":\"sweep\"}\n"}) {
    write_text(file_, notes);
    const Outcome outcome = run(joined(sweep_, {"--resume"}));
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "uotbench: run.jsonl: not a run file (its first line is not {\"kind\":\"run\",...})\n");
    EXPECT_EQ(text_of(file_), notes);
  }
}

/// Forth and back between two plans.
class PlansOf : public Resume {
 protected:
  void SetUp() override {
    use(a_);
    ASSERT_EQ(run(sweep_).code, 0);
  }
  void use(const std::string& sizes) const {
    write_text(
        folder_ / "s.json",
        R"({"name": "ab", "cases": [{"variants": ["uot/fault_fine"], "axes": {"M,N": )" + sizes + "}}]}");
  }
  std::vector<std::string> flags(const std::vector<std::string>& more) const { return joined(sweep_, more); }

  const std::string a_ = "[[8,8],[9,9],[10,10]]", b_ = "[[8,8],[12,12]]";
  const std::vector<std::string> sweep_{"--sweep", "s.json", "--verify-only"};
};

TEST_F(PlansOf, ARunThatChangedForthAndBackLoseNothing) {
  use(b_);
  EXPECT_EQ(run(flags({"--resume"})).code, 2);
  EXPECT_EQ(run(flags({"--resume", "--force"})).code, 0);
  EXPECT_EQ(run(flags({"--resume"})).code, 0) << "the plan in force is asked for";
  use(a_);
  EXPECT_EQ(run(flags({"--resume"})).code, 2) << "the first line's plan is not in force";
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = run(flags(i == 0 ? std::vector<std::string>{"--resume", "--force"}
                                             : std::vector<std::string>{"--resume"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_THAT(final_records(file_), testing::Each(testing::Pair(testing::_, 1)))
        << "nothing is measured twice";
    const auto now = read_run(file_);
    EXPECT_THAT(now.records, SizeIs(3));
    EXPECT_THAT(now.unfinished, IsEmpty());
  }
  EXPECT_THAT(final_records(file_), SizeIs(4)) << "three of one plan, and one more of the other";
  // Of a plan that was cut off, the count is its own.
  std::string text = text_of(file_);
  use("[[8,8],[20,20],[21,21],[22,22],[23,23]]");
  EXPECT_EQ(run(flags({"--resume", "--force"})).code, 0);
  text = text_of(file_);
  for (int i = 0; i < 3; ++i) text.resize(text.rfind('\n', text.size() - 2) + 1);  // the end, and two records
  write_text(file_, text);
  EXPECT_THAT(uotbench(folder_.path(), {"show", "run.jsonl"}).out,
              HasSubstr("2 of 5 cases are not finished"));
}

/// An array of f64 in NumPy's format, version 1.0.
std::string npy(const std::string& shape, const std::vector<double>& values) {
  std::string text = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
  text.resize(64 - 10 - 1 + 64 * ((text.size() + 11) / 64), ' ');
  text += '\n';
  const auto size = static_cast<std::uint16_t>(text.size());
  std::string file = std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(size & 255) +
                     static_cast<char>(size >> 8) + text;
  file.append(reinterpret_cast<const char*>(values.data()), sizeof(double) * values.size());
  return file;
}

/// A problem of the user's own, as files.
class OfOwnFiles : public Resume {
 protected:
  void SetUp() override {
    fs::create_directories(folder_ / "p");
    write_text(folder_ / "p/a.npy", npy("(2,)", {1, 2}));
    write_text(folder_ / "p/b.npy", npy("(3,)", {1, 1, 1}));
    write_K(0.5);
    ASSERT_EQ(run(own_).code, 0);
  }
  void write_K(double last) const { write_text(folder_ / "p/K.npy", npy("(2, 3)", {1, 2, 1, 2, 1, last})); }

  const std::vector<std::string> own_{"uot/fault_fine",
                                      "uot/fault_loud",
                                      "-a",
                                      "M,N=2,3",
                                      "-a",
                                      "data=npy",
                                      "-a",
                                      "path=" + (folder_ / "p").string(),
                                      "--verify-only"};
};

TEST_F(OfOwnFiles, IsRefusedWhereAFileChanged) {
  const std::string K = (folder_ / "p/K.npy").string();
  for (const auto& record : read_run(file_).records) {
    EXPECT_THAT(record.input_files, SizeIs(3)) << record.id;
    EXPECT_THAT(record.input_files, Contains(Pair(K, HasSubstr("176 bytes "))));
  }
  EXPECT_EQ(run(joined(own_, {"--resume"})).code, 0) << "as it was";
  // A run of half its cases, of which the others would be of another problem.
  std::string text = text_of(file_);
  const auto second = text.find("{\"kind\":\"case\"", text.find("{\"kind\":\"case\"") + 1);
  write_text(file_, text.substr(0, second));
  write_K(0.25);
  expect_refused(own_, "its input " + K + " has changed since" + force_goes_on(own_));
  const Outcome forced = run(joined(own_, {"--resume", "--force"}));
  EXPECT_EQ(forced.code, 0) << forced.err;
  EXPECT_THAT(forced.out, HasSubstr("/K.npy changed"));
}

}  // namespace
}  // namespace uotbench
