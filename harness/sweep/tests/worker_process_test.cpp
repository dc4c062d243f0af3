// What a worker does wrong ends that worker at once, with one line that says what and what was expected;
// nothing of it reaches the next case, and nothing stays behind.
#include "harness/sweep/workers/worker_process.hpp"

#include <gmock/gmock.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "harness/sweep/tests/scripted_worker.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::SizeIs;
using testing::StartsWith;

const RunContext unlimited;
constexpr double long_enough = 60;

const Json run_request{{"type", "run"}, {"case", "uot/a/M:1@mine"}, {"steps", {"time"}}};

class WorkerProcessTest : public testing::Test {
 protected:
  /// What becomes of the first request, and that the process is gone where it was refused.
  std::string answered(const std::string& answers, const Json& request = run_request,
                       const std::string& reply = "record") {
    WorkerProcess process(scripted_worker(folder, answers), unlimited, {});
    const std::string outcome = outcome_of([&] { process.exchange(request, reply, long_enough); });
    EXPECT_TRUE(!process.alive() || !outcome.starts_with("failed: worker mine: "));
    return outcome;
  }

  Folder folder;
};

TEST_F(WorkerProcessTest, SaysWhichAnswerIsWrongAndWhere) {
  EXPECT_EQ(answered(R"(
def answer(request):
    send(type='record', time=dict(per='iteration', clock='steady', inner=1, stopped_by='time', samples=[1e-6], busy='no')))"),
            "failed: worker mine: answer to run (time): /time/busy: expected a number from 0 (CPU time over "
            "wall time: about 1 if the thread had its CPU), got \"no\"");
  EXPECT_EQ(answered("def answer(request): send(type='planned', points=[dict(memory=1)])",
                     {{"type", "plan"}, {"points", {Json::object(), Json::object()}}}, "planned"),
            "failed: worker mine: answer to plan: /points: expected 2 entries (one for each point of the "
            "request), got 1");
  EXPECT_EQ(answered("def answer(request): send(type=5)"),
            "failed: worker mine: answer to run (time): /type: expected \"record\", \"progress\" or "
            "\"error\", got 5");
  EXPECT_EQ(answered("def answer(request): send(type='error', message=[1])"),
            "failed: worker mine: answer to run (time): /message: expected a text of one line, the reason, "
            "got [1]");
}

TEST_F(WorkerProcessTest, RemovesWhatAKilledWorkerLeaves) {
  std::filesystem::path temp_dir;
  {
    WorkerProcess process(scripted_worker(folder, R"(
def answer(request):
    temp_dir = os.environ['UOTBENCH_TMPDIR']
    os.mkdir(temp_dir + '/session')
    open(temp_dir + '/session/socket', 'w').close()
    if request['case'] == 'last':
        os.kill(os.getpid(), 9)
    send(type='error', message=temp_dir))"),
                          unlimited, {});
    const std::string told = outcome_of([&] {
                               process.exchange(run_request, "record", long_enough);
                             }).substr(std::string("failed: ").size());
    temp_dir = told;
    EXPECT_TRUE(std::filesystem::exists(temp_dir / "session" / "socket")) << told;
    std::filesystem::remove_all(temp_dir / "session");
    Json last = run_request;
    last["case"] = "last";
    EXPECT_THAT(outcome_of([&] { process.exchange(last, "record", long_enough); }), StartsWith("crashed: "));
  }
  EXPECT_FALSE(std::filesystem::exists(temp_dir));
}

TEST_F(WorkerProcessTest, LeavesAWorkerThatSaysWhyItCannot) {
  WorkerProcess process(
      scripted_worker(folder, "def answer(request): send(type='error', message='no such tile')"), unlimited,
      {});
  EXPECT_EQ(outcome_of([&] { process.exchange(run_request, "record", long_enough); }),
            "failed: no such tile");
  EXPECT_TRUE(process.alive());
}

TEST_F(WorkerProcessTest, IsThereForTheHello) {
  const auto greeted = [&](const std::string& hello) {
    return outcome_of(
        [&] { WorkerProcess(scripted_worker(folder, "def answer(request): pass", hello), unlimited, {}); });
  };
  EXPECT_EQ(greeted("send(type='hello', protocol=1, steps=5)"),
            "failed: worker mine: hello: /steps: expected a list of the steps that it does, of verify, time, "
            "count, prove and state, got 5");
  EXPECT_THAT(greeted("send(type='hello', protocol=1, build=[1])"),
              HasSubstr("hello: /build: expected an object of facts such as "));
  EXPECT_EQ(greeted("send(type='hello', protocol=2, build=[1])"),
            "failed: worker mine speaks protocol 2, this uotbench speaks 1: rebuild it");
  EXPECT_THAT(greeted("send(type='sing', protocol=1)"),
              HasSubstr("hello: /type: expected \"hello\", before all else, got \"sing\""));
}

TEST_F(WorkerProcessTest, SaysAtOnceThatAMessageIsNotJson) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(answered("def answer(request): send(type='record', env=dict(x=float('nan')))"),
            "failed: worker mine: answer to run (time): it sent a message that is not JSON: at its byte 33 "
            "( \"record\", "
            "\"env\": {\"x\": NaN}}): JSON has no NaN and no Infinity: send null, or leave the key out");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << "it was waited for";
}

// What was forgotten is told, rather than waited for; what else a worker prints is text, as ever.
TEST_F(WorkerProcessTest, SaysAtOnceThatAMessageHasNoSeparator) {
  const auto start = std::chrono::steady_clock::now();
  const auto unframed = [&](const std::string& line) {
    return answered("def answer(request):\n    raw(b'" + line + "\\n')\n    send(type='record', env={})");
  };
  EXPECT_EQ(unframed(R"({"type": "record", "env": {}})"),
            "failed: worker mine: answer to run (time): it sent a message without the byte 0x1E before it: "
            "{\"type\":\"record\",\"env\":{}}; expected the byte 0x1E, JSON on one line, newline");
  EXPECT_THAT(unframed(R"({"type": "error", "message": "no"})"), HasSubstr("without the byte 0x1E"));
  EXPECT_THAT(unframed(R"({"type": "log", "env": {}})"), Not(HasSubstr("0x1E")));
  EXPECT_THAT(unframed(R"({"type": "record")"), Not(HasSubstr("0x1E")));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << "it was waited for";
}

// A second answer would be taken for that to the next request.
TEST_F(WorkerProcessTest, RefusesWhatNobodyAskedFor) {
  WorkerProcess process(scripted_worker(folder, R"(
def answer(request):
    record = b'\x1e{"type":"record","env":{}}\n'
    raw(record * (2 if request['case'] == 'twice' else 1) + b'\x1e{"type":"progress"}\n'))"),
                        unlimited, {});
  const auto ask = [&](const std::string& which) {
    return outcome_of([&] { process.exchange({{"type", "run"}, {"case", which}}, "record", long_enough); });
  };
  EXPECT_EQ(ask("once"), "ok");
  EXPECT_EQ(ask("twice"), "ok") << "late progress is no answer";
  EXPECT_THAT(ask("once"),
              StartsWith("failed: worker mine: answer to run: it had sent a message before it was asked: "
                         "{\"type\":\"record\""));
  EXPECT_FALSE(process.alive());
}

TEST_F(WorkerProcessTest, TakesSoMuchProgressAndNoMore) {
  EXPECT_EQ(answered(R"(
def answer(request):
    line = b'\x1e{"type":"progress"}\n'
    while True:
        raw(1000 * line))"),
            "failed: worker mine: answer to run (time): more than 100000 progress messages; expected a few a "
            "second");
}

TEST_F(WorkerProcessTest, RemembersWhenTheAnswerCame) {
  WorkerProcess process(scripted_worker(folder, R"(
def answer(request):
    time.sleep(request['seconds'])
    send(type='record', env={}))"),
                        unlimited, {});
  process.exchange({{"type", "run"}, {"seconds", 0.2}}, "record", long_enough);
  EXPECT_GE(process.answered_after(), 0.2);
  process.exchange({{"type", "run"}, {"seconds", 0}}, "record", long_enough);
  EXPECT_LT(process.answered_after(), 0.2 + long_enough / 2);
  EXPECT_GT(process.answered_after(), 0);
}

TEST_F(WorkerProcessTest, PassesSoMuchTextOnAndNoMore) {
  std::size_t bytes = 0, notes = 0;
  const OnText count = [&](std::string_view line) {
    if (line.starts_with("(this process print"))
      ++notes;
    else
      bytes += line.size() + 1;
  };
  WorkerProcess process(scripted_worker(folder, R"(
def answer(request):
    for _ in range(100):
        os.write(2, 1000 * (b'x' * 1023 + b'\n'))
    send(type='record', env={}))"),
                        unlimited, {}, count);
  EXPECT_EQ(outcome_of([&] { process.exchange({{"type", "run"}}, "record", long_enough); }), "ok");
  EXPECT_GE(bytes, 1000u * 1000);
  EXPECT_LE(bytes, std::size_t{16} << 20);
  EXPECT_GE(notes, 1u);
  EXPECT_LE(notes, 2u);
}

// Neither it nor what it started, wherever that went.
TEST_F(WorkerProcessTest, RunsOnlyWhileItIsAsked) {
  WorkerProcess process(scripted_worker(folder, R"(
def count_in(name):
    while True:
        with open(os.path.dirname(__file__) + '/' + name, 'a') as file:
            file.write('.')
        time.sleep(0.001)
def answer(request):
    if request['case'] == 'start':
        import threading
        threading.Thread(target=count_in, args=['thread'], daemon=True).start()
        for name in 'child', 'daemon':
            if os.fork() == 0:
                if name == 'daemon':
                    os.setsid()
                    if os.fork():
                        os._exit(0)
                count_in(name)
    time.sleep(0.1)
    while not all(os.path.exists(os.path.dirname(__file__) + '/' + name) for name in ('thread', 'child', 'daemon')):
        time.sleep(0.01)
    send(type='record', env={}))"),
                        unlimited, {});
  const auto ask = [&](const std::string& which) {
    process.exchange({{"type", "run"}, {"case", which}}, "record", long_enough);
  };
  const auto counted = [&] {
    std::vector<std::uintmax_t> sizes;
    for (const char* name : {"thread", "child", "daemon"})
      sizes.push_back(std::filesystem::file_size(folder.path() / name));
    return sizes;
  };
  ask("start");
  ::usleep(20'000);  // signals take their time
  const auto then = counted();
  ::usleep(100'000);
  EXPECT_EQ(counted(), then);
  ask("go on");
  for (std::size_t i = 0; i < then.size(); ++i) EXPECT_GT(counted()[i], then[i]) << i;
}

// Whoever holds the other end of its pipe, a worker that is gone is gone.
TEST_F(WorkerProcessTest, SeesAWorkerEndWhileAnotherHoldsItsPipe) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(answered(R"(
def answer(request):
    far = subprocess.Popen(['sleep', '1000'], start_new_session=True, stdout=messages.fileno())
    with open(os.path.dirname(__file__) + '/0', 'w') as file:
        file.write(str(far.pid))
    os._exit(7))"),
            "crashed: exited with code 7 without answering");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30)) << "it was waited for";
  const auto left = launched_processes(folder);
  ASSERT_THAT(left, SizeIs(1));
  EXPECT_TRUE(has_ended(left[0]));
}

TEST_F(WorkerProcessTest, TakesAnAnswerThatCameBeforeTheEnd) {
  EXPECT_EQ(answered(R"(
def answer(request):
    subprocess.Popen(['sleep', '1000'], start_new_session=True, stdout=messages.fileno())
    send(type='record', time=dict(per='part', clock='steady', inner=1, stopped_by='time', samples=[1e-6]))
    os._exit(0))"),
            "ok");
}

// What it starts takes the same memory from the machine.
TEST_F(WorkerProcessTest, CountsTheMemoryOfWhatAWorkerStarts) {
  const RunContext small{.memory = {double(200 << 20), "a test"}};
  WorkerProcess process(scripted_worker(folder, R"(
def answer(request):
    subprocess.run([sys.executable, '-IS', '-c', 'held = bytearray(400 << 20)\nimport time\ntime.sleep(1000)']))"),
                        small, {});
  EXPECT_THAT(
      outcome_of([&] { process.exchange(run_request, "record", long_enough); }),
      MatchesRegex("crashed: used .* of memory, more than the 200.0 MiB there are \\(a test\\): killed; "
                   "the most of it, .*, in process [0-9]+, python3?.*"));
}

// What this process may not have is no outcome of a case: --resume runs it again.
TEST_F(WorkerProcessTest, IsNotStartedWhereThereAreNoPipes) {
  const Manifest manifest = scripted_worker(folder, "def answer(request): pass");
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = ::dup(0);
  ::close(next);
  const rlimit few{static_cast<rlim_t>(next + 3), before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::string outcome = outcome_of([&] { WorkerProcess(manifest, unlimited, {}); });
  ::setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_EQ(outcome, "interrupted: worker mine cannot be started now: no pipe: Too many open files");
}

/// From now on this process starts no other, as where its control group holds as many as it may (pids.max).
/// False: no process may filter its own calls here.
bool start_no_more_processes() {
  std::vector<sock_filter> filter{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  std::vector<unsigned> calls{SYS_clone, SYS_clone3};
#ifdef SYS_fork
  calls.insert(calls.end(), {SYS_fork, SYS_vfork});
#endif
  for (const unsigned call : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST_F(WorkerProcessTest, IsNotStartedWhereThereAreTooManyProcesses) {
  const Manifest manifest = scripted_worker(folder, "def answer(request): pass");
  const std::filesystem::path said = folder / "said";
  const pid_t child = ::fork();  // a filter is for ever
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::ofstream(said) << (start_no_more_processes()
                                ? outcome_of([&] { WorkerProcess(manifest, unlimited, {}); })
                                : "no filter");
    ::_exit(0);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  std::ifstream text(said);
  const std::string outcome(std::istreambuf_iterator<char>(text), {});
  if (outcome == "no filter") GTEST_SKIP() << "no process may filter its own calls here";
  EXPECT_EQ(outcome,
            "interrupted: worker mine cannot be started now: python3 cannot be started: Resource temporarily "
            "unavailable");
}

}  // namespace
}  // namespace uotbench
