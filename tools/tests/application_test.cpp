// Applications as a user runs them: their phases are told, and who has none says so.
#include <gmock/gmock.h>

#include <algorithm>

#include "results/record/timing.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Applications : public ::testing::Test {
 protected:
  std::vector<Record> ran(std::vector<std::string> what) {
    what.insert(what.begin(), "run");
    for (const char* more : {"-a", "M,N=300,200", "--rounds", "1", "--max-time", "20ms", "--output",
                             "run.jsonl", "--force", "--worker"})
      what.emplace_back(more);
    what.push_back(native_worker);
    EXPECT_EQ(uotbench(folder_.path(), what).code, 0);
    return read_run(folder_ / "run.jsonl").records;
  }

  Folder folder_;
};

TEST_F(Applications, TellThePhasesOfASolve) {
  // One whose iterations begin and end outside of what is timed, and one that loads a library.
  for (const char* variant : {"uot/map_uot", "uot/numpy_order"}) {
    const auto records = ran({variant, "-a", "data=moons,likelihood", "-a", "application=7"});
    ASSERT_EQ(records.size(), 2u);
    for (const auto& record : records) {
      SCOPED_TRACE(record.id);
      EXPECT_EQ(verdict(record), "ok");
      ASSERT_TRUE(record.time);
      EXPECT_EQ(record.time->per, Unit::solve);
      EXPECT_EQ(record.time->iterations, 7);
      std::vector<std::string> names;
      for (const auto& phase : phase_shares(*record.time)) {
        names.push_back(phase.name);
        if (phase.name == "scaling") {
          EXPECT_GT(phase.share, 0);
          EXPECT_EQ(phase.entered, 1);
        }
      }
      if (record.point.json().at("data") == "moons")
        EXPECT_THAT(names, ElementsAre("cost", "kernel", "load", "scaling", "plan", "map", "other"));
      else
        EXPECT_THAT(names, ElementsAre("kernel", "load", "scaling", "plan", "map", "other"));
      double known = 0;  // of the sample that waited least for a CPU between its phases
      for (const auto& process : record.time->processes)
        for (std::size_t i = 0; i < process.samples.size(); ++i) {
          double sum = 0;  // of one sample: medians of phases may add up to more than the median of all
          for (const auto& phase : process.phases) sum += phase.seconds.at(i);
          EXPECT_LE(sum, process.samples[i] * (1 + 1e-9));
          known = std::max(known, sum / process.samples[i]);
        }
      EXPECT_GT(known, .5) << "nothing large is left out";
    }
  }
}

TEST_F(Applications, AreNotOfKernelsThatScaleNoMatrix) {
  const auto records = ran({"uot/matrix_free", "-a", "data=moons", "-a", "application=7"});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_THAT(verdict(records.front()), HasSubstr("application must be 0"));
}

}  // namespace
}  // namespace uotbench
