#include "harness/worker/mpi/examine.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "harness/host/process/cpu_use.hpp"
#include "harness/worker/timing/measure.hpp"

namespace uotbench {
namespace {

constexpr int balls = 100;
constexpr int ball_tag = 2;

/// Seconds of a message of so many bytes between the first two processes: the quickest there and back,
/// halved.
double message_seconds(const Ranks& ranks, int bytes) {
  std::vector<char> ball(static_cast<std::size_t>(bytes));
  double quickest = 1e9;
  if (ranks.rank() > 1) return 0;
  for (int round = 0; round < balls; ++round) {
    const double start = monotonic();
    const auto send = [&] {
      PMPI_Send(ball.data(), bytes, MPI_CHAR, 1 - ranks.rank(), ball_tag, ranks.comm());
    };
    if (ranks.rank() == 0) send();
    PMPI_Recv(ball.data(), bytes, MPI_CHAR, 1 - ranks.rank(), ball_tag, ranks.comm(), MPI_STATUS_IGNORE);
    if (ranks.rank() == 1) send();
    quickest = std::min(quickest, monotonic() - start);
  }
  return quickest / 2;
}

}  // namespace

std::string allowed_cpus() { return cpu_list(cpus_of(0)); }

std::string examined(const Ranks& ranks) {
  const auto places = ranks.texts(fmt::format("{}: CPU {}", ranks.name(), allowed_cpus()));
  std::string messages = "one process, so no message was timed";
  if (ranks.size() > 1) {
    constexpr int large = 1 << 20;
    const double quick = message_seconds(ranks, 8), long_one = message_seconds(ranks, large);
    messages = fmt::format("a message of 8 bytes takes {:.2f} us, one of 1 MiB {:.1f} GB/s", 1e6 * quick,
                           1e-9 * large / long_one);
  }
  if (ranks.rank() > 0) return "";
  const char* const launcher = std::getenv("UOTBENCH_LAUNCHER");
  return fmt::format("{}, launched by {}; {}; bound by it to {}", mpi_library(),
                     launcher ? launcher : "no launcher that it knows", messages, fmt::join(places, "; "));
}

}  // namespace uotbench
