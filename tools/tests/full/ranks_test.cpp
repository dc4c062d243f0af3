// Kernels over processes: right whatever their number, counted as they are modelled, timed by one clock; and
// where a process misbehaves its case says which, and none stays behind.
#include "harness/protocol/npy.hpp"
#include "tools/tests/fixtures.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::string worker_of_ranks = bin + "/uotbench-worker-mpi";

class OverRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (::access(worker_of_ranks.c_str(), X_OK) != 0) GTEST_SKIP() << "there is no MPI here";
  }

  /// Judged, or more by `flags`.
  Outcome run(const std::vector<std::string>& axes, const std::vector<std::string>& flags,
              const std::string& variants = "uot/mpi_*", const std::string& worker = "mpi") const {
    std::vector<std::string> all{"run", variants, "--worker", worker, "--output", "run.jsonl", "--force"};
    for (const auto& axis : axes) all.insert(all.end(), {"-a", axis});
    return uotbench(folder_.path(), joined(all, flags), 200);
  }
  std::map<std::string, Record> records() const { return records_of(folder_ / "run.jsonl"); }

  Folder folder_;
};

/// What is not for so many processes is refused; all else is right. So many are.
std::size_t right_of(const std::map<std::string, Record>& records) {
  std::size_t right = 0;
  for (const auto& [id, record] : records) {
    if (record.status == Status::skipped) {
      EXPECT_THAT(record.reason.value_or(""), ContainsRegex("does not divide|threads must be 1")) << id;
      continue;
    }
    EXPECT_EQ(verdict(record), "ok") << id;
    ++right;
  }
  return right;
}

// Rows that no number of processes divides, fewer rows than processes, one process, threads in each.
TEST_F(OverRanks, AreRightWhateverTheirNumber) {
  const Outcome outcome = run(
      {"M,N=1,53;2,3;37,53", "ranks=1,2,5", "scheme=unbalanced,damped", "dtype=f32,f64"}, {"--rounds", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(right_of(records()), 8u * 3 * 3 * 2 * 2);
  const Outcome threads =
      run({"M,N=37,53", "ranks=1,2", "threads=2", "columns_over=2"}, {"--rounds", "0"}, "uot/mpi_grid");
  EXPECT_EQ(threads.code, 0) << threads.err;
  EXPECT_EQ(right_of(records()), 1u) << "two columns of blocks are not for one process";
}

TEST_F(OverRanks, AreRightInAGrid) {
  const Outcome outcome =
      run({"M,N=1,53;53,1;3,2;37,53", "ranks=2,4", "columns_over=1,2,4", "scheme=unbalanced,damped"},
          {"--rounds", "0"}, "uot/mpi_grid");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(right_of(records()), 4u * 5 * 2);
}

TEST_F(OverRanks, HaveCeilingsOfTheirExchange) {
  const Outcome outcome =
      run({"N=1,4097", "ranks=1,2"}, {"--rounds", "0", "--counters", "messages"}, "ceiling/*");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto all = records();
  EXPECT_EQ(all.size(), 2u * 2 * 2);
  std::size_t right = 0;
  for (const auto& [id, record] : all) {
    if (record.status == Status::skipped) continue;
    EXPECT_EQ(verdict(record), "ok") << id;
    const auto counted = counts_of(record);
    for (const auto& [name, modelled] : record.work->operations)
      EXPECT_EQ(counted.at(name), modelled) << id << " " << name;
    ++right;
  }
  EXPECT_EQ(right, 3u * 2) << "one process has nobody to play with";
}

/// Every call and every byte, as the work model has them.
void expect_modelled_counts(const std::map<std::string, Record>& all) {
  EXPECT_EQ(all.size(), 8u * 2);
  for (const auto& [id, record] : all) {
    ASSERT_TRUE(record.work) << id << " " << verdict(record);
    const auto counted = counts_of(record);
    for (const auto& [name, modelled] : record.work->operations) {
      ASSERT_TRUE(counted.contains(name)) << id << " " << name;
      EXPECT_EQ(counted.at(name), modelled) << id << " " << name;
    }
    EXPECT_EQ(counter_of(record, "messages")->origin.kind, "exact");
  }
}

TEST_F(OverRanks, SendWhatTheirModelsSay) {
  const Outcome outcome = run({"M,N=37,53", "ranks=1,3"}, {"--rounds", "0", "--counters", "messages"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto all = records();
  expect_modelled_counts(all);
  EXPECT_EQ(counts_of(all.at("uot/mpi_map_uot/M:37/N:53/ranks:3@mpi")).at("bytes_sent"), 3 * 53 * 4);
}

// MPICH, where it is installed beside the MPI of the worker `mpi`: right, counted, and never by the other's
// launcher.
TEST_F(OverRanks, RunByMpichBesides) {
  const std::string by_mpich = worker_of_ranks + "-mpich", script = bin + "/uotbench-mpirun";
  if (::access(by_mpich.c_str(), X_OK) != 0) GTEST_SKIP() << "there is no second MPI here";
  const Outcome outcome =
      run({"M,N=37,53", "ranks=1,3"}, {"--rounds", "0", "--counters", "messages"}, "uot/mpi_*", "mpi-mpich");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(right_of(records()), 8u * 2);
  expect_modelled_counts(records());
  for (const auto& command :
       {script + " {ranks} {threads} " + by_mpich, script + "-mpich {ranks} {threads} " + worker_of_ranks}) {
    const Outcome crossed =
        run({"M,N=12,7", "ranks=2"}, {"--rounds", "0"}, "uot/mpi_one_read", "crossed=" + command);
    EXPECT_EQ(crossed.code, 1) << command;
    EXPECT_THAT(verdict(records().begin()->second),
                HasSubstr("MPI finds 1 process where 2 were started: the launcher is of another MPI"))
        << command;
  }
}

// Rank 0 has the points, or the table, and all scale.
TEST_F(OverRanks, ScaleForApplications) {
  const Outcome outcome =
      run({"M,N=37,53", "ranks=1,3", "data=moons,likelihood", "application=3"}, {"--rounds", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(right_of(records()), 8u * 2 * 2);
  run({"M,N=131,257", "data=noisy", "application=9"}, quick, "uot/mpi_one_read");
  const Record record = records().begin()->second;
  ASSERT_TRUE(record.time) << verdict(record);
  std::vector<std::string> phases;
  for (const auto& phase : record.time->processes.at(0).phases) phases.push_back(phase.name);
  EXPECT_THAT(phases, ElementsAre("cost", "kernel", "load", "scaling", "plan", "map", "exchange"));
}

TEST_F(OverRanks, AreTimedByOneClock) {
  run({"M,N=131,257", "ranks=1,2"}, quick, "uot/mpi_one_read*");
  int timed = 0;
  for (const auto& [id, record] : records()) {
    if (record.status == Status::skipped) continue;  // there is one CPU
    // Two processes that others keep apart are slower than most samples say.
    const bool apart = verdict(record).find(" later with each more") != std::string::npos;
    if (apart && id.find("/ranks:2@") != std::string::npos) continue;
    ++timed;
    ASSERT_TRUE(record.time) << id << " " << verdict(record);
    EXPECT_TRUE(record.time->proof) << id;
    for (const char* least : {"rank_time_least", "rank_time_mean", "rank_time_most"}) {
      EXPECT_GT(record.env.json().at(least).get<double>(), 0) << id;
      EXPECT_LE(record.env.json().at(least).get<double>(), 1) << id << ": no process takes longer than all";
    }
    EXPECT_EQ(record.env.json().at("clock_drift"), 0) << id << ": one machine has one clock";
    EXPECT_THAT(record.env.json().at("binding").get<std::string>(), StartsWith("rank 0 of ")) << id;
    ASSERT_EQ(record.time->processes.at(0).phases.size(), 1u) << id;
    EXPECT_EQ(record.time->processes.at(0).phases[0].name, "exchange");
  }
  EXPECT_GE(timed, 3) << "one process has nobody to wait for";
}

// Clocks that do not go on together are told: the times are wrong by as much.
TEST_F(OverRanks, WarnOfAClockThatIsNotTheOthers) {
  const std::string worker = "apart=env LD_PRELOAD=" + bin + "/../libfast_clock.so " + bin +
                             "/uotbench-mpirun {ranks} {threads} " + worker_of_ranks;
  run({"M,N=131,257", "ranks=2"}, quick, "uot/mpi_one_read", worker);
  const Record record = records().begin()->second;
  if (record.status == Status::skipped) GTEST_SKIP() << *record.reason;  // there is one CPU
  ASSERT_TRUE(record.time) << verdict(record);
  EXPECT_THAT(record.time->warnings,
              testing::Contains(ContainsRegex("rank 1 of 2 on .*: its clock moved by .* s against "
                                              "rank 0's while it was timed")));
  EXPECT_GT(record.env.json().at("clock_drift").get<double>(), 1e-4);
}

TEST_F(OverRanks, NameTheOneThatMisbehaves) {
  const std::string worker =
      "bad=" + bin + "/uotbench-mpirun {ranks} {threads} " + bin + "/uotbench-worker-fault-ranks";
  Program program(
      {uotbench_program, "run", "uot/ranks_*", "--worker", worker, "-a", "M,N=12,7", "-a", "ranks=2",
       "--rounds", "0", "--case-timeout", "6s", "--memory", "900MiB", "--output", "run.jsonl"},
      folder_.path());
  const Outcome outcome = program.wait(100);
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const auto all = records();
  const auto of = [&](const std::string& name) {
    return verdict(all.at("uot/ranks_" + name + "/M:12/N:7/ranks:2@bad"));
  };
  EXPECT_EQ(of("fine"), "ok");
  EXPECT_THAT(of("crash"), AllOf(StartsWith("crashed: "), HasSubstr("rank 1 "), HasSubstr("signal 11")));
  EXPECT_THAT(of("end"), AllOf(StartsWith("crashed: "), HasSubstr("rank 1 of 2 on ")));
  EXPECT_THAT(of("hang"), AllOf(StartsWith("timeout: no answer within 6s: killed; it last said: "),
                                HasSubstr("rank 1 of 2 on "), HasSubstr(" was in no call of MPI")));
  EXPECT_THAT(of("gobble"), AllOf(HasSubstr("rank 1 of 2 on "), HasSubstr(": out of memory")));
  EXPECT_THAT(of("eat"),
              ContainsRegex("^crashed: used .* of memory, more than the 900.0 MiB there are \\(--memory\\): "
                            "killed; the most of it, .*, in process [0-9]+, rank 1 of 2$"));
  EXPECT_THAT(of("throw"), AllOf(HasSubstr("rank 1 of 2 on "), HasSubstr(": tile 3 does not fit")));
  EXPECT_THAT(program.processes(), IsEmpty()) << "nothing computes on";
}

// A launcher of another MPI starts so many programs that each think they are alone.
TEST_F(OverRanks, FindALauncherOfAnotherMpi) {
  const std::string worker = "alone=env UOTBENCH_RANKS={ranks} " + worker_of_ranks;
  const Outcome outcome = run({"M,N=12,7", "ranks=2"}, {"--rounds", "0"}, "uot/mpi_one_read", worker);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(verdict(records().begin()->second),
              AllOf(StartsWith("crashed: "), HasSubstr("MPI finds 1 process where 2 were started"),
                    HasSubstr("UOTBENCH_MPIRUN")));
}

TEST_F(OverRanks, SayWhatMendsAMissingLauncher) {
  const std::string worker = "lost=env UOTBENCH_MPIRUN=no_such_mpirun " + bin +
                             "/uotbench-mpirun {ranks} {threads} " + worker_of_ranks;
  const Outcome outcome = run({"M,N=12,7", "ranks=2"}, {"--rounds", "0"}, "uot/mpi_one_read", worker);
  EXPECT_NE(outcome.code, 0);
  EXPECT_THAT(outcome.err + text_of(folder_ / "run.jsonl"),
              AllOf(HasSubstr("no launcher no_such_mpirun"), HasSubstr("set UOTBENCH_MPIRUN")));
}

// As in a container that was given little of it.
TEST_F(OverRanks, DoWithoutSharedMemory) {
  const std::string little = "mount -t tmpfs -o size=1m tmpfs /dev/shm && exec \"$@\"";
  const auto within = [&](const std::vector<std::string>& command) {
    return Program(joined({"unshare", "--map-root-user", "--mount", "sh", "-c", little, "sh"}, command),
                   folder_.path())
        .wait(100);
  };
  if (within({"true"}).code != 0) GTEST_SKIP() << "no namespace of one's own here";
  std::vector<std::string> workers{"--worker", "mpi"};
  if (::access((worker_of_ranks + "-mpich").c_str(), X_OK) == 0)
    workers.insert(workers.end(), {"--worker", "mpi-mpich"});
  const Outcome outcome = within(joined({uotbench_program, "run", "uot/mpi_one_read", "-a", "M,N=37,53", "-a",
                                         "ranks=2", "--rounds", "0", "--output", "run.jsonl"},
                                        workers));
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, Not(HasSubstr("not enough space")));
  EXPECT_EQ(right_of(records()), workers.size() / 2);
}

TEST_F(OverRanks, AreRefusedWhereThereIsNoRoom) {
  const Outcome none = run({"M,N=12,7", "ranks=0"}, {"--rounds", "0"}, "uot/mpi_one_read");
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("ranks of uot/mpi_one_read: 0 is not an integer 1..65536"));
  const Outcome huge = run({"M,N=1000000,1000000", "ranks=2"}, {"--rounds", "0"}, "uot/mpi_one_read");
  EXPECT_EQ(huge.code, 0) << huge.err;
  EXPECT_THAT(verdict(records().begin()->second),
              ContainsRegex("skipped: needs .* of memory .*; there are "));
}

TEST_F(OverRanks, SayWhatTheirOwnLauncherRefuses) {
  const std::string worker = "few=env UOTBENCH_MPIRUN='mpirun -host localhost:1' " + bin +
                             "/uotbench-mpirun {ranks} {threads} " + worker_of_ranks;
  const Outcome outcome = run({"M,N=12,7", "ranks=3"}, {"--rounds", "0"}, "uot/mpi_one_read", worker);
  EXPECT_EQ(outcome.code, 1);
  EXPECT_THAT(
      verdict(records().begin()->second),
      AllOf(StartsWith("crashed: "), HasSubstr("not enough slots available in the system to satisfy the 3")));
}

TEST_F(OverRanks, AreExaminedByTheDoctor) {
  const Outcome outcome = uotbench(folder_.path(), {"doctor", "--json"}, 100);
  EXPECT_THAT(
      outcome.out,
      ContainsRegex(
          "worker mpi: .*, launched by .*mpi(run|exec).*; a message of 8 bytes takes [0-9.]+ us, one of 1 "
          "MiB [0-9.]+ GB/s; bound by it to rank 0 of 2 on .*: CPU .*; rank 1 of 2 on "));
}

// A row or column without mass gets none.
TEST_F(OverRanks, AreRightWhereMassesAreZero) {
  fs::create_directory(folder_ / "problem");
  const auto write = [&](const char* name, const std::vector<std::size_t>& shape, auto value) {
    NpyArray array =
        NpyArray::create(folder_ / "problem" / (std::string(name) + ".npy"), npy_type<double>(), shape);
    const auto cells = array.as_mutable<double>();
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = value(i);
  };
  write("K", {13, 11}, [](std::size_t i) { return 0.1 + double(i * 7 % 23); });
  write("a", {13}, [](std::size_t i) { return i % 5 == 0 ? 0 : 1.0 + double(i); });
  write("b", {11}, [](std::size_t j) { return j == 10 || j == 3 ? 0 : 2.0; });
  const Outcome outcome =
      run({"M,N=13,11", "data=npy", "path=problem", "scheme=unbalanced,damped", "ranks=1,3", "dtype=f32,f64"},
          {"--rounds", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(right_of(records()), 8u * 2 * 2 * 2);
}

// More processes than CPUs take turns: they can be judged, and their times would be of something else.
TEST_F(OverRanks, MoreThanCpusAreJudgedAndNotTimed) {
  const Outcome outcome =
      run({"M,N=12,7", "ranks=1,2"}, {"--cpu-affinity", "0", "--rounds", "1", "--max-time", "20ms"},
          "uot/mpi_one_read");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const auto all = records();
  ASSERT_EQ(all.size(), 2u);
  for (const auto& [id, record] : all) {
    EXPECT_EQ(record.status, Status::ok) << id << record.reason.value_or("");
    EXPECT_TRUE(record.check) << id;
    EXPECT_EQ(record.time.has_value(), !record.point.contains("ranks") || record.point.json()["ranks"] == 1)
        << id;
  }
  EXPECT_THAT(
      outcome.out,
      HasSubstr("verified, not timed, 1 case: asks for 2 processes of 1 thread; 1 CPUs may be used here"));
  EXPECT_EQ(run({"M,N=12,7", "ranks=2"}, {"--cpu-affinity", "0", "--verify-only"}, "uot/mpi_one_read").code,
            0);
  EXPECT_EQ(records().begin()->second.status, Status::ok);
}

}  // namespace
}  // namespace uotbench
