// check-worker passes workers that keep the protocol, in C++ and in another language, and catches those that
// do not, whatever they do, each with a line of its own that says what was expected.
#include <memory>

#include "harness/protocol/channel.hpp"
#include "harness/protocol/npy.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string example = std::string(UOTBENCH_SOURCE_DIR) + "/docs/my_worker.py";

TEST(CheckWorker, PassesTheExample) {
  Folder folder;
  Program python({uotbench_program, "check-worker", "python3 " + example}, folder.path());
  const Outcome outcome = python.wait();
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  EXPECT_EQ(outcome.err, "");
  for (const char* line :
       {"ok       hello: after .* protocol 1\n", "ok       build: python\n",
        "ok       describe uot/python_lists: axes threads\n", "ok       unknown request: .*sing",
        "ok       unknown variant: ", "ok       plan uot/python_lists: 5 points, at most .* of memory\n",
        "ok       verify uot/python_lists: right at 5 points, error up to ",
        "ok       unknown step of uot/python_lists: ",
        "ok       time uot/python_lists: [0-9]+ samples, .* an iteration; from outside .*s\n",
        "ok       quit: exited with code 0\n", "ok       closed stdin: exited with code 0\n",
        "note     work of uot/python_lists: not declared", "\n12 ok, 0 wrong, [0-9] doubtful\n"})
    EXPECT_THAT(outcome.out, ContainsRegex(line));
  EXPECT_THAT(python.processes(), IsEmpty());
}

// Every command in docs/guide/workers.md does what it says, with the programs in PATH.
TEST(CheckWorker, CommandsOfItsPageRun) {
  Folder folder;
  fs::create_directory_symlink(std::string(UOTBENCH_SOURCE_DIR) + "/docs", folder / "docs");
  const std::string path = "PATH='" + bin + "':\"$PATH\"; ";
  std::ifstream page(std::string(UOTBENCH_SOURCE_DIR) + "/docs/guide/workers.md");
  int commands = 0;
  for (std::string line; std::getline(page, line);) {
    if (!line.starts_with("uotbench ")) continue;
    ++commands;
    if (line.find(" run ") != std::string::npos)
      line += " --rounds 1 --max-time 50ms --output run.jsonl --force";
    const Outcome outcome = Program({"sh", "-c", path + line}, folder.path()).wait();
    EXPECT_EQ(outcome.code, 0) << line << "\n" << outcome.out << outcome.err;
  }
  EXPECT_EQ(commands, 3);
  EXPECT_EQ(records_of(folder / "run.jsonl").size(), 2u) << "theirs beside ours";
}

TEST(CheckWorker, TellsTheSameAsJson) {
  Folder folder;
  const Outcome outcome = uotbench(folder.path(), {"check-worker", "sh -c 'exit 3'", "--json"});
  EXPECT_EQ(outcome.code, 1);
  const Json checks = Json::parse(outcome.out).at("checks");
  ASSERT_EQ(checks.size(), 1u);
  EXPECT_EQ(checks[0].at("level"), "wrong");
  EXPECT_EQ(checks[0].at("what"), "hello");
  EXPECT_EQ(checks[0].at("found"), "exited with code 3 without answering");
  EXPECT_THAT(checks[0].at("right").get<std::string>(), HasSubstr("\"protocol\":1"));
}

// Kernels that are wrong in known ways, in a worker that keeps the protocol.
TEST(CheckWorker, TellsRightFromWrongVariants) {
  Folder folder;
  // One of them allocates without end: not all that there is.
  const std::string worker = "sh -c 'ulimit -v 4000000; UOTBENCH_FAULT_STATE=" + folder.path().string() +
                             " exec " + bin + "/uotbench-worker-fault'";
  std::vector<std::string> found_by_the_clock{
      "wrong    time uot/fault_deferred: (impossible: |.*adds .* of wall time)",
      "wrong    time uot/fault_settled: (impossible: |.*does less work the longer it runs)",
      "wrong    time uot/fault_twelve: (impossible: |.*does less work the longer it runs)"};
  Outcome outcome;
  EXPECT_TRUE(in_some_attempt([&] {
    Program program({uotbench_program, "check-worker", worker, "--timeout", "1s"}, folder.path());
    outcome = program.wait();
    EXPECT_TRUE(eventually([&] { return program.processes().empty(); }));
    std::erase_if(found_by_the_clock, [&](const std::string& line) {
      return testing::Matches(ContainsRegex(line))(outcome.out);
    });
    return found_by_the_clock.empty();
  })) << testing::PrintToString(found_by_the_clock)
      << outcome.out;
  EXPECT_EQ(outcome.code, 1);
  for (const char* line :
       {"wrong    verify uot/fault_crash: M:37/N:53, 2 iterations: killed by SIGSEGV",
        "wrong    verify uot/fault_hang: M:37/N:53, 2 iterations: no answer within 1s: killed",
        "wrong    verify uot/fault_inexact: M:37/N:53, 2 iterations: wrong: 1 of 1,961 cells",
        "wrong    verify uot/fault_lazy: M:37/N:53, 2 iterations: wrong: ",
        "wrong    verify uot/fault_nothing: M:37/N:53, 2 iterations: it says that it wrote plan, which is as "
        "it was",
        "wrong    verify uot/fault_throw: M:37/N:53, 2 iterations: tile 3 does not fit",
        "wrong    time uot/fault_crash_later: killed by SIGSEGV",
        "wrong    time uot/fault_boundless: impossible: ", "wrong    verify uot/fault_memo: ",
        "ok       verify uot/fault_fine: right at 5 points",
        "ok       verify uot/fault_loud: right at 5 points",
        "note     text: [0-9]+ lines that are no messages", "ok       time uot/fault_fine: ",
        "ok       time uot/fault_loud: ", "ok       time uot/fault_precomputed: ",
        "ok       time uot/fault_stray: ", "ok       closed stdin: "})
    EXPECT_THAT(outcome.out, ContainsRegex(line));
  EXPECT_TRUE(fs::exists(folder / "left"));
}

/// The example with one thing changed.
struct Mutant {
  std::string before, after;  ///< text in the example, and what stands there instead
  std::string line;           ///< what must be said, as a regular expression
};

const Mutant mutants[]{
    // The slowest first.
    {"        send(type=\"error\", message=repr(error))", "        pass",
     "wrong    unknown request: no answer within 3s"},
    {"os.dup2(2, 1)", "print(\"aloud\", flush=True)",
     "note     text: [0-9]+ lines that are no messages.*aloud"},
    {"protocol=1", "protocol=7", "wrong    hello: .*speaks protocol 7, this uotbench speaks 1"},
    {"b\"\\x1e\" + json", "json",
     "wrong    hello: .*: it sent a message without the byte 0x1E before it: .*\n +expected: the byte 0x1E, "
     "JSON"},
    {"messages.flush()", "pass", "wrong    hello: no answer within 3s: killed; is every message flushed"},
    {"build=dict(python=sys.version.split()[0])", "build={}", "note     build: no facts"},
    {"build=dict(python=sys.version.split()[0])", "build=7",
     "wrong    hello: worker .*: hello: /build: got 7\n +expected: an object of facts"},
    {"name=\"uot/python_lists\"", "name=\"uto/python_lists\"",
     "wrong    describe uto/python_lists: the oracle knows no family \"uto\" .did you mean uot?"},
    {"name=\"uot/python_lists\"", "name=\"lists\"",
     "wrong    describe lists: the name \"lists\"\n +expected: FAMILY/VARIANT"},
    {"kind=\"integer\"", "kind=\"int\"",
     "wrong    describe: worker .*: /variants/0/axes/0/kind: got \"int\"\n +expected: \"integer\""},
    {"default=1", "default=0", "wrong    describe .*: the axis threads does not accept its own default"},
    {"name=\"threads\"", "name=\"dtype\"", "wrong    describe .*: the axis dtype is the family's"},
    {"        send(type=\"error\", message=repr(error))", "        raise",
     "wrong    unknown request: exited with code 1"},
    {"for own in request[\"points\"]", "for own in request[\"points\"][1:]",
     "wrong    plan .*: /points: got 4\n +expected: 5 entries .one for each"},
    {"dict(memory=", "dict(bytes=", "wrong    plan .*: /points/0: got .\"bytes\":[0-9]+.\n +expected: "},
    {"json.loads(line.lstrip(b\"\\x1e\"))",
     "json.loads(line.lstrip(b\"\\x1e\")); print(\"thinking\", flush=True)",
     "note     text: [0-9]+ lines that are no messages.*thinking"},
    {"for _ in range(request[\"iterations\"])", "for _ in range(10)",
     "wrong    verify .*: M:37/N:53, 2 iterations: wrong: "},
    {"if point[\"scheme\"] == \"damped\"", "if False",
     "wrong    verify .*scheme:damped, 2 iterations: wrong: "},
    {"\"outputs\": list(outputs)", "\"outputs\": [\"plan\", \"u\", \"w\"]",
     "wrong    verify .*: it names the output \"w\"\n +expected: outputs are plan, u, v"},
    {"\"outputs\": list(outputs)", "\"outputs\": [\"plan\", \"u\"]",
     "wrong    verify .*: it wrote v, which it does not name"},
    {"for name, values in outputs.items()", "for name, values in [(\"plan\", plan)]",
     "wrong    verify .*: it says that it wrote u, which is as it was"},
    {"    outputs = {\"plan\"",
     "    lists.store(request[\"arrays\"][\"in\"] + \"/a.npy\", lists.b[:1])\n    outputs = {\"plan\"",
     "wrong    verify .*: it changed the input a\n +expected: inputs are shared"},
    {"    return record\n", "    send(**record)\n    sys.exit()\n",
     "wrong    verify .*: M:37/N:53, 10 iterations: exited with code 0"},
    {"dict(verify=verify, time=measure, prove=prove)[step]",
     "dict(time=measure, prove=prove).get(step, verify)",
     "wrong    unknown step of uot/python_lists: .* /type: got \"record\"\n +expected: \"error\""},
    // Liars. A thousandth of the time; a thousand times the time; always the same; and what cannot be.
    {"samples=samples", "samples=[s / 1000 for s in samples]",
     "wrong    time .*: reported .*/iteration, but soon after the inputs an iteration takes "},
    {"        timed[0].start()\n", "        timed[0].start(); timed[0].a = [2 * x for x in timed[0].a]\n",
     "wrong    time .*: right when it was verified, wrong in the process that was timed.*\n +expected: .* "
     "that "
     "are right"},
    {"    outputs = {\"plan\"",
     "    if request[\"iterations\"] > 2: raise ValueError(\"tile 3\")\n    outputs = {\"plan\"",
     "wrong    verify .*: M:37/N:53, 10 iterations: .*tile 3.*\n +expected: a result; what it cannot solve "
     "it "
     "says to plan"},
    {"stopped_by=\"time\", samples=samples)}",
     "stopped_by=\"time\", samples=samples), \"work\": {\"flops\": 1, "
     "\"bytes_read\": 1, \"bytes_written\": 0, \"write_allocate\": 0}}",
     "note     work of uot/python_lists: without \"working_set\""},
    {"steps=[\"verify\", \"time\", \"prove\"], ", "",
     "doubtful time .*: the timed run was not verified: worker .* does not know"},
    {"samples=samples", "samples=[s * 10 for s in samples]",
     "wrong    time .*: reported .* s of samples in .* s: "},
    {"inner=1", "inner=1000", "wrong    time .*: reported .* samples, each of 1000 x "},
    {"samples=samples", "samples=[min(samples)] * 5", "doubtful time .*: all 5 samples are the same"},
    {"samples=samples", "samples=samples[:2]", "wrong    time .*: 2 samples where min_samples is 5"},
    {"samples=samples", "samples=[-1.0] * 5",
     "wrong    time .*: /time/samples/0: got -1.0\n +expected: seconds"},
    {"inner=1", "inner=0", "wrong    time .*: /time/inner: got 0\n +expected: an integer"},
    {"samples=samples", "samples=samples, first_sample_at=time.time()",
     "wrong    time .*: reported first_sample_at .*\n +expected: seconds of CLOCK_MONOTONIC"},
    {"stopped_by=\"time\"", "stopped_by=\"boredom\"",
     "wrong    time .*: /time/stopped_by: got \"boredom\"\n +expected: "},
    {"samples=samples", "samples=samples + [float(\"nan\")]",
     "wrong    time .*: JSON has no NaN and no Infinity"},
    {"summary=\"on lists\"", "tolerance=0.2",
     "wrong    describe uot/python_lists: uot/python_lists declares a tolerance of 0.2\n +expected: at most "
     "0.1"},
    {"case=request[\"case\"]", "case=\"another\"",
     "wrong    verify .*: /case: got \"another\"\n +expected: "},
    {"        break\n", "        sys.exit(3)\n", "wrong    quit: exited with code 3"},
    {"        break\n", "        time.sleep(60)\n", "wrong    quit: still ran after 2s: killed"},
    {"        send(type=\"error\", message=repr(error))\n",
     "        send(type=\"error\", message=repr(error))\nelse:\n    time.sleep(60)\n",
     "wrong    closed stdin: still ran after 2s: killed"},
};

/// What check-worker says of a mutant, several at a time: they mostly wait.
class Checking {
 public:
  void add(const Mutant& mutant) {
    std::string text = text_of(example);
    const auto at = text.find(mutant.before);
    ASSERT_NE(at, std::string::npos) << "the example has no " << mutant.before;
    text.replace(at, mutant.before.size(), mutant.after);
    const fs::path file = folder_ / ("mutant" + std::to_string(running_.size()) + ".py");
    write_text(file, text);
    eventually([this] { return still_running() < at_once; }, 60);
    running_.push_back(
        {mutant, std::make_unique<Program>(
                     std::vector<std::string>{uotbench_program, "check-worker",
                                              quick_python() + file.string(), "--timeout", "3s"},
                     folder_.path())});
  }
  ~Checking() {
    for (std::size_t i = 0; i < running_.size(); ++i) finish(i);
  }

 private:
  struct One {
    Mutant mutant;
    std::unique_ptr<Program> program;
  };

  void finish(std::size_t i) {
    auto& [mutant, program] = running_[i];
    if (!program) return;
    const Outcome outcome = program->wait();
    SCOPED_TRACE(mutant.before + " -> " + mutant.after);
    EXPECT_EQ(outcome.code, mutant.line.starts_with("wrong") ? 1 : 0) << outcome.out << outcome.err;
    EXPECT_THAT(outcome.out, ContainsRegex(mutant.line));
    EXPECT_TRUE(eventually([&] { return program->processes().empty(); }, 5)) << "something stayed behind";
    program.reset();
  }

  std::size_t still_running() {
    std::size_t count = 0;
    for (std::size_t i = 0; i < running_.size(); ++i)
      if (running_[i].program && running_[i].program->running())
        ++count;
      else
        finish(i);
    return count;
  }

  static constexpr std::size_t at_once = 6;
  Folder folder_;
  std::vector<One> running_;
};

TEST(CheckWorker, CatchesEachMutantOfTheExample) {
  Checking checking;
  for (const auto& mutant : mutants) checking.add(mutant);
}

struct Transcript {
  std::vector<Json> asked, said;
};

/// The one in docs/my_worker.txt, with arrays in `folder`.
Transcript documented(const fs::path& folder) {
  Transcript all;
  std::ifstream in(std::string(UOTBENCH_SOURCE_DIR) + "/docs/my_worker.txt");
  for (std::string line; std::getline(in, line);) {
    for (std::size_t at; (at = line.find("/dev/shm/arrays")) != std::string::npos;)
      line.replace(at, std::string("/dev/shm/arrays").size(), folder.string());
    (line.starts_with("> ") ? all.asked : all.said).push_back(Json::parse(line.substr(2)));
  }
  return all;
}

/// Equal, where the text "..." stands for anything.
bool matches(const Json& documented, const Json& said) {
  if (documented == "...") return true;
  if (documented.type() != said.type() || documented.size() != said.size()) return documented == said;
  if (!documented.is_structured()) return documented == said;
  for (auto wanted = documented.begin(), got = said.begin(); wanted != documented.end(); ++wanted, ++got)
    if ((documented.is_object() && wanted.key() != got.key()) || !matches(*wanted, *got)) return false;
  return true;
}

TEST(Protocol, TranscriptIsWhatTheExampleSays) {
  Folder folder;
  for (const char* kind : {"in", "out"}) fs::create_directory(folder / kind);
  const auto array = [&](const std::string& file, const std::vector<std::size_t>& shape) {
    NpyArray made = NpyArray::create(folder / (file + ".npy"), "<f8", shape);
    std::ranges::fill(made.as_mutable<double>(), 0.5);
  };
  array("in/K", {2, 3}), array("in/a", {2}), array("in/b", {3});
  array("out/plan", {2, 3}), array("out/u", {2}), array("out/v", {3});
  const Transcript transcript = documented(folder.path());
  ASSERT_GE(transcript.asked.size(), 6u);
  ASSERT_EQ(transcript.said.size(), transcript.asked.size()) << "hello comes unasked, quit has no answer";

  std::string requests;
  for (const auto& request : transcript.asked) requests += framed(request);
  write_text(folder / "requests", requests);
  const Outcome outcome =
      Program({"sh", "-c", "exec python3 '" + example + "' <requests"}, folder.path()).wait();
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::vector<Json> said;
  Deframer().feed(
      outcome.out, [&](Json message) { said.push_back(std::move(message)); },
      [](std::string_view text) { ADD_FAILURE() << "text that is no message: " << text; });
  ASSERT_EQ(said.size(), transcript.said.size());
  for (std::size_t i = 0; i < said.size(); ++i)
    EXPECT_TRUE(matches(transcript.said[i], said[i])) << transcript.said[i] << "\n" << said[i];
  const auto plan = NpyArray::open(folder / "out/plan.npy");
  EXPECT_NE(plan.as<double>()[0], 0.5) << "nothing was written";
}

}  // namespace
}  // namespace uotbench
