// Kill -9 whatever writes a file that others read, at any moment: the file is whole, or it is not there, or
// it is the one that was there before. A run file is a journal: whole up to its last line.
#include <cstdlib>
#include <random>

#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// UOTBENCH_KILLS (tools/check --all: 100), else `standard`; a `share` of it where a life is long.
int kills(int standard, double share = 1) {
  const char* const asked = std::getenv("UOTBENCH_KILLS");
  return asked ? std::max(1, static_cast<int>(share * std::atoi(asked))) : standard;
}

/// Whole up to its last line, where there is one.
void expect_journal(const fs::path& file) {
  if (!fs::exists(file) || text_of(file).find('\n') == std::string::npos) return;
  EXPECT_LE(read_run(file).warnings.size(), 1u) << "a torn last line, if anything";
}

class Kills : public testing::Test {
 protected:
  /// Lives of one command, each killed: every other one anywhere, the others soon after `late` is so, when
  /// what others read is written. `check` is called after each.
  void kill_often(int times, const std::vector<std::string>& arguments, const std::function<bool()>& late,
                  const std::function<void()>& check) {
    // What lies in folders for temporary files goes with the test.
    fs::create_directories(folder_ / "tmp");
    const auto life = joined({"env", "TMPDIR=" + (folder_ / "tmp").string(), uotbench_program}, arguments);
    const auto begin = std::chrono::steady_clock::now();
    ASSERT_THAT(Program(life, folder_.path()).wait(300).code, testing::AnyOf(0, 3));
    const double longest = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    check();
    std::mt19937 random(20261123);
    const auto pause_up_to = [&](double seconds) {
      pause(std::uniform_real_distribution<double>(0, seconds)(random));
    };
    for (int i = 0; i < times; ++i) {
      prepare_();
      Program program(life, folder_.path());
      if (i % 2 == 0 && late) {
        ASSERT_TRUE(eventually([&] { return late() || !program.running(); }, 10 * longest + 10));
        pause_up_to(0.02);
      } else {
        pause_up_to(longest);
      }
      program.kill(SIGKILL);
      program.wait();
      EXPECT_TRUE(eventually([&] { return program.processes().empty(); }, 5)) << "something computes on";
      check();
      if (HasFailure()) return;
    }
  }

  Folder folder_;
  std::function<void()> prepare_ = [] {};
};

TEST_F(Kills, OfAGateLeaveWholeOutputs) {
  const std::string worker =
      "python3 -S -I " + std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/gate_worker.py";
  prepare_ = [&] { fs::remove(folder_ / "gate.jsonl"); };
  kill_often(
      kills(10, 0.5),
      {"gate", "--baseline-worker", worker, "--candidate-worker", worker, "uot/python_lists", "-a", "M,N=4,3",
       "--pairs", "10", "--seed", "1", "--output", "gate.jsonl", "--junit", "g.xml", "--markdown", "g.md"},
      [&] { return text_of(folder_ / "gate.jsonl").find("\"kind\":\"end\"") != std::string::npos; },
      [&] {
        expect_journal(folder_ / "gate.jsonl");
        if (text_of(folder_ / "gate.jsonl").find('\n') != std::string::npos) {
          const Outcome shown = uotbench(folder_.path(), {"show", "gate.jsonl"});
          EXPECT_EQ(shown.code, 0) << shown.err;
          EXPECT_THAT(shown.out, testing::Not(HasSubstr("--resume")));
        }
        // One is there from the first life on.
        EXPECT_THAT(text_of(folder_ / "g.xml"), StartsWith("<?xml"));
        EXPECT_THAT(text_of(folder_ / "g.xml"), EndsWith("</testsuites>\n"));
        EXPECT_THAT(text_of(folder_ / "g.md"), EndsWith("this compares it with itself (A/A)\n"));
      });
}

TEST_F(Kills, OfBaselineSaveLeaveAWholeBaseline) {
  const std::string stored = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/workers.jsonl";
  const fs::path place = folder_ / "results/baselines/small.jsonl";
  prepare_ = [&, odd = false]() mutable {
    if ((odd = !odd)) fs::remove(place);
  };
  kill_often(kills(20), {"baseline", "save", stored, "--force"}, {}, [&] {
    if (!fs::exists(place)) return;
    const auto run = read_run(place);
    EXPECT_EQ(run.records.size(), 7u);
    EXPECT_THAT(run.warnings, IsEmpty());
    EXPECT_THAT(run.unfinished, IsEmpty());
  });
  EXPECT_THAT(uotbench(folder_.path(), {"baseline", "show"}).out, testing::Not(HasSubstr("small.jsonl.")))
      << "half of one is none";
}

TEST_F(Kills, OfBaselineAcceptLoseNothing) {
  const std::string stored = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/workers.jsonl";
  ASSERT_EQ(uotbench(folder_.path(), {"baseline", "save", stored}).code, 0);
  kill_often(
      kills(20),
      {"baseline", "accept", "small", "*@mine", "--reason", "right now", "--from", stored, "--by", "me"}, {},
      [&] {
        const auto run = read_run(folder_ / "results/baselines/small.jsonl");
        EXPECT_EQ(run.records.size(), 7u);
        EXPECT_LE(run.warnings.size(), 1u);
      });
}

TEST_F(Kills, OfMergeLeaveAWholeRun) {
  const std::string stored = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/golden/workers.jsonl";
  const std::string text = text_of(stored);
  Json header = Json::parse(text.substr(0, text.find('\n')));
  Json order = Json::array();
  for (std::size_t i = 0; i < header.at("plan").size(); ++i) order.push_back(i);
  header["shard"] = {{"index", 1}, {"of", 2}, {"order", order}};
  write_text(folder_ / "one.jsonl", to_line(header) + text.substr(text.find('\n')));
  prepare_ = [&, odd = false]() mutable {
    if ((odd = !odd)) fs::remove(folder_ / "all.jsonl");
  };
  kill_often(kills(20), {"merge", "one.jsonl", "-o", "all.jsonl", "--force"}, {}, [&] {
    if (fs::exists(folder_ / "all.jsonl")) {
      EXPECT_EQ(read_run(folder_ / "all.jsonl").records.size(), header.at("plan").size());
      EXPECT_THAT(text_of(folder_ / "all.jsonl"), EndsWith("\n"));
    }
  });
}

// A life of a second or two: fewer of them.
TEST_F(Kills, OfMachineLeaveTheCeilingsThatWere) {
  write_text(folder_ / "small.json", R"({"name": "small", "cases": [
      {"variants": ["uot/map_uot"], "axes": {"M,N": [[64, 64]]}}]})");
  const fs::path folder = folder_ / ".cache/uotbench/machines";
  const auto files = [&](const std::string& extension) {
    std::vector<fs::path> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (entry.path().extension() == extension &&
          entry.path().string().find(".caches.") == std::string::npos)
        found.push_back(entry.path());  // not the probe of a doubtful cache
    return found;
  };
  prepare_ = [&] {
    for (const auto& left : files(".part")) fs::remove(left);
  };
  kill_often(
      kills(5, 0.3), {"machine", "--quick", "--sweep", "small.json", "--worker", native_worker},
      [&] {
        const auto fresh = files(".part");
        return !fresh.empty() && text_of(fresh[0]).find("\"kind\":\"end\"") != std::string::npos;
      },
      [&] {
        const auto stored = files(".jsonl");
        ASSERT_EQ(stored.size(), 1u);
        const auto run = read_run(stored[0]);
        EXPECT_THAT(run.warnings, IsEmpty());
        EXPECT_THAT(run.unfinished, IsEmpty());
        ASSERT_TRUE(run.end);
        EXPECT_EQ(run.end->status(), "complete");
        EXPECT_EQ(uotbench(folder_.path(), {"machine", "--show"}).code, 0);
      });
}

}  // namespace
}  // namespace uotbench
