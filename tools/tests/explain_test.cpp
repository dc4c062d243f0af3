// uotbench explain: code analysed by llvm-mca, and its screens.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/host/process/program.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"
#include "results/record/counters.hpp"
#include "results/tests/made_record.hpp"
#include "roofline/explain/hot_code.hpp"
#include "tools/tests/program.hpp"
#include "tools/uotbench/explaining/in_core.hpp"
#include "tools/uotbench/explaining/osaca.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(LlvmCpu, IsThatOfTheModelOrOfWhatItCanDo) {
  EXPECT_EQ(llvm_cpu("AuthenticAMD", 25, 17, ""), "znver4");
  EXPECT_EQ(llvm_cpu("AuthenticAMD", 25, 1, ""), "znver3");
  EXPECT_EQ(llvm_cpu("AuthenticAMD", 26, 2, ""), "znver5");
  EXPECT_EQ(llvm_cpu("AuthenticAMD", 23, 49, ""), "znver2");
  EXPECT_EQ(llvm_cpu("GenuineIntel", 6, 167, " avx2 avx512f avx512_fp16 "), "sapphirerapids")
      << "a virtual machine says Rocket Lake of it";
  EXPECT_EQ(llvm_cpu("GenuineIntel", 6, 85, ""), "skylake-avx512");
  EXPECT_EQ(llvm_cpu("GenuineIntel", 6, 0, " avx2 "), "skylake");
  EXPECT_EQ(llvm_cpu("HygonGenuine", 24, 1, ""), "");
}

TEST(Disassembly, IsCutAfterTheLastInstructionOfTheBlock) {
  const std::string printed = "\t.text\n\tdecl\t%ecx\n\tjne\t-4\n\tretq\n";
  EXPECT_THAT(instructions_in(printed, 2), ElementsAre("decl\t%ecx", "jne\t-4"));
  EXPECT_THROW(instructions_in(printed, 4), Error);
  EXPECT_EQ(mca_input({{"nop", "nop"}, {"retq"}}),
            "# LLVM-MCA-BEGIN block0\nnop\nnop\n# LLVM-MCA-END block0\n"
            "# LLVM-MCA-BEGIN block1\nretq\n# LLVM-MCA-END block1\n");
}

/// A loop whose bottleneck is known, on Skylake-SP: its instructions, and what may bound it. Ports as in
/// Intel's optimization manual, section 2.6: 0, 1, 5 and 6 compute, 2 and 3 load, 4 stores, 5 shuffles.
struct MadeLoop {
  const char* name;
  std::vector<std::string> instructions;
  std::vector<std::string> bounds;
};

std::vector<std::string> times(int number, const std::string& instruction) {
  std::vector<std::string> all;
  for (int i = 0; i < number; ++i) all.push_back(fmt::format(fmt::runtime(instruction), i, i + 8));
  return all;
}

const MadeLoop made_loops[]{
    {"chain_of_adds", times(4, "vaddps %ymm1, %ymm0, %ymm0"), {"dependency chain"}},
    {"one_accumulator", {"vfmadd231ps (%rsi), %ymm1, %ymm0", "addq $32, %rsi"}, {"dependency chain"}},
    {"pointers", {"movq (%rax), %rax"}, {"dependency chain"}},
    {"chain_of_divisions", {"vdivss %xmm1, %xmm0, %xmm0"}, {"dependency chain"}},
    {"independent_fmas", times(8, "vfmadd231ps %ymm15, %ymm14, %ymm{0}"), {"SKXPort0", "SKXPort1"}},
    {"shuffles", times(4, "vshufps $1, %ymm14, %ymm15, %ymm{0}"), {"SKXPort5"}},
    {"loads", times(4, "vmovups {1}(%rsi), %ymm{0}"), {"SKXPort2", "SKXPort3"}},
    {"stores", times(4, "vmovups %ymm{0}, {1}(%rdi)"), {"SKXPort4"}},
    {"copy",
     {"vmovups (%rsi), %ymm0", "vmovups %ymm0, (%rdi)", "vmovups 32(%rsi), %ymm1", "vmovups %ymm1, 32(%rdi)"},
     {"SKXPort4"}},
    {"divisions", times(4, "vdivps %ymm14, %ymm15, %ymm{0}"), {"SKXFPDivider"}},
    {"multiplications", times(4, "imulq %rsi, %rdi"), {"dependency chain"}},
    {"nothing_but_issue", times(12, "nop"), {"issue"}},
};

class MadeLoopTest : public testing::TestWithParam<MadeLoop> {
 protected:
  void SetUp() override {
    for (const char* suffix : {"-19", ""})
      if (mc_.empty()) mc_ = program_in_path(fmt::format("llvm-mc{}", suffix));
    if (mc_.empty()) GTEST_SKIP() << "llvm-19 is not installed";
  }
  /// The instructions' machine code.
  std::string code(const std::vector<std::string>& instructions) const {
    std::string text;
    for (const auto& one : instructions) text += one + '\n';
    const Folder folder;
    write_whole(folder / "loop.s", text);
    const Ended ended = run_program({.command = {mc_.string(), "--assemble", "--show-encoding",
                                                 "--triple=x86_64", (folder / "loop.s").string()}});
    std::string hex;
    for (std::size_t at = 0; (at = ended.said.find("0x", at)) != std::string::npos; at += 4)
      if (ended.said[at - 1] == '[' || ended.said[at - 1] == ',') hex += ended.said.substr(at + 2, 2);
    return hex;
  }
  /// jnz to the start of the body, and nine bytes after it that are no instruction.
  static std::string jump_over(const std::string& body) {
    const auto distance = static_cast<std::uint32_t>(-(static_cast<int>(body.size() / 2) + 6));
    std::string hex = "0f85";
    for (int byte = 0; byte < 4; ++byte) hex += fmt::format("{:02x}", distance >> (8 * byte) & 0xff);
    return hex + "060606060606060606";
  }
  fs::path mc_;
};

TEST_P(MadeLoopTest, IsBoundByWhatItWasMadeFor) {
  const MadeLoop& loop = GetParam();
  Record record;
  Counter& counter = record.counters[counter_names::by_block];
  const std::size_t instructions = loop.instructions.size() + 1;  // and the jump
  counter.value = 1000. * static_cast<double>(instructions);
  const std::string body = code(loop.instructions);
  counter.lines = {
      {fmt::format("made+0x0, {} instructions: {}{}", instructions, body, jump_over(body)), *counter.value}};
  uotbench::Run run;
  run.header = made_header(Json::object());
  CodeAnalyser analyse("skylake-avx512");
  const InCore core = analyse(run, record);
  ASSERT_EQ(core.reason, "");
  EXPECT_THAT(core.tool, HasSubstr("(skylake-avx512)"));
  EXPECT_THAT(loop.bounds, testing::Contains(core.hot.bound));
  EXPECT_EQ(core.share, 1);
  EXPECT_EQ(core.hot.listing.size(), instructions);
  EXPECT_EQ(core.cpu, "skylake-avx512");
  EXPECT_GE(core.cycles, 1000);
}

INSTANTIATE_TEST_SUITE_P(Made, MadeLoopTest, testing::ValuesIn(made_loops),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(CodeAnalyser, SaysWhichPackageIsMissing) {
  Record record;
  Counter& counter = record.counters[counter_names::by_block];
  counter.value = 1;
  counter.lines = {{"made+0x0, 1 instructions: 90", 1}};
  uotbench::Run run;
  run.header = made_header(Json::object());
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  CodeAnalyser analyse("skylake-avx512");
  ::setenv("PATH", path.c_str(), 1);
  const InCore core = analyse(run, record);
  EXPECT_FALSE(core.known());
  EXPECT_EQ(core.reason, "llvm-mca is not installed");
  EXPECT_THAT(core.mend, HasSubstr("apt-get install llvm-19"));
}

/// What OSACA 0.7.1 writes of vmovups, vfmadd231ps, vaddps, vmovups, addq and jne, the descriptions of
/// instructions left out.
constexpr const char* osaca_answer =
    R"(Header: {Architecture: spr, FileName: a.s, Timestamp: '2026-11-27 22:53:36',
    Version: 0.7.1}
Kernel:
- Comment: null
  PortPressure: {'0': 0.0, 0DV: 0.0, '1': 9.0}
Summary:
  CriticalPath: 12.0
  LCD: 3.0
  PortPressure: {'0': 0.66, 0DV: 0.0, '1': 0.65, '10': 0.5, '11': 0.67, 1DV: 0.0,
    '2': 0.67, '3': 0.67, '4': 0.5, '5': 0.68, '6': 0.5, '7': 0.5, '8': 0.5, '9':
      0.5}
Target:
  Name: SPR
  Ports: ['0', 0DV, '1', 1DV, '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']
Warnings: []
)";

TEST(Osaca, SaysTheLongerOfPortsAndDependencies) {
  const OtherTool loop = other_from_osaca(osaca_answer, true);
  EXPECT_EQ(loop.tool, "OSACA 0.7.1");
  EXPECT_EQ(loop.cycles, 3);
  EXPECT_EQ(loop.bound, "dependency chain");
  const OtherTool straight = other_from_osaca(osaca_answer, false);
  EXPECT_EQ(straight.cycles, 0.68) << "no pass follows another";
  EXPECT_EQ(straight.bound, "port 5");
  std::string unknown = osaca_answer;
  unknown.replace(unknown.find("Warnings: []"), 12, "Warnings: [UnknownInstrWarning]");
  EXPECT_THAT(other_from_osaca(unknown, true).bound, HasSubstr("without instructions that it does not know"));
}

TEST(Osaca, RefusesAnotherAnswerInOneLine) {
  for (const char* answer :
       {"", "Header: {Version: 0.7.1}\n", "Header: {Version: 1}\nSummary:\n  LCD: 1\nWarnings: []\n",
        "Header: {Version: 1}\nSummary:\n  LCD: x\n  PortPressure: {0: 1}\nWarnings: []\n"})
    EXPECT_THROW(other_from_osaca(answer, true), Error) << answer;
}

TEST(Osaca, HasNamesOfItsOwnForCpus) {
  EXPECT_EQ(osaca_cpu("sapphirerapids"), "SPR");
  EXPECT_EQ(osaca_cpu("znver4"), "ZEN4");
  EXPECT_EQ(osaca_cpu("znver5"), "");
}

/// Programs on PATH in front of all others.
class WithProgram {
 public:
  explicit WithProgram(const std::string& script) : before_(::getenv("PATH")) {
    write_text(folder_ / "osaca", "#!/bin/sh\n" + script);
    fs::permissions(folder_ / "osaca", fs::perms::owner_all);
    ::setenv("PATH", (folder_.path().string() + ":" + before_).c_str(), 1);
  }
  ~WithProgram() { ::setenv("PATH", before_.c_str(), 1); }
  WithProgram(const WithProgram&) = delete;
  WithProgram& operator=(const WithProgram&) = delete;

 private:
  Folder folder_;
  std::string before_;
};

HotBlock made_block() {
  return {.at = "made+0x0",
          .passes = 1,
          .loops = true,
          .cycles = 1,
          .listing = {{"addq %rax, %rbx", {}}, {"jne -4", {}}}};
}

TEST(Osaca, IsAskedForTheBlock) {
  // --arch SPR --ignore-unknown --yaml-out FILE CODE
  const WithProgram osaca(
      std::string("grep -qx 'addq %rax, %rbx' \"$6\" || exit 1\n[ \"$2\" = SPR ] || exit 1\n"
                  "cat >\"$5\" <<'ANSWER'\n") +
      osaca_answer + "ANSWER\n");
  Osaca ask;
  const OtherTool other = ask(made_block(), "sapphirerapids");
  EXPECT_EQ(other.reason, "");
  EXPECT_EQ(other.tool, "OSACA 0.7.1 (SPR)");
  EXPECT_EQ(other.cycles, 3);
  EXPECT_EQ(ask(made_block(), "znver5").reason, "OSACA has no model of znver5");
}

TEST(Osaca, ThatFailsIsQuotedByItsLastLine) {
  const WithProgram osaca("echo 'Traceback:'\necho 'KeyError: 7' >&2\nexit 1\n");
  EXPECT_EQ(Osaca()(made_block(), "znver4").reason, "OSACA failed: KeyError: 7");
}

TEST(Osaca, ThatIsMissingHasTheLineThatInstallsIt) {
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  Osaca ask;
  ::setenv("PATH", path.c_str(), 1);
  const OtherTool other = ask(made_block(), "znver4");
  EXPECT_FALSE(other.known());
  EXPECT_EQ(other.reason, "OSACA is not installed");
  EXPECT_EQ(other.mend, "pip install osaca");
}

class ExplainCommand : public testing::Test {
 protected:
  Outcome run(const std::vector<std::string>& arguments) {
    std::vector<std::string> command{uotbench_program, "explain"};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return Program(command, folder.path()).wait();
  }
  Folder folder;
};

TEST_F(ExplainCommand, ReadsAStoredRun) {
  const Outcome of_run = run({golden_run, "--json"});
  ASSERT_EQ(of_run.code, 0) << of_run.err;
  const Json list = Json::parse(of_run.out);
  ASSERT_FALSE(list.empty());
  for (const auto& one : list) {
    EXPECT_TRUE(one.at("bottleneck").is_string());
    EXPECT_FALSE(one.at("verdict").get<std::string>().empty());
  }
  const Outcome screen = run({golden_run, "--filter", "map_uot"});
  EXPECT_EQ(screen.code, 0) << screen.err;
  EXPECT_THAT(screen.out, HasSubstr("measured"));
}

TEST_F(ExplainCommand, PrintsATableOfAllCasesAsMarkdown) {
  const Outcome table = run({golden_run, "--format", "markdown"});
  ASSERT_EQ(table.code, 0) << table.err;
  EXPECT_THAT(table.out, testing::StartsWith("### What bounds each case\n"));
  EXPECT_THAT(table.out,
              HasSubstr("| case | time | predicted | measured/predicted | bottleneck | evidence | next |"));
  const Outcome other = run({golden_run, "--format", "tex"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("tex"));
}

// Times without counts have parts by the work model, and the screen says what was not counted.
TEST_F(ExplainCommand, OfARunWithoutCountsSaysWhatIsMissing) {
  const Outcome screen = run({golden_run, "--filter", "map_uot", "--asm", "--lines"});
  ASSERT_EQ(screen.code, 0) << screen.err;
  EXPECT_THAT(screen.out, HasSubstr("its instructions were not counted by block (--counters blocks)"));
  EXPECT_THAT(screen.out, HasSubstr("its instructions were not counted by line (--counters functions)"));
  EXPECT_THAT(screen.out, testing::Not(HasSubstr("Hot loop")));
}

TEST_F(ExplainCommand, OfAnUnknownCaseOrRunIsOneLine) {
  for (const char* what : {"uot/none", "uot/map_uot/M:x@native", "nosuchrun"}) {
    const Outcome outcome = run({what});
    EXPECT_EQ(outcome.code, 2) << what;
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
  }
}

TEST_F(ExplainCommand, OfARunTakesNothingToMeasure) {
  const Outcome outcome = run({golden_run, "-a", "threads=2"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("is a run, whose cases are measured already"));
}

// Measured once, then read: the case asked for, with its code, and the ceilings that explain it.
TEST_F(ExplainCommand, MeasuresAVariantAndReadsItNextTime) {
  const std::vector<std::string> what{"uot/map_uot", "-a",       "M,N=64,64",   "-a",
                                      "threads=2",   "--worker", native_worker, "--counters",
                                      "blocks",      "--json",   "--quiet"};
  const Outcome first = run(what);
  ASSERT_EQ(first.code, 0) << first.err;
  const Json list = Json::parse(first.out);
  ASSERT_EQ(list.size(), 1u) << "the case of one thread was measured for its code alone";
  EXPECT_THAT(list[0].at("case").get<std::string>(), HasSubstr("threads:2"));
  const auto runs = runs_of("explain", folder / "results/runs");
  ASSERT_EQ(runs.size(), 1u);
  const uotbench::Run run_file = read_run(runs.front());
  const auto one_thread = std::ranges::find_if(
      run_file.records, [](const Record& record) { return record.point.json().at("threads") == 1; });
  ASSERT_NE(one_thread, run_file.records.end());
  const auto counter = counter_of(*one_thread, counter_names::by_block);
  ASSERT_TRUE(counter);
  ASSERT_TRUE(counter->value) << counter->reason;
  EXPECT_GT(*counter->value, 64 * 64 / 16) << "a vector at a time";
  EXPECT_FALSE(counter->lines.empty());
  const auto sequence = counter_of(*one_thread, counter_names::sequence);
  ASSERT_TRUE(sequence);
  ASSERT_TRUE(sequence->value) << sequence->reason;
  EXPECT_FALSE(sequence->lines.empty());
  const auto clocks = one_thread->env.clocks();
  EXPECT_EQ(clocks.size(), 2 * one_thread->time->processes.size()) << "before and after, of each process";
  EXPECT_TRUE(list[0].at("own_clock_hz").is_number());
  EXPECT_THAT(run_file.ceilings_again, testing::Contains(testing::Truly([](const CeilingAgain& again) {
                return again.record.variant == "ceiling/cycle";
              })));
  EXPECT_EQ(run(what).code, 0);
  EXPECT_EQ(runs_of("explain", folder / "results/runs").size(), 1u) << "read, not measured again";
  if (program_in_path("llvm-mca-19").empty()) GTEST_SKIP() << "llvm-19 is not installed";
  const Outcome figure = uotbench(
      folder.path(), {"figure", "ecm", "explain", "--mcpu", "skylake-avx512", "-o", "ecm.svg", "--data"});
  ASSERT_EQ(figure.code, 0) << figure.err;
  EXPECT_THAT(text_of(folder / "ecm.csv"), HasSubstr("(skylake-avx512)"));
}

// What is exact of kernels with a known bottleneck: their code, and what it is bound by in the core. Their
// times are those of the sweep bottlenecks.json.
TEST_F(ExplainCommand, FindsWhatBoundsTheCodeOfMadeKernels) {
  if (program_in_path("llvm-mca-19").empty()) GTEST_SKIP() << "llvm-19 is not installed";
  const std::pair<const char*, const char*> chains[]{{"bottleneck/chain_of_adds", "dependency chain"},
                                                     {"bottleneck/chain_of_fmas", "dependency chain"},
                                                     {"bottleneck/shuffles", "SKXPort5"},
                                                     {"bottleneck/stores", "SKXPort4"}};
  for (const auto& [variant, bound] : chains) {
    const Outcome outcome = run({variant, "-a", "N=512", "--worker", native_worker, "--counters", "blocks",
                                 "--json", "--quiet", "--mcpu", "skylake-avx512"});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json it = Json::parse(outcome.out).at(0);
    EXPECT_EQ(it.at("in_core").at("hot_block").at("bound"), bound) << variant;
    EXPECT_TRUE(it.at("made_for").is_string());
    EXPECT_GT(it.at("in_core").at("hot_block").at("instructions").size(), 2u);
    EXPECT_TRUE(it.at("in_core").at("in_order").is_object()) << "of its blocks the order is known";
  }
}

// Half of the branches on random numbers, less what the predictor learns by heart of the same numbers each
// time; what one takes is measured for the case.
TEST_F(ExplainCommand, CountsMispredictedBranches) {
  constexpr double numbers = 30000;
  const Outcome outcome = run({"bottleneck/random_branches", "-a", "N=30000", "--worker", native_worker,
                               "--counters", "blocks", "--json", "--quiet"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json it = Json::parse(outcome.out).at(0);
  EXPECT_GT(it.at("mispredicted_branches").get<double>(), 0.1 * numbers);
  EXPECT_LT(it.at("mispredicted_branches").get<double>(), 0.4 * numbers);
  EXPECT_THAT(it.at("parts"), testing::Contains(testing::Truly([](const Json& part) {
                return part.at("name") == "branches" && part.at("seconds").get<double>() > 0;
              })));
}

}  // namespace
}  // namespace uotbench
