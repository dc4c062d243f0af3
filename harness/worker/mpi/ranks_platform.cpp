#include "harness/worker/mpi/ranks_platform.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "harness/protocol/messages.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/worker/mpi/ranks.hpp"
#include "harness/worker/serve/serve.hpp"
#include "harness/worker/timing/measure.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"

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

constexpr int ended = 128 + SIGTERM;

/// What a process says where it is ended while the others wait for it. A signal handler cannot make texts.
std::array<char, 400> last_words{};
/// Open MPI's launcher passes nothing on for one to two seconds after the first process ended. Who has
/// something to say gets so long until the launcher has read it, and the others end after it.
constexpr int milliseconds_to_pass_on = 150;

void say_who_computes(int) {
  const bool computes = !mpi_function();
  if (computes) [[maybe_unused]]
    const auto written = ::write(STDERR_FILENO, last_words.data(), std::strlen(last_words.data()));
  ::poll(nullptr, 0, computes ? milliseconds_to_pass_on : 2 * milliseconds_to_pass_on);
  ::_exit(ended);
}

void prepare_last_words(const Ranks& ranks) {
  const std::string text = fmt::format("{}: {} was in no call of MPI: the others waited for it\n",
                                       program_invocation_short_name, ranks.name());
  std::strncpy(last_words.data(), text.c_str(), last_words.size() - 1);
  struct sigaction action {};
  action.sa_handler = say_who_computes;
  ::sigaction(SIGTERM, &action, nullptr);
}

/// Whoever ends processes tells their names: of one that takes too much memory, too. At most 15 characters.
void take_name(const Ranks& ranks) {
  ::prctl(PR_SET_NAME, fmt::format("rank {} of {}", ranks.rank(), ranks.size()).c_str());
}

/// Whoever launched it may be killed, and nobody else knows of this process then.
void die_with_launcher() {
  const pid_t launcher = ::getppid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != launcher) ::_exit(1);
}

/// Other sources repeat iterations for a while by the clock of one process, which the others do not know.
void require_countable(const Ranks& ranks, const RunRequest& request) {
  const auto* const count = std::get_if<run_step::Count>(&request.step);
  if (ranks.size() > 1 && count && count->source != "mpi")
    throw Error(fmt::format("{} counts one process: ranks must be 1", count->source));
}

/// The message as this process has to read it: its own CPUs of those of all.
Json own_part(const Ranks& ranks, const Json& message) {
  if (text_in(message, "type") != "run") return message;
  RunRequest request = run_request_from(message);
  require_countable(ranks, request);
  if (!request.cpus.empty())
    request.cpus = ranks.own_cpus(request.cpus, static_cast<int>(settings_of(request.point).threads));
  return to_json(request);
}

/// What all processes do at the same time. Throws Error, in each of them, where it failed in any.
Json together(const Ranks& ranks, const Handler& handler, const Json& request, Channel& channel) {
  std::string failure;
  Json answer;
  try {
    answer = handler(own_part(ranks, request), channel);
  } catch (const std::bad_alloc&) {
    failure = "out of memory";
  } catch (const std::exception& error) {
    failure = error.what();
    if (failure.empty()) failure = "it failed, and did not say why";
  }
  if (const std::string said = ranks.agree(failure); !said.empty()) throw Error(said);
  return answer;
}

using Handlers = std::map<std::string, Handler>;

/// Rank 0: hands each request on before it does its own part.
Handlers leading(const Ranks& ranks, const Handlers& handlers) {
  Handlers all;
  for (const auto& [type, handler] : handlers)
    all[type] = [&ranks, handler = handler](const Json& request, Channel& channel) {
      ranks.broadcast(to_line(request));
      return together(ranks, handler, request, channel);
    };
  return all;
}

/// The others: until rank 0 says that it is over.
void follow(const Ranks& ranks, const Handlers& handlers) {
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  const Fd nobody(::open("/dev/null", O_RDWR | O_CLOEXEC));
  Channel channel(nobody.get(), nobody.get());
  for (std::string text = ranks.broadcast(""); !text.empty(); text = ranks.broadcast("")) {
    const Json request = Json::parse(text);
    try {
      together(ranks, handlers.at(request.at("type")), request, channel);
    } catch (const Error&) {  // rank 0 tells it
    }
  }
}

int lead_or_follow(const Ranks& ranks, const Build& build) {
  const Handlers handlers = worker_answers(build);
  if (ranks.rank() > 0) {
    follow(ranks, handlers);
    return 0;
  }
  Json facts = hello_facts(build);
  facts["build"]["mpi"] = mpi_library();
  const int code = serve(build.name, facts, leading(ranks, handlers),
                         "uotbench run FAMILY/VARIANT --worker " + std::string(build.name));
  ranks.broadcast("");
  return code;
}

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

int ranks_main(int argc, char** argv, const Build& build) {
  die_with_launcher();
  try {
    const Ranks ranks(&argc, &argv);
    set_platform(std::make_unique<RanksPlatform>(ranks));
    add_counter_source(message_source(ranks));
    prepare_last_words(ranks);
    take_name(ranks);
    if (argc == 1) return lead_or_follow(ranks, build);
    if (argc == 2 && std::strcmp(argv[1], "--examine") == 0) {
      if (const std::string line = examined(ranks); !line.empty()) std::puts(line.c_str());
      return 0;
    }
    if (ranks.size() == 1) return worker_main(argc, argv, build);
    throw UsageError(
        "a case by hand is of one process: start the worker without a launcher, or ask uotbench run");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "uotbench-worker-%s: %s\n", build.name, error.what());
    ::_exit(2);  // the others may be waiting for it in MPI_Finalize()
  }
}

}  // namespace uotbench
