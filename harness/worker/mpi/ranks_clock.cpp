#include "harness/worker/mpi/ranks_clock.hpp"

#include <array>

#include "harness/worker/timing/measure.hpp"

namespace uotbench {
namespace {

constexpr int rounds = 50;
// From the barrier until the common start: longer than a broadcast takes within a machine. Where it takes
// longer, its own round trips say so.
constexpr double least_lead = 20e-6;
constexpr double lead_in_errors = 8;

constexpr int tag = 1;

}  // namespace

ClockOffset offset_to_first(const Ranks& ranks) {
  ClockOffset offset;
  const MPI_Comm comm = ranks.comm();
  double told = 0;
  for (int other = 1; other < ranks.size(); ++other) {
    if (ranks.rank() == other) {
      // The other clock is rank 0's, which answers here.
      offset = clock_offset(rounds, monotonic, [&] {
        PMPI_Send(&told, 1, MPI_DOUBLE, 0, tag, comm);
        PMPI_Recv(&told, 1, MPI_DOUBLE, 0, tag, comm, MPI_STATUS_IGNORE);
        return told;
      });
    } else if (ranks.rank() == 0) {
      for (int round = 0; round < rounds; ++round) {
        PMPI_Recv(&told, 1, MPI_DOUBLE, other, tag, comm, MPI_STATUS_IGNORE);
        told = monotonic();
        PMPI_Send(&told, 1, MPI_DOUBLE, other, tag, comm);
      }
    }
  }
  return offset;
}

RanksClock::RanksClock(const Ranks& ranks, RankTimes& times) : ranks_(ranks), times_(times) {
  times_ = {.offset = offset_to_first(ranks)};
}

void RanksClock::start() {
  marks_.clear();
  const double lead = std::max(least_lead, lead_in_errors * ranks_.most(times_.offset.error));
  PMPI_Barrier(ranks_.comm());
  double at = monotonic() + lead;
  PMPI_Bcast(&at, 1, MPI_DOUBLE, 0, ranks_.comm());
  at -= correction(times_.offset);  // rank 0's time by this clock
  do start_ = monotonic();
  while (start_ < at);
}

double RanksClock::stop() {
  const double end = monotonic(), offset = correction(times_.offset);
  std::array<double, 2> edges{-(start_ + offset), end + offset};
  PMPI_Allreduce(MPI_IN_PLACE, edges.data(), 2, MPI_DOUBLE, MPI_MAX, ranks_.comm());
  times_.own += end - start_;
  times_.sample += edges[0] + edges[1];
  return edges[0] + edges[1];
}

void RanksClock::mark() { marks_.push_back(monotonic() - start_); }

std::vector<double> RanksClock::marks() { return marks_; }

void RanksClock::evict() {
  if (!evictor_) evictor_.emplace();
  evictor_->evict();
}

double RanksClock::agreed(double seconds) const {
  PMPI_Bcast(&seconds, 1, MPI_DOUBLE, 0, ranks_.comm());
  return seconds;
}

}  // namespace uotbench
