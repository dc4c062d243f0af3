#include "harness/worker/mpi/ranks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "harness/host/process/cpu_use.hpp"
#include "harness/worker/timing/measure.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

using Clock = std::chrono::steady_clock;

// How long a process whose part failed waits for the others to come to the request's end. They are there at
// once where all failed alike, and never where they wait for it in a kernel.
constexpr std::chrono::milliseconds patience{500};
// MPI waits in a loop. Between requests nobody is in a hurry, and the CPU may be somebody else's.
constexpr int longest_nap = 500;  // microseconds
constexpr std::size_t longest_text = 256;

/// False where it is late.
bool wait_asleep(MPI_Request& request, Clock::time_point late = Clock::time_point::max()) {
  for (int nap = 1;; nap = std::min(2 * nap, longest_nap)) {
    int done = 0;
    PMPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return true;
    if (Clock::now() > late) return false;
    std::this_thread::sleep_for(std::chrono::microseconds(nap));
  }
}

/// What a launcher says of how many it started, in the words of Open MPI, MPICH (hydra) and Slurm.
int announced() {
  for (const char* variable : {"UOTBENCH_RANKS", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"})
    if (const char* const told = std::getenv(variable))
      if (const int count = std::atoi(told); count > 0) return count;
  return 1;
}

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

std::string mpi_library() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  PMPI_Get_library_version(text.data(), &length);
  std::string whole(text.data(), static_cast<std::size_t>(length));
  std::ranges::replace(whole, '\t', ' ');  // MPICH's
  return whole.substr(0, whole.find_first_of(",\n"));
}

Ranks::Ranks(int* argc, char*** argv) {
  int given = 0;
  PMPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &given);
  PMPI_Comm_dup(MPI_COMM_WORLD, &comm_);
  PMPI_Comm_rank(comm_, &rank_);
  PMPI_Comm_size(comm_, &size_);
  if (const int told = announced(); told != size_)
    throw Error(fmt::format(
        "MPI finds {} process{} where {} were started: the launcher is of another MPI than the worker ({}). "
        "Set "
        "UOTBENCH_MPIRUN to the mpirun of that one, or build the worker with the launcher's mpicxx",
        size_, size_ == 1 ? "" : "es", told, mpi_library()));
  std::array<char, longest_text> host{};
  ::gethostname(host.data(), host.size() - 1);
  name_ = fmt::format("rank {} of {} on {}", rank_, size_, host.data());
  const auto hosts = texts(host.data());
  with_first_ = hosts.front() == hosts[static_cast<std::size_t>(rank_)];
  place_ = static_cast<int>(std::count(hosts.begin(), hosts.begin() + rank_, hosts[std::size_t(rank_)]));
}

Ranks::~Ranks() {
  PMPI_Comm_free(&comm_);
  PMPI_Finalize();
}

std::vector<int> Ranks::own_cpus(const std::vector<int>& all, int threads) const {
  const auto first = static_cast<std::size_t>(place_) * static_cast<std::size_t>(threads);
  const auto last = first + static_cast<std::size_t>(threads);
  if (!with_first_ || all.size() < last) return {};
  return {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(last)};
}

std::string Ranks::broadcast(const std::string& text) const {
  unsigned long long bytes = text.size();
  MPI_Request request;
  PMPI_Ibcast(&bytes, 1, MPI_UNSIGNED_LONG_LONG, 0, comm_, &request);
  wait_asleep(request);
  std::string all = text;
  all.resize(bytes);
  PMPI_Ibcast(all.data(), static_cast<int>(bytes), MPI_CHAR, 0, comm_, &request);
  wait_asleep(request);
  return all;
}

std::vector<std::string> Ranks::texts(const std::string& mine) const {
  std::array<char, longest_text> own{};
  std::strncpy(own.data(), mine.c_str(), own.size() - 1);
  std::vector<char> all(own.size() * static_cast<std::size_t>(size_));
  PMPI_Allgather(own.data(), longest_text, MPI_CHAR, all.data(), longest_text, MPI_CHAR, comm_);
  std::vector<std::string> list;
  for (std::size_t at = 0; at < all.size(); at += own.size()) list.emplace_back(all.data() + at);
  return list;
}

std::string Ranks::agree(const std::string& failure) const {
  const int mine = failure.empty() ? 0 : 1;
  int failed = 0;
  MPI_Request request;
  PMPI_Iallreduce(&mine, &failed, 1, MPI_INT, MPI_SUM, comm_, &request);
  const auto late = mine ? Clock::now() + patience : Clock::time_point::max();
  if (!wait_asleep(request, late)) {
    std::fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, name_.c_str(), failure.c_str());
    std::fflush(stderr);
    ::_exit(1);  // not MPI_Abort(), whose own words would come after these
  }
  if (failed == 0) return "";
  const auto all = texts(failure);
  const auto first = std::ranges::find_if(all, [](const std::string& text) { return !text.empty(); });
  if (failed == size_ && std::ranges::count(all, *first) == size_) return failure.empty() ? *first : failure;
  return fmt::format("rank {} of {}: {}", first - all.begin(), size_, *first);
}

double Ranks::sum(double mine) const {
  PMPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_SUM, comm_);
  return mine;
}

double Ranks::least(double mine) const {
  PMPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MIN, comm_);
  return mine;
}

double Ranks::most(double mine) const {
  PMPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_DOUBLE, MPI_MAX, comm_);
  return mine;
}

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
