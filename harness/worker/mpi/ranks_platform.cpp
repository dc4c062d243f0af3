#include "harness/worker/mpi/ranks_platform.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cmath>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/mpi/ranks.hpp"
#include "harness/worker/timing/measure.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

constexpr int rounds = 50;
// From the barrier until the common start: longer than a broadcast takes within a machine. Where it takes
// longer, its own round trips say so.
constexpr double least_lead = 20e-6;
constexpr double lead_in_errors = 8;

constexpr int tag = 1;

// A clock that is corrected on the way runs up to so much faster or slower than another (adjtimex(2)).
constexpr double tolerated_drift = 1e-4;  // seconds
// A sample of 5 ms is wrong by a hundredth if the clocks are.
constexpr double tolerated_error = 50e-6;

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

void RanksPlatform::enter(const Point& point) {
  if (const auto asked = settings_of(point).ranks; asked != ranks_.size())
    throw Error(fmt::format("the case is of {} processes, and {} were started", asked, ranks_.size()));
  *times_ = {};
}

Json RanksPlatform::usage() {
  Json facts{
      {"binding",
       fmt::format("{}",
                   fmt::join(ranks_.texts(fmt::format("{}: CPU {}", ranks_.name(), allowed_cpus())), "; "))}};
  if (times_->sample == 0) return facts;
  const double own = times_->own / times_->sample;
  facts["rank_time_least"] = ranks_.least(own);
  facts["rank_time_mean"] = ranks_.sum(own) / ranks_.size();
  facts["rank_time_most"] = ranks_.most(own);
  const ClockOffset after = offset_to_first(ranks_);
  facts["clock_offset"] = ranks_.most(std::abs(times_->offset.seconds));
  facts["clock_error"] = ranks_.most(std::abs(correction(times_->offset)) > 0 ? times_->offset.error : 0);
  facts["clock_drift"] = ranks_.most(std::abs(correction(after) - correction(times_->offset)));
  return facts;
}

std::vector<std::string> RanksPlatform::warnings() const {
  std::vector<std::string> all;
  const ClockOffset after = offset_to_first(ranks_);
  const auto told =
      ranks_.texts(moved(times_->offset, after, tolerated_drift)
                       ? fmt::format("{}: its clock moved by {:.3g} s against rank 0's while it was timed",
                                     ranks_.name(), after.seconds - times_->offset.seconds)
                       : "");
  for (const auto& text : told)
    if (!text.empty()) all.push_back(text);
  const double error = ranks_.most(correction(times_->offset) != 0 ? times_->offset.error : 0);
  if (error > tolerated_error)
    all.push_back(fmt::format("the processes' clocks are known to {:.3g} s only", error));
  return all;
}

void RanksPlatform::gather(Json& env) const {
  for (const char* key : {"peak_rss", "page_faults", "context_switches", "migrations", "huge_bytes"}) {
    if (!env.contains(key)) continue;  // nor in the others: all have the same steps
    const bool told = env[key].is_number();
    const double all = ranks_.sum(told ? env[key].get<double>() : 0);
    if (ranks_.least(told ? 1 : 0) == 1)
      env[key] = static_cast<std::int64_t>(all);
    else
      env[key] = nullptr;
  }
}

}  // namespace uotbench
