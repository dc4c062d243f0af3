// --resume goes on where a run was cut, and is refused where it would mix two runs.
#include "tools/tests/durability.hpp"

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

}  // namespace
}  // namespace uotbench
