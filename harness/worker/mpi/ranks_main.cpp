#include "harness/worker/mpi/ranks_main.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "harness/protocol/messages.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/worker/alone/alone.hpp"
#include "harness/worker/mpi/calls.hpp"
#include "harness/worker/mpi/ranks.hpp"
#include "harness/worker/mpi/ranks_platform.hpp"
#include "harness/worker/serve/serve.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"

namespace uotbench {
namespace {

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
