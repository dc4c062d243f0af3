// The worker in Python stops sampling when the native ones would: its noise of the same samples is the same
// number, to the last bit.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <sstream>

#include "results/statistics/statistics.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {
namespace {

TEST(Python, TellsTheNoiseThatStatisticsTell) {
  Folder folder;
  std::mt19937_64 random(11);
  std::lognormal_distribution<double> seconds(-7, .3);
  std::vector<std::vector<double>> sets;
  for (const std::size_t count :
       {1u, 2u, 5u, 6u, 7u, 8u, 9u, 10u, 12u, 17u, 31u, 64u, 101u, 250u, 999u, 2000u}) {
    sets.emplace_back();
    while (sets.back().size() < count) sets.back().push_back(seconds(random));
  }
  std::string lists;
  for (const auto& samples : sets) lists += fmt::format("[{:.17g}],\n", fmt::join(samples, ", "));
  write_text(folder / "sets.py", "from uotbench.noise import relative_noise\nfor samples in [\n" + lists +
                                     "]:\n    print(repr(relative_noise(samples)))\n");
  const Outcome outcome =
      Program({"env", "PYTHONPATH=" + std::string(UOTBENCH_SOURCE_DIR) + "/harness/python",
               "PYTHONDONTWRITEBYTECODE=1", "python3", "sets.py"},
              folder.path())
          .wait();
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  std::istringstream lines(outcome.out);
  std::string line;
  for (const auto& samples : sets) {
    ASSERT_TRUE(std::getline(lines, line));
    const auto want = relative_noise(samples);
    if (!want)
      EXPECT_EQ(line, "None") << samples.size() << " samples";
    else
      EXPECT_EQ(std::stod(line), *want) << samples.size() << " samples";
  }
}

}  // namespace
}  // namespace uotbench
