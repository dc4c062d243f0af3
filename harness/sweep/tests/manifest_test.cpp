#include "harness/sweep/workers/manifest.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "harness/host/facts/usable.hpp"
#include "harness/protocol/tests/refusal.hpp"
#include "results/tests/folder.hpp"

namespace uotbench {
namespace {

using testing::ElementsAre;

std::string manifest_refusal(const std::string& text) {
  const Folder folder;
  folder.write("w.json", text);
  return complaint([&] { read_manifests(folder.path(), "/bin"); });
}

TEST(Manifest, HoldsHowAWorkerIsLaunched) {
  const Folder folder;
  folder.write("z.json", R"({"name": "zeta", "command": ["{bin}/worker", "--x={bin}"], "prefer": 2,
    "about": "why", "environment": {"A": "1", "B": "two words"}, "isa": "x86-64-v3"})");
  folder.write("a.json", R"({"name": "alpha", "command": ["a"], "judge": true})");
  folder.write("README.md", "not a manifest");
  const auto all = read_manifests(folder.path(), "/opt/bin");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].name, "alpha") << "by name";
  EXPECT_TRUE(all[0].judge);
  EXPECT_EQ(all[0].prefer, 0);
  EXPECT_EQ(all[1].name, "zeta");
  EXPECT_THAT(all[1].command, ElementsAre("/opt/bin/worker", "--x=/opt/bin"));
  EXPECT_THAT(all[1].environment, ElementsAre("A=1", "B=two words"));
  EXPECT_EQ(all[1].isa, "x86-64-v3");
  EXPECT_EQ(all[1].prefer, 2);
  EXPECT_FALSE(all[1].judge);
}

Manifest only(const std::string& text) {
  const Folder folder;
  folder.write("w.json", text);
  return read_manifests(folder.path(), "/bin").at(0);
}

TEST(Manifest, SaysWhatItHoldsAndHowItIsPreferred) {
  const Manifest worker = only(R"({"name": "w", "command": ["w"], "sources": "cu", "prefer": 7})");
  EXPECT_EQ(worker.sources, "cu");
  EXPECT_EQ(worker.prefer, 7);
  EXPECT_TRUE(worker.tells_variants());
  EXPECT_FALSE(only(R"({"name": "w", "command": ["w"]})").tells_variants());
  EXPECT_EQ(manifest_refusal(R"({"name": "w", "command": ["w"], "sources": "c"})"),
            "w.json: /sources: expected cpp, cu or py, got \"c\"");
  EXPECT_EQ(manifest_refusal(R"({"name": "w", "command": ["w"], "sources": "cu", "variants": ["uot/*"]})"),
            "w.json: /variants: expected \"sources\" without \"variants\" (the sources name them), got "
            "[\"uot/*\"]");
}

TEST(Manifest, ReadsTheFormerNamesOfKeys) {
  const Manifest worker = only(R"({"name": "w", "command": ["w"], "variants": ["*/cuda_*"], "rank": 3})");
  EXPECT_THAT(worker.variants, ElementsAre("*/cuda_*"));
  EXPECT_EQ(worker.prefer, 3);
  EXPECT_TRUE(worker.tells_variants());
}

TEST(Manifest, SaysWhatAWorkerDoes) {
  const Manifest all = only(R"({"name": "w", "command": ["w"]})");
  EXPECT_THAT(all.steps, ElementsAre("verify", "time", "count"));
  EXPECT_TRUE(all.runs_cases());
  const Manifest judged = only(R"({"name": "w", "command": ["w"], "steps": ["verify"]})");
  EXPECT_TRUE(judged.runs_cases());
  EXPECT_FALSE(judged.does(step::time));
  EXPECT_FALSE(judged.does(step::count));
  const Manifest counter = only(R"({"name": "w", "command": ["w"], "counts": "callgrind"})");
  EXPECT_THAT(counter.steps, ElementsAre("count"));
  EXPECT_FALSE(counter.runs_cases());
  const Manifest both = only(R"({"name": "w", "command": ["w"], "counts": "simt-trace",
                                 "steps": ["verify", "count"], "counters": ["gpu"]})");
  EXPECT_TRUE(both.runs_cases());
  EXPECT_TRUE(both.does(step::count));
  EXPECT_THAT(both.counters, ElementsAre("gpu"));
  const Manifest judge = only(R"({"name": "w", "command": ["w"], "judge": true})");
  EXPECT_FALSE(judge.runs_cases());
  EXPECT_FALSE(judge.does(step::verify)) << "it has no cases of its own";
}

Settings settings_with(std::int64_t ranks, std::int64_t threads) {
  Settings settings;
  settings.ranks = ranks, settings.threads = threads;
  return settings;
}

TEST(Manifest, IsLaunchedForTheSettingsOfACase) {
  const Manifest any = only(R"({"name": "w", "command": ["mpirun", "-np", "{ranks}", "w"],
                                "environment": {"OMP_NUM_THREADS": "{threads}"}, "processes": "{ranks}"})");
  EXPECT_TRUE(any.launches());
  EXPECT_EQ(any.refusal(settings_with(8, 1)), "");
  const Manifest launched = any.launched(settings_with(4, 2));
  EXPECT_THAT(launched.command, ElementsAre("mpirun", "-np", "4", "w"));
  EXPECT_THAT(launched.environment, ElementsAre("OMP_NUM_THREADS=2"));
  EXPECT_THAT(any.launched({}).command, ElementsAre("mpirun", "-np", "1", "w"));
  EXPECT_EQ(launched.launched({}).command, launched.command) << "once";
  const Manifest three = only(R"({"name": "w", "command": ["start3", "w"], "processes": 3})");
  EXPECT_EQ(three.ranks_axis().standard, Value(3));
  EXPECT_EQ(three.refusal(settings_with(3, 8)), "");
  EXPECT_EQ(three.refusal(settings_with(2, 1)), "worker w starts 3 processes: ranks must be 3");
  const Manifest one = only(R"({"name": "w", "command": ["w", "{threads}"]})");
  EXPECT_FALSE(one.launches());
  EXPECT_EQ(one.refusal({}), "");
  EXPECT_EQ(one.refusal(settings_with(2, 1)), "worker w is one process: ranks must be 1");
  EXPECT_THAT(one.launched(settings_with(1, 5)).command, ElementsAre("w", "5"));
  EXPECT_TRUE(manifest_from_argument("w=mpirun -np {ranks} w", {}).launches());
}

TEST(Manifest, SaysHowManyProcessesItsCommandStarts) {
  const auto of = [](const std::string& rest) { return manifest_refusal(R"({"name": "w", )" + rest + "}"); };
  const std::string expected = "w.json: /processes: expected \"{ranks}\", or a number of processes 1..65536";
  EXPECT_EQ(of(R"("command": ["w"], "processes": 0)"), expected + ", got 0");
  EXPECT_EQ(of(R"("command": ["w"], "processes": "{rank}")"), expected + ", got \"{rank}\"");
  const std::string both = "; expected \"{ranks}\", and {ranks} in command or environment";
  EXPECT_EQ(of(R"("command": ["w"], "processes": "{ranks}")"),
            "w.json: /processes: neither command nor environment says {ranks}" + both);
  EXPECT_EQ(of(R"("command": ["w", "{ranks}"])"),
            "w.json: /processes: command or environment says {ranks}, and this does not" + both);
  EXPECT_EQ(of(R"("command": ["w"], "environment": {"A": "{ranks}"}, "processes": 2)"),
            "w.json: /processes: command or environment says {ranks}, and this does not" + both);
}

TEST(Manifest, RefusesStepsThatMakeNoSense) {
  const auto of = [](const std::string& rest) {
    return manifest_refusal(R"({"name": "w", "command": ["w"], )" + rest + "}");
  };
  const std::string expected = "w.json: /steps: expected a list of different steps of verify, time and count";
  EXPECT_EQ(of(R"("steps": [])"), expected + ", got []");
  EXPECT_EQ(of(R"("steps": "verify")"), expected + ", got \"verify\"");
  EXPECT_EQ(of(R"("steps": ["verify", "verify"])"), expected + ", got [\"verify\",\"verify\"]");
  EXPECT_EQ(of(R"("steps": ["verify", "tme"])"),
            "w.json: /steps/1: expected verify, time or count, got \"tme\"");
  EXPECT_EQ(of(R"("steps": ["time"])"),
            "w.json: /steps: \"time\" without \"verify\": what was not verified is not timed");
  EXPECT_EQ(of(R"("steps": ["count"])"),
            "w.json: /steps: \"count\" alone is a source for the cases of other workers: name it, as "
            "\"counts\": \"callgrind\"");
  EXPECT_EQ(of(R"("steps": ["verify"], "counts": "x")"),
            "w.json: /steps: the source x has to count: add \"count\"");
  EXPECT_EQ(of(R"("steps": ["verify"], "judge": true)"),
            "w.json: /steps: a judge has no cases of its own; expected \"judge\" or \"steps\"");
  EXPECT_EQ(
      of(R"("counts": "x", "counters": ["gpu"])"),
      "w.json: /counters: counted of cases of its own, and without \"verify\" among its steps it has none");
}

// The manifests that ship are read, and one of them can judge.
TEST(Manifest, OfConfigsAreAllValid) {
  const auto all = read_manifests(std::string(UOTBENCH_SOURCE_DIR) + "/configs/workers", UOTBENCH_BIN_DIR);
  EXPECT_GE(all.size(), 4u);
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const Manifest& m) { return m.judge; }), 1);
}

TEST(Manifest, SaysWhichFileIsWrongAndHow) {
  EXPECT_EQ(manifest_refusal("[]"), "w.json: /: expected an object with name and command, got []");
  EXPECT_EQ(manifest_refusal(R"({"name": "w"})"),
            "w.json: /: the key \"command\" is missing; expected a list of texts such as "
            "[\"{bin}/uotbench-worker-native-v4\"]");
  EXPECT_EQ(manifest_refusal(R"({"name": "w", "command": "ls -l"})"),
            "w.json: /command: expected a list of texts such as [\"{bin}/uotbench-worker-native-v4\"], got "
            "\"ls -l\"");
  EXPECT_EQ(
      manifest_refusal(R"({"name": "w", "command": []})"),
      "w.json: /command: expected a list of texts such as [\"{bin}/uotbench-worker-native-v4\"], got []");
  EXPECT_EQ(manifest_refusal(R"({"name": "w@x", "command": ["x"]})"),
            "w.json: /name: expected a name of letters, digits, '_', '.', '+' and '-', got \"w@x\"");
  EXPECT_EQ(
      manifest_refusal(R"({"name": "w", "command": ["x"], "ISA": "x86-64"})"),
      "w.json: /: unknown key \"ISA\"; expected name, about, command, environment, processes, examine, isa, "
      "counts, outside, counted_by, auto, steps, counters, sources, variants, judge, values, also, adapter, "
      "prefer, rank");
  EXPECT_EQ(manifest_refusal(R"({"name": "w", "command": ["x"], "environment": {"A": 1}})"),
            "w.json: /environment/A: expected a text, got 1");
  EXPECT_EQ(
      manifest_refusal(R"({"name": "w",})"),
      "w.json: line 1, column 14: syntax error while parsing object key - unexpected '}'; expected string "
      "literal");
}

TEST(Manifest, IsRefusedWhereTwoHaveOneName) {
  const Folder folder;
  folder.write("a.json", R"({"name": "w", "command": ["x"]})");
  folder.write("b.json", R"({"name": "w", "command": ["y"]})");
  EXPECT_EQ(complaint([&] { read_manifests(folder.path(), ""); }),
            folder.path().string() + ": two manifests are named w");
}

// One file describes several workers that differ in a few keys.
TEST(Manifest, DescribesOtherWorkersByTheirDifferences) {
  const Folder folder;
  folder.write("c.json", R"({"name": "c", "about": "with {last}", "counts": "c", "values": {"last": "L3"},
      "command": ["{bin}/c", "--LL={cache:{last}}", "{worker}"], "environment": {"LL": "{last}"},
      "also": [{"name": "c-l2", "counts": "c-l2", "values": {"last": "L2"}}]})");
  const auto all = read_manifests(folder.path(), "/opt");
  ASSERT_EQ(all.size(), 2u);
  for (const auto& [manifest, name, last] : {std::tuple(all[0], "c", "L3"), {all[1], "c-l2", "L2"}}) {
    EXPECT_EQ(manifest.name, name);
    EXPECT_EQ(manifest.counts, name);
    EXPECT_EQ(manifest.about, std::string("with ") + last);
    EXPECT_THAT(manifest.command,
                ElementsAre("/opt/c", std::string("--LL={cache:") + last + "}", "{worker}"));
    EXPECT_THAT(manifest.environment, ElementsAre(std::string("LL=") + last));
  }
}

TEST(Manifest, SaysWhichOfItsOtherWorkersIsWrong) {
  EXPECT_EQ(
      manifest_refusal(R"({"name": "w", "command": ["x"], "also": [{"isa": "x86-64"}]})"),
      "w.json: /also/0: the key \"name\" is missing; expected a name of letters, digits, '_', '.', '+' and "
      "'-'");
  EXPECT_EQ(
      manifest_refusal(R"({"name": "w", "command": ["x"], "also": [{"name": "v", "command": "x"}]})"),
      "w.json: v: /command: expected a list of texts such as [\"{bin}/uotbench-worker-native-v4\"], got "
      "\"x\"");
  EXPECT_THAT(manifest_refusal(R"({"name": "w", "command": ["x"], "also": [{"name": "w", "isa": "x"}]})"),
              testing::EndsWith(": two manifests are named w"));
}

TEST(Manifest, FolderThatIsNotThereIsNamed) {
  EXPECT_EQ(complaint([&] { read_manifests("/no/such/folder", ""); }),
            "/no/such/folder: worker manifests cannot be read: No such file or directory");
}

TEST(Obstacle, SaysWhyAWorkerCannotRunHere) {
  EXPECT_EQ(
      (Manifest{.name = "w", .about = {}, .command = {"/bin/sh"}, .environment = {}, .isa = {}}).obstacle(),
      "");
  EXPECT_EQ(
      (Manifest{.name = "w", .about = {}, .command = {"/no/such"}, .environment = {}, .isa = {}}).obstacle(),
      "worker w is not built: no program /no/such");
  EXPECT_EQ((Manifest{.name = "w", .about = {}, .command = {"sh"}, .environment = {}, .isa = {}}).obstacle(),
            "")
      << "searched in PATH when it is started";
  EXPECT_EQ(
      (Manifest{.name = "w", .about = {}, .command = {"/bin/sh"}, .environment = {}, .isa = "x86-64-v99"})
          .obstacle(),
      "worker w needs x86-64-v99, this CPU has " + best_isa());
}

class WorkerArgument : public testing::Test {
 protected:
  static Manifest known(const std::string& name) {
    return {.name = name, .about = {}, .command = {"x"}, .environment = {}, .isa = {}};
  }
  static std::vector<std::string> command(const std::string& text) {
    return manifest_from_argument("mine=" + text, {}).command;
  }
};

TEST_F(WorkerArgument, NamesAKnownWorker) {
  EXPECT_EQ(manifest_from_argument("b", {known("a"), known("b")}).name, "b");
  EXPECT_EQ(
      complaint([&] {
        manifest_from_argument("native-v5", {known("native-v3"), known("oracle")});
      }),
      "no worker \"native-v5\" (did you mean native-v3?); known: native-v3, oracle; or give its command: "
      "--worker native-v5=CMD");
  EXPECT_EQ(complaint([&] { manifest_from_argument("zzz", {known("native-v3")}); }),
            "no worker \"zzz\"; known: native-v3; or give its command: --worker zzz=CMD");
}

// Split as a shell does, so that a path with a blank can be given; nothing is expanded.
TEST_F(WorkerArgument, SplitsACommandLikeAShell) {
  EXPECT_THAT(command("srun  -n1\t/bin/sh"), ElementsAre("srun", "-n1", "/bin/sh"));
  EXPECT_THAT(command("'my worker' \"a b\"c"), ElementsAre("my worker", "a bc"));
  EXPECT_THAT(command("a\\ b '' x\\\\y"), ElementsAre("a b", "", "x\\y"));
  EXPECT_THAT(command("sh -c \"echo \\\"hi\\\" $X\""), ElementsAre("sh", "-c", "echo \"hi\" $X"));
  EXPECT_THAT(command("'a\\b' \"c\\d\""), ElementsAre("a\\b", "c\\d"));
  EXPECT_THAT(command("env A=1 ./w"), ElementsAre("env", "A=1", "./w")) << "only the first = splits";
}

// ADAPTER:PROGRAM is the adapter's command, then the program's; an adapter by itself is no worker.
TEST_F(WorkerArgument, PutsAnAdapterInFrontOfAProgram) {
  Manifest adapter = known("gbench");
  adapter.command = {"/bin/sh", "gbench"};
  adapter.about = "programs";
  adapter.adapter = true;
  EXPECT_FALSE(adapter.runs_cases());
  const auto words = [&](const std::string& text) {
    return manifest_from_argument("mine=" + text, {adapter, known("native")}).command;
  };
  EXPECT_THAT(words("gbench:./b 'a b'"), ElementsAre("/bin/sh", "gbench", "./b", "a b"));
  EXPECT_THAT(words("gbench: --check x ./b"), ElementsAre("/bin/sh", "gbench", "--check", "x", "./b"));
  EXPECT_THAT(words("native:b"), ElementsAre("native:b")) << "no adapter";
  EXPECT_THAT(words("sh gbench:x"), ElementsAre("sh", "gbench:x")) << "only the first word";
  EXPECT_EQ(complaint([&] { words("gbench:"); }),
            "worker mine: nothing after gbench:; expected gbench:COMMAND (programs)");
  EXPECT_EQ(complaint([&] { manifest_from_argument("gbench", {adapter}); }),
            "--worker gbench: an adapter needs a command; expected NAME=gbench:COMMAND (programs)");
}

// What a build knows of itself stands beside its program; the command and the name are who gives them.
TEST_F(WorkerArgument, TakesTheManifestBesideTheProgram) {
  const Folder folder;
  folder.write("w.py", "");
  folder.write("w.py.worker.json",
               R"({"name": "theirs", "about": "why", "command": ["{bin}/w.py"], "prefer": 9,
    "steps": ["verify"], "counters": ["gpu"], "counted_by": {"trace": ["{bin}/w-trace", "-x"]}})");
  const Manifest mine = manifest_from_argument("mine=sh " + (folder / "w.py").string() + " -v", {});
  EXPECT_EQ(mine.name, "mine");
  EXPECT_EQ(mine.about, "why");
  EXPECT_THAT(mine.command, ElementsAre("sh", (folder / "w.py").string(), "-v"));
  EXPECT_THAT(mine.steps, ElementsAre("verify"));
  EXPECT_THAT(mine.counters, ElementsAre("gpu"));
  EXPECT_THAT(mine.counted_by.at("trace"), ElementsAre((folder / "w-trace").string(), "-x"));
  EXPECT_TRUE(mine.given);
  EXPECT_EQ(mine.prefer, 0);
  const auto refusal = [&](const std::string& manifest) {
    folder.write("w.py.worker.json", manifest);
    return complaint([&] { manifest_from_argument("mine=sh " + (folder / "w.py").string(), {}); });
  };
  EXPECT_EQ(refusal(R"({"name": "w", "command": ["w"], "judge": true})"),
            (folder / "w.py.worker.json").string() + ": expected a worker with cases, got one that judges");
  EXPECT_EQ(
      refusal(R"({"name": "w", "command": ["w"], "counts": "trace"})"),
      (folder / "w.py.worker.json").string() + ": expected a worker with cases, got one that only counts");
}

TEST_F(WorkerArgument, SaysHowItIsWritten) {
  const auto told = [](const std::string& argument) {
    return "--worker " + argument +
           ": write NAME=CMD, for example mine=\"python3 my_worker.py\"; a name is letters, digits, '_', "
           "'.', '+' "
           "and '-'";
  };
  for (const std::string argument : {"=x", "mine=", "mine=  ", "a@b=x", "a/b=x", "a b=x"})
    EXPECT_EQ(complaint([&] { manifest_from_argument(argument, {}); }), told(argument));
  EXPECT_EQ(complaint([&] { manifest_from_argument("mine='x", {}); }),
            "--worker: the quote ' is not closed in: 'x");
}

TEST(Obstacle, OfAWorkerThatTheBuildKnowsNamesTheLineThatBuildsIt) {
  const Folder folder;
  const auto build = folder.path() / "build/release";
  std::filesystem::create_directories(build / "bin");
  std::filesystem::create_directories(build / "CMakeFiles");
  folder.write("build/release/CMakeFiles/TargetDirectories.txt",
               "/x/CMakeFiles/uotbench-worker-native-v3-nofma.dir\n/x/CMakeFiles/uotbench-worker-v3.dir\n");
  const auto obstacle = [&](const std::string& manifest) {
    const Folder manifests;
    manifests.write("w.json", manifest);
    return read_manifests(manifests.path(), build / "bin").at(0).obstacle();
  };
  EXPECT_EQ(
      obstacle(R"({"name": "v3", "command": ["{bin}/uotbench-worker-v3"]})"),
      "worker v3 is not built; build it: cmake --build " + build.string() + " --target uotbench-worker-v3");
  EXPECT_EQ(
      obstacle(R"({"name": "c", "counts": "c", "command": ["sh", "{bin}/uotbench-worker-native-v3-nofma"]})"),
      "worker c is not built; build it: cmake --build " + build.string() +
          " --target uotbench-worker-native-v3-nofma")
      << "what another program is to run";
  EXPECT_EQ(obstacle(R"({"name": "cuda", "command": ["{bin}/uotbench-worker-cuda"]})"),
            "worker cuda is not built: no program " + (build / "bin/uotbench-worker-cuda").string())
      << "this build has no such target";
  std::filesystem::create_symlink("/bin/sh", build / "bin/uotbench-worker-v3");
  EXPECT_EQ(obstacle(R"({"name": "v3", "command": ["{bin}/uotbench-worker-v3"]})"), "");
}

}  // namespace
}  // namespace uotbench
