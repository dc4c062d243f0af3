// Whatever a worker does, it harms its own case and nothing else: the program ends in order and in words that
// a person can read, others' cases are right, the user's files are as they were, and nothing stays behind.
// misbehaving_worker.py holds the misbehaviours and what must come of each.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <set>

#include "tools/tests/fixtures.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

struct Misbehaviour {
  std::string name, group, does, must, check;
  bool hangs = false;
};

const std::string bad_worker = std::string(UOTBENCH_SOURCE_DIR) + "/tools/tests/misbehaving_worker.py";
const std::string good_worker = std::string(UOTBENCH_SOURCE_DIR) + "/docs/my_worker.py";

const std::vector<Misbehaviour>& misbehaviours() {
  static const std::vector<Misbehaviour> all = [] {
    const Folder folder;
    const Outcome table = Program({"python3", bad_worker, "--table"}, folder.path()).wait();
    EXPECT_EQ(table.code, 0) << table.err;
    std::vector<Misbehaviour> found;
    for (std::size_t begin = 0, end; (end = table.out.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      const Json json = Json::parse(table.out.substr(begin, end - begin));
      found.push_back({json.at("name"), json.at("group"), json.at("does"), json.at("must"), json.at("check"),
                       json.at("hangs").get<bool>()});
    }
    return found;
  }();
  return all;
}

/// Those of a group that never answer, or the others: patience is another.
std::vector<Misbehaviour> of_group(const std::string& group, bool hangs) {
  std::vector<Misbehaviour> found;
  std::ranges::copy_if(misbehaviours(), std::back_inserter(found),
                       [&](const auto& one) { return one.group == group && one.hangs == hangs; });
  return found;
}

const Misbehaviour& misbehaviour(const std::string& name) {
  const auto found = std::ranges::find(misbehaviours(), name, &Misbehaviour::name);
  if (found == misbehaviours().end()) throw std::runtime_error("no misbehaviour " + name);
  return *found;
}

/// Empty, or what of a text shall not reach anybody.
std::string unreadable_in(const std::string& text) {
  for (const char* words :
       {"terminate called", "free()", "json.exception", "Sanitizer", "\x1b", "\u009b", "\u202e", "\x07"})
    if (const auto at = text.find(words); at != std::string::npos)
      return on_one_line(text.substr(at > 100 ? at - 100 : 0, 300));
  return "";
}

std::string command_of(const Misbehaviour& one, const Victims& victims) {
  return quick_python() + bad_worker + " " + one.name + " " + victims.path().string();
}

constexpr int first_size = 7, columns = 4;
const std::string honest_variant = "uot/one_read";

std::string id_of(const std::string& variant, std::size_t at, const std::string& worker) {
  return variant + "/M:" + std::to_string(first_size + at) + "/N:" + std::to_string(columns) + "@" + worker;
}

/// Each has a problem of its own, which an honest kernel solves after it.
std::vector<std::string> run_of(const std::vector<Misbehaviour>& all, const Victims& victims) {
  std::string sizes, wanted = "^" + honest_variant + "/.*@" + native_worker + "$";
  std::vector<std::string> workers{"--worker", native_worker};
  for (std::size_t i = 0; i < all.size(); ++i) {
    sizes += (i ? "," : "") + std::to_string(first_size + i);
    wanted += "|^" + id_of("uot/python_lists", i, all[i].name) + "$";
    workers.insert(workers.end(), {"--worker", all[i].name + "=" + command_of(all[i], victims)});
  }
  return joined(
      {"run", "uot/python_lists", honest_variant, "-a", "M=" + sizes, "-a", "N=" + std::to_string(columns),
       "--filter", wanted, "--output", "run.jsonl", "--rounds", "1", "--max-time", "2ms"},
      workers);
}

/// The honest kernel's errors where nobody misbehaves.
std::map<std::string, double> honest_errors(std::size_t sizes) {
  const Folder folder;
  std::vector<std::string> arguments{"run",
                                     honest_variant,
                                     "--worker",
                                     native_worker,
                                     "--verify-only",
                                     "--output",
                                     "run.jsonl",
                                     "-a",
                                     "N=" + std::to_string(columns),
                                     "-a"};
  std::string values = "M=";
  for (std::size_t i = 0; i < sizes; ++i) values += (i ? "," : "") + std::to_string(first_size + i);
  arguments.push_back(values);
  const Outcome outcome = uotbench(folder.path(), arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::map<std::string, double> errors;
  for (const auto& [id, record] : records_of(folder / "run.jsonl"))
    if (record.check) errors[id] = record.check->error;
  return errors;
}

/// "ok", with what makes its times doubtful; "failed: reason".
std::string verdict_with_warnings(const Record& record) {
  std::string text = verdict(record);
  if (record.status != Status::ok || !record.time) return text;
  for (const auto& warning : record.time->warnings) text += "; " + warning;
  if (const auto& proof = record.time->proof; proof && proof->how.empty())
    text += "; not judged: " + proof->reason;
  else if (proof && !proof->outside)
    text += "; not seen from outside";
  return text;
}

/// A run of several of them, which goes on while its test does something else.
class Batch {
 public:
  Batch(std::vector<Misbehaviour> all, const std::string& timeout)
      : all_(std::move(all)),
        program_(joined(run_of(all_, victims_), {"--case-timeout", timeout}), folder_.path()) {}

  bool running() { return program_.running(); }

  void expect_contained() {
    const Outcome outcome = program_.wait(1);
    EXPECT_THAT(outcome.code, testing::AnyOf(0, 1))
        << outcome.err.substr(outcome.err.size() > 2000 ? outcome.err.size() - 2000 : 0);
    EXPECT_EQ(unreadable_in(outcome.out + outcome.err), "");
    EXPECT_LT(outcome.err.size(), 32u << 20) << "what a worker prints is passed on without a limit";
    EXPECT_TRUE(program_.laid_arrays()) << "the test sees no arrays, and so not whether they stay behind";
    program_.expect_nothing_left();
    victims_.expect_unharmed();
    ASSERT_TRUE(fs::exists(folder_ / "run.jsonl"));
    const auto file = read_run(folder_ / "run.jsonl");
    EXPECT_THAT(file.unfinished, IsEmpty()) << "the run broke off";
    EXPECT_THAT(file.warnings, IsEmpty());
    const auto records = records_of(folder_ / "run.jsonl");
    const auto errors = honest_errors(all_.size());
    bool bad = false;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      SCOPED_TRACE(all_[i].name + ": " + all_[i].does);
      const std::string honest = id_of(honest_variant, i, native_worker);
      expect_right(records, errors, honest);
      bad |= records.contains(honest) && is_bad(records.at(honest).status);
      const std::string id = id_of("uot/python_lists", i, all_[i].name);
      if (!records.contains(id)) {
        ADD_FAILURE() << "it has no record";
        continue;
      }
      bad |= is_bad(records.at(id).status);
      expect_told(records.at(id), all_[i]);
    }
    EXPECT_EQ(outcome.code, bad ? 1 : 0);
  }

 private:
  static void expect_right(const std::map<std::string, Record>& records,
                           const std::map<std::string, double>& errors, const std::string& id) {
    const auto found = records.find(id);
    if (found == records.end()) {
      ADD_FAILURE() << "the honest " << id << " has no record";
      return;
    }
    const Record& record = found->second;
    EXPECT_EQ(verdict(record), "ok") << "the honest " << id;
    if (record.status != Status::ok) return;
    EXPECT_TRUE(record.time) << "the honest " << id;
    ASSERT_TRUE(record.check);
    EXPECT_EQ(record.check->error, errors.at(id)) << "the honest " << id << " was judged on other inputs";
  }

  static void expect_told(const Record& record, const Misbehaviour& one) {
    std::string text = verdict_with_warnings(record);
    const std::regex must(one.must);
    // Cheats that only the clock shows may be missed while other programs use the CPUs: ask again.
    if (one.group == "cheating" && !std::regex_search(text, must))
      in_some_attempt([&] { return std::regex_search(text = verdict_alone(one), must); });
    EXPECT_TRUE(std::regex_search(text, must)) << "wanted " << one.must << ", got " << text.substr(0, 500);
    EXPECT_EQ(unreadable_in(text), "");
    EXPECT_LT(record.reason.value_or("").size(), 2000u);
    EXPECT_THAT(text, Not(HasSubstr("\n")));
  }

  static std::string verdict_alone(const Misbehaviour& one) {
    const Folder folder;
    const Victims victims;
    Watched(run_of({one}, victims), folder.path()).wait(100);
    return verdict_with_warnings(records_of(folder / "run.jsonl").at(id_of("uot/python_lists", 0, one.name)));
  }

  const std::vector<Misbehaviour> all_;
  const Folder folder_;
  const Victims victims_;
  Watched program_;
};

class Misbehaving : public testing::TestWithParam<std::string> {};

TEST_P(Misbehaving, HarmsItsOwnCaseOnly) {
  std::optional<Batch> silent, others;
  if (auto all = of_group(GetParam(), true); !all.empty())
    silent.emplace(std::move(all), "2s");  // mostly waits
  if (auto all = of_group(GetParam(), false); !all.empty()) others.emplace(std::move(all), "20s");
  const std::vector<std::optional<Batch>*> batches{&others, &silent};
  const auto under_way = [](std::optional<Batch>* batch) { return *batch && (*batch)->running(); };
  eventually([&] { return std::ranges::count_if(batches, under_way) == 0; }, 200);
  for (auto* batch : batches)
    if (*batch) (*batch)->expect_contained();
}

TEST_P(Misbehaving, IsFoundByCheckWorker) {
  struct Check {
    Misbehaviour one;
    std::unique_ptr<Folder> folder;
    std::unique_ptr<Watched> program;
  };
  const Victims victims;
  std::vector<Check> checks;
  const auto still_running = [&] {
    return std::ranges::count_if(checks, [](const Check& check) { return check.program->running(); });
  };
  for (const bool hangs : {true, false})
    for (const auto& one : of_group(GetParam(), hangs)) {
      // They mostly wait; those that hang do nothing else.
      while (still_running() >= 4) pause(0.02);
      auto folder = std::make_unique<Folder>();
      const std::vector<std::string> arguments{"check-worker", command_of(one, victims), "--timeout",
                                               hangs ? "2s" : "20s"};
      auto program = std::make_unique<Watched>(arguments, folder->path());
      checks.push_back({one, std::move(folder), std::move(program)});
    }
  for (auto& [one, folder, program] : checks) {
    SCOPED_TRACE(one.name + ": " + one.does);
    const Outcome outcome = program->wait(120);
    EXPECT_THAT(outcome.code, testing::AnyOf(0, 1)) << outcome.err;
    EXPECT_TRUE(one.check != "wrong" || outcome.code == 1) << outcome.out;
    EXPECT_TRUE(one.check != "ok" || outcome.code == 0) << outcome.out;
    EXPECT_EQ(outcome.code == 1, outcome.out.find("wrong    ") != std::string::npos) << outcome.out;
    EXPECT_EQ(unreadable_in(outcome.out + outcome.err), "");
    program->expect_nothing_left();
  }
  victims.expect_unharmed();
}

const std::vector<std::string> groups{"hello",  "describe", "plan",  "message",  "process", "outputs",
                                      "inputs", "time",     "facts", "cheating", "prove"};
INSTANTIATE_TEST_SUITE_P(By, Misbehaving, testing::ValuesIn(groups),
                         [](const auto& info) { return info.param; });

TEST(MisbehavingTable, HasNoOtherGroups) {
  std::set<std::string> found;
  for (const auto& one : misbehaviours()) found.insert(one.group);
  EXPECT_EQ(found, std::set<std::string>(groups.begin(), groups.end()));
  EXPECT_GE(misbehaviours().size(), 150u);
}

/// A gate with an honest baseline. 10 pairs are the fewest that confirm anything; a failure shows in each
/// look.
Outcome gate_of(const Misbehaviour& one, const Victims& victims, const Folder& folder,
                const std::string& pairs = "10") {
  static const std::set<std::string> solvers{"knows_questions_of_solves", "proves_more_iterations",
                                             "tells_more_iterations"};
  Watched program({"gate", "--baseline-worker",
                   solvers.contains(one.name) ? command_of(misbehaviour("times_solves"), victims)
                                              : quick_python() + good_worker,
                   "--candidate-worker", command_of(one, victims), "-a", "M,N=37,53", "--seed", "1",
                   "--output", "gate.jsonl", "--force", "--pairs", pairs, "--case-timeout",
                   one.hangs ? "2s" : "30s", "uot/python_lists"},
                  folder.path());
  Outcome outcome = program.wait(120);
  EXPECT_EQ(unreadable_in(outcome.out + outcome.err), "");
  program.expect_nothing_left();
  victims.expect_unharmed();
  return outcome;
}

class MisbehavingCandidate : public testing::TestWithParam<const char*> {};

TEST_P(MisbehavingCandidate, FailsTheGate) {
  const Folder folder;
  const Victims victims;
  const Outcome outcome = gate_of(misbehaviour(GetParam()), victims, folder, "4");
  EXPECT_EQ(outcome.code, 5) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("FAILED  uot/python_lists/M:37/N:53@worker"));
}

INSTANTIATE_TEST_SUITE_P(By, MisbehavingCandidate,
                         testing::Values("answers_for_another_case", "deaf", "segmentation_fault",
                                         "output_link_to_victim", "inputs_trivial",
                                         "inputs_spoiled_when_timed", "tolerance_endless", "unit_absent",
                                         "busy_as_text", "samples_beyond_the_clock", "skips_work",
                                         "gives_stored_results", "stops_when_converged", "puts_work_off",
                                         "keeps_results", "knows_questions", "knows_questions_of_solves",
                                         "samples_dwindle", "tells_more_iterations", "proves_more_iterations",
                                         "invents_nanoseconds", "tells_a_hundredth"),
                         [](const auto& info) { return std::string(info.param); });

TEST(MisbehavingCandidates, ThatLeaveAProcessBehindAreCompared) {
  const Folder folder;
  const Victims victims;
  const Outcome outcome = gate_of(misbehaviour("leaves_a_stray"), victims, folder, "4");
  EXPECT_THAT(outcome.out, Not(HasSubstr("FAILED"))) << outcome.err;
  EXPECT_TRUE(fs::exists(folder / "gate.jsonl"));
}

// A limit: docs/notes/details.md#what-a-worker-can-still-hide.
TEST(MisbehavingCandidates, ThatComputeWhenTheyLoadAreBelieved) {
  const Folder folder;
  const Victims victims;
  const Outcome outcome = gate_of(misbehaviour("computes_when_it_loads"), victims, folder);
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("improved  uot/python_lists/M:37/N:53@worker"));
}

/// Which process is proved is drawn: repeats until the worker has cheated in a later one.
template <class Attempt>
void until_it_cheats(const Attempt& attempt) {
  for (int again = 0; again < 30; ++again)
    if (attempt()) return;
  FAIL() << "in each of 30 attempts the last process was proved, or none was seen";
}

TEST(CheatsAfterTheProof, FailTheRun) {
  const Misbehaviour& one = misbehaviour("cheats_after_its_proof");
  until_it_cheats([&] {
    const Folder folder;
    const Victims victims;
    const Outcome outcome = uotbench(
        folder.path(), {"run", "uot/python_lists", "-a", "M,N=37,53", "--rounds", "3", "--max-time", "20ms",
                        "--output", "run.jsonl", "--worker", "worker=" + command_of(one, victims)});
    const Record record = records_of(folder / "run.jsonl").at("uot/python_lists/M:37/N:53@worker");
    // On a busy machine the parent's clock may not see the proved process, which tables note.
    if (record.status == Status::ok && record.time && !record.time->proof->outside) return false;
    const std::string found = verdict(record);
    const bool cheated = fs::exists(victims.path() / "cheated");
    EXPECT_EQ(outcome.code, cheated ? 1 : 0) << outcome.err;
    EXPECT_TRUE(std::regex_search(found, std::regex(cheated ? "^failed: " : "^ok"))) << found;
    return cheated;
  });
}

TEST(CheatsAfterTheProof, FailTheGate) {
  const Misbehaviour& one = misbehaviour("cheats_after_its_proof");
  until_it_cheats([&] {
    const Folder folder;
    const Victims victims;
    const Outcome outcome = gate_of(one, victims, folder);
    const bool cheated = fs::exists(victims.path() / "cheated");
    if (cheated) {
      EXPECT_EQ(outcome.code, 5) << outcome.out << outcome.err;
      EXPECT_THAT(outcome.out, HasSubstr("FAILED  uot/python_lists/M:37/N:53@worker"));
    }
    return cheated;
  });
}

}  // namespace
}  // namespace uotbench
