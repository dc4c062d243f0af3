// What others wrote into files, and what cannot be written: nothing drives the terminal, nothing is lost
// without a word, no library speaks.
#include <regex>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// golden/small.jsonl, in which `name` stands for a variant's name, as JSON has it.
fs::path run_with(const Folder& folder, const std::string& name) {
  const fs::path file = folder / "run.jsonl";
  write_text(file, std::regex_replace(text_of(golden_run), std::regex("uot/one_read"), name));
  return file;
}

/// The first that a terminal would obey, or a byte that is no text; empty: none.
std::string unsafe_in(const std::string& text) {
  for (const std::string raw :
       {"\x1b", "\x07", "\x08", "\x7f", "\u009b", "\u202e", "\u2066", "\u2028", "\ufffe"})
    if (const auto at = text.find(raw); at != std::string::npos)
      return text.substr(at < 40 ? 0 : at - 40, 80);
  return "";
}

const std::string hostile_name =
    R"(uot/x\u001b]52;c;eA==\u0007\u001b[31mred\u0008\u007f\u009b2J\u202e\u2066\u2028\ufffe)";

TEST(SmallStack, IsNamedWhereAWorkerDies) {
  const Folder folder;
  Program({"sh", "-c",
           "ulimit -s 512; " + uotbench_program + " run uot/fault_crash -a M,N=12,7 --worker '" +
               fault_worker + "' --verify-only --output run.jsonl"},
          folder.path())
      .wait();
  const auto records = records_of(folder / "run.jsonl");
  ASSERT_EQ(records.size(), 1u);
  EXPECT_THAT(records.begin()->second.reason.value_or(""),
              testing::EndsWith(": stack limit 512.0 KiB (ulimit -s) too small?"));
}

TEST(HostileNames, OfARunFileDriveNoTerminal) {
  const Folder folder;
  const std::string run = run_with(folder, hostile_name);
  const std::vector<std::vector<std::string>> commands{{"show", run},
                                                       {"show", run, "--json"},
                                                       {"show", run, "--counters"},
                                                       {"show", run, "--filter", "no such case"},
                                                       {"compare", run, "--vary", "threads"},
                                                       {"compare", run, "--vary", "variant"},
                                                       {"compare", run, golden_run},
                                                       {"export", run, "--format", "csv"},
                                                       {"export", run, "--format", "gbench"},
                                                       {"export", run, "--format", "markdown"},
                                                       {"export", run, "--format", "tex"},
                                                       {"report", run, "--format", "markdown"},
                                                       {"report", run, "-o", "report.html"},
                                                       {"figure", "speedup", run, "-o", "figure.svg"},
                                                       {"rerun", run, "--dry-run"},
                                                       {"merge", run, "-o", "merged.jsonl"}};
  for (const auto& command : commands) {
    const Outcome outcome = uotbench(folder.path(), command);
    EXPECT_EQ(unsafe_in(outcome.out), "") << command[0] << ' ' << command.back();
    EXPECT_EQ(unsafe_in(outcome.err), "") << command[0] << ' ' << command.back();
    EXPECT_THAT(outcome.err, Not(HasSubstr("json.exception"))) << command[0];
  }
  EXPECT_EQ(unsafe_in(text_of(folder / "report.html")), "");
  EXPECT_THAT(uotbench(folder.path(), {"show", run}).out, HasSubstr("x\\x1b]52;c;eA==\\x07\\x1b[31mred"));
}

TEST(HostileNames, OfACommandLineDriveNoTerminal) {
  const Folder folder;
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"run", "uot/map_uot", "--rounds", "\x1b[31m"},
        {"run", "uot/map_uot", "--device", "\x1b[31m"},
        {"run", "uot/map_uot", "--seed", "\u009b31m"},
        {"show", "\x1b[31m"},
        {"show", golden_run, "--\x1b[31m"},
        {"\x1b[31m"},
        {"show", golden_run, "\u202e"},
        {"show", golden_run, "--filter", "\x1b[["}}) {
    const Outcome outcome = uotbench(folder.path(), command);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(unsafe_in(outcome.err), "");
  }
}

TEST(HostileNames, AreNoFormulasOfASpreadsheet) {
  const Folder folder;
  const Outcome outcome =
      uotbench(folder.path(), {"export", run_with(folder, R"(=cmd|' /C calc'!A0)"), "--format", "csv"});
  EXPECT_THAT(outcome.out, HasSubstr("\n'=cmd|' /C calc'!A0/"));
  EXPECT_THAT(outcome.out, Not(testing::ContainsRegex("(^|,|\n)=")));
}

// std::regex_search recurses over what it looks at.
TEST(HostileNames, OfAnyLengthAreLookedAt) {
  const Folder folder;
  const std::string run = run_with(folder, "uot/" + std::string(100'000, 'a'));
  for (const std::string filter : {".*", "(a|b)*c|@native", "numpy_order"}) {
    const Outcome outcome = uotbench(folder.path(), {"show", run, "--filter", filter});
    EXPECT_EQ(outcome.code, 0) << filter << ": " << outcome.err;
  }
  EXPECT_EQ(uotbench(folder.path(), {"figure", "speedup", run, "--filter", "(n|u)+.*", "-o", "f.svg"}).code,
            0);
  const Outcome longest = uotbench(folder.path(), {"show", run, "--filter", std::string(100'000, '(')});
  EXPECT_EQ(longest.code, 2);
  EXPECT_THAT(longest.err, HasSubstr("a regular expression of 100000 bytes; expected at most 4096"));
}

// The word of a library says what, and not where; a mutant of a run file is told by line and place.
TEST(WrongFiles, AreToldInPlainWords) {
  const Folder folder;
  const std::string whole = text_of(golden_run);
  struct MutantFile {
    std::string from, to, told;
  };
  for (const auto& [from, to, told] : std::vector<MutantFile>{
           {R"("options":{"max_noise":0.02})", R"("options":[])",
            "line 1: /options: expected an object, got []"},
           {R"("plan":[)", R"("plan":[5,)", "line 1: /plan/0: expected a text, got 5"},
           {R"("inner":1)", R"("inner":"x")", "/time/inner: expected an integer, got \"x\": left out"},
           {R"("flops":4194304.0)", R"("flops":[])", "flops: expected a number, got []: left out"},
           {R"("tolerance":1e-05)", R"("tolerance":"x")",
            "/check/tolerance: expected a number, got \"x\""}}) {
    const auto at = whole.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    write_text(folder / "m.jsonl", std::string(whole).replace(at, from.size(), to));
    for (const std::vector<std::string>& command : {std::vector<std::string>{"show", "m.jsonl"},
                                                    {"merge", "m.jsonl", "-o", "x.jsonl", "--force"},
                                                    {"compare", "m.jsonl", golden_run}}) {
      const Outcome outcome = uotbench(folder.path(), command);
      EXPECT_THAT(outcome.out + outcome.err, Not(HasSubstr("json.exception"))) << to;
      if (command[0] == "show") {
        EXPECT_THAT(outcome.out + outcome.err, HasSubstr(told)) << to;
      }
    }
  }
  EXPECT_THAT(uotbench(folder.path(), {"rerun", golden_run, "--dry-run"}).err,
              HasSubstr(": cannot be repeated: line 1: /options/rounds: missing; expected an integer"));
}

Outcome in_shell(const Folder& folder, const std::string& command) {
  return Program({"sh", "-c", "U='" + uotbench_program + "' R='" + golden_run + "'\n" + command},
                 folder.path())
      .wait();
}

TEST(Output, ThatCannotBeWrittenIsNeverLostInSilence) {
  const Folder folder;
  for (const std::string command :
       {"show \"$R\"", "export \"$R\" --format csv", "report \"$R\" --format markdown",
        "compare \"$R\" --vary threads", "--help", "--version", "show --help"}) {
    const Outcome closed = in_shell(folder, "\"$U\" " + command + " >&-");
    EXPECT_EQ(closed.code, 1) << command;
    EXPECT_EQ(closed.err,
              "uotbench: stdout cannot be written: Bad file descriptor; what was to be printed is lost\n")
        << command;
    const Outcome full = in_shell(folder, "\"$U\" " + command + " >/dev/full");
    EXPECT_EQ(full.code, 1) << command;
    EXPECT_EQ(full.err,
              "uotbench: stdout cannot be written: No space left on device; what was to be printed is lost\n")
        << command;
  }
  EXPECT_EQ(in_shell(folder, "\"$U\" export \"$R\" --format csv -o x.csv >&-").code, 0)
      << "it prints nothing";
}

// head, less: who leaves has seen enough. The code is the command's own, or SIGPIPE's where it had none yet.
TEST(Output, WhoseReaderLeavesIsNoError) {
  const Folder folder;
  // A pipe without a reader.
  const std::string left = "mkfifo p; exec 3<>p 4>p; exec 3<&-; \"$U\" ";
  const Outcome small = in_shell(folder, left + "--version >&4");
  EXPECT_EQ(small.code, 0);
  EXPECT_EQ(small.err, "");
  fs::remove(folder / "p");
  const Outcome large = in_shell(folder, left + "show \"$R\" --json >&4");
  EXPECT_EQ(large.code, 141);
  EXPECT_EQ(large.err, "");
}

}  // namespace
}  // namespace uotbench
