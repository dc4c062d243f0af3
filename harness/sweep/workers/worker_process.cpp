#include "harness/sweep/workers/worker_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#include "harness/host/process/process.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "harness/sweep/workers/worker_text.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {

using Clock = std::chrono::steady_clock;

// How long a worker that is told to end may take before it is killed.
constexpr std::chrono::milliseconds last_patience{200};
// How often a waiting parent looks at memory, deadlines and signals. A kernel that allocates 10 GB/s gets
// past its limit by half a GiB in this time.
constexpr int look_milliseconds = 50;
// For one that is asked where it is: it prints some lines.
constexpr double patience_for_frames = 2;
// Reads of 64 KiB between two looks: a worker that prints faster than a terminal can show is looked at, too.
constexpr int reads_at_once = 16;
// What a pipe may hold when its writer ended, in such reads.
constexpr int most_drains = 64;
// Of one answer. Workers of this house send five a second.
constexpr std::size_t most_progress = 100'000;
// A worker's reason becomes a line in a table.
constexpr std::size_t longest_reason = 2000;
// A signal to all processes of a job reaches one after the other.
constexpr double same_signal_seconds = 0.5;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string shortened_line(const Json& value) { return cut(to_line(value), 60); }

/// What `decode` makes of an answer that the protocol's schema accepts. Throws WorkerFailure.
template <class Decode>
auto decoded(const Json& answer, const Decode& decode) {
  try {
    return decode(answer);
  } catch (const Violated& wrong) {
    throw WorkerFailure{Status::failed, wrong.violation};
  } catch (const Error& error) {
    throw WorkerFailure{Status::failed, error.what()};
  }
}

/// While there is one, the worker runs.
class Awake {
 public:
  explicit Awake(ChildProcess& child) : child_(child) { child_.resume(); }
  ~Awake() {
    if (child_.alive()) child_.pause();
  }
  Awake(const Awake&) = delete;
  Awake& operator=(const Awake&) = delete;

 private:
  ChildProcess& child_;
};

}  // namespace

WorkerProcess::WorkerProcess(const Manifest& manifest, const RunContext& context,
                             const std::vector<int>& cpus, OnText on_text) try
    : name_(manifest.name),
      launches_(manifest.launches()),
      judges_(manifest.judge),
      context_(context),
      cpus_(cpus),
      text_(std::move(on_text)),
      temp_dir_(temporary_root(), "uotbench-worker"),
      child_(start_of(manifest.launched({}), cpus)),
      awaited_("hello"),
      reply_("hello") {
  for (const Fd* end : {&child_.in, &child_.out, &child_.errors}) ::fcntl(end->get(), F_SETFL, O_NONBLOCK);
  try {
    const Awake awake(child_);
    const Json hello = await(context.timeout, {});
    reply_.clear();
    const Json spoken = hello.value("protocol", Json());
    // Of another protocol nothing else is known.
    if (text_in(hello, "type") == "hello" && spoken != protocol_version)
      throw WorkerFailure{Status::failed,
                          fmt::format("worker {} speaks protocol {}, this uotbench speaks {}: rebuild it",
                                      name_, shortened_line(spoken), protocol_version)};
    if (const auto wrong = validate_hello(hello)) refuse(*wrong);
    hello_ = hello_from(hello);
  } catch (...) {
    put_an_end();
    throw;
  }
} catch (const StartFailure& failure) {
  throw WorkerFailure{Status::crashed, fmt::format("worker {} cannot be started: {}: {}", manifest.name,
                                                   manifest.command.front(), failure.reason())};
} catch (const NoProcess& lack) {  // the parent's own lack: no outcome of the case
  throw WorkerFailure{Status::interrupted,
                      fmt::format("worker {} cannot be started now: {}", manifest.name, lack.what())};
}

WorkerProcess::~WorkerProcess() {
  if (alive()) send_quit();
  child_.in.close();
  child_.resume();
  gone_within(1);
  put_an_end();
}

bool WorkerProcess::tells_step(const char* step) const {
  const auto& steps = hello_.steps;
  return steps && std::ranges::find(*steps, step) != steps->end();
}

RunReply WorkerProcess::ask(const RunRequest& request, double timeout) {
  return decoded(exchange(to_json(request), "record", timeout), run_reply_from);
}

SourcesReply WorkerProcess::ask(const SourcesRequest& request, double timeout) {
  return decoded(exchange(to_json(request), "sources", timeout), sources_reply_from);
}

std::vector<PlannedPoint> WorkerProcess::ask_to_plan(const Json& request, double timeout) {
  return decoded(exchange(request, "planned", timeout), planned_from);
}

DescribedReply WorkerProcess::ask_to_describe(double timeout) {
  return decoded(exchange({{"type", "describe"}}, "described", timeout), described_reply_from);
}

std::vector<FamilyInfo> WorkerProcess::ask_for_families(double timeout) {
  return families_from(exchange({{"type", "describe"}}, "described", timeout));
}

ProcessEnd WorkerProcess::end(bool by_quit, double seconds) {
  if (by_quit)
    send_quit();
  else
    child_.in.close();
  child_.resume();
  if (gone_within(seconds)) return end_of(child_.status());
  put_an_end();
  return {.text = fmt::format("still ran after {}: killed", format_wait(seconds))};
}

void WorkerProcess::send_quit() {
  const std::string quit = framed({{"type", "quit"}});
  [[maybe_unused]] const auto written = ::write(child_.in.get(), quit.data(), quit.size());
}

/// An idle worker leaves within a millisecond or two; one that unmaps gigabytes needs longer.
bool WorkerProcess::gone_within(double seconds) {
  const auto start = Clock::now();
  while (!child_.has_ended() && seconds_since(start) < seconds)
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  return !alive();
}

ChildStart WorkerProcess::start_of(const Manifest& manifest, const std::vector<int>& cpus) {
  std::vector<std::string> environment = manifest.environment;
  for (char** variable = environ; *variable; ++variable)
    if (!is_kept_from_workers(*variable)) environment.emplace_back(*variable);
  // A thread that waits in a loop takes a core from what there is to judge. Where cases are timed, it wakes
  // sooner. (OpenBLAS' threads wait 2^26 cycles in a loop, and with 4 only 2^4.)
  if (!context_.times)
    for (const char* patience : {"OMP_WAIT_POLICY=passive", "OPENBLAS_THREAD_TIMEOUT=4"})
      environment.emplace_back(patience);
  if (temp_dir_) environment.push_back("UOTBENCH_TMPDIR=" + temp_dir_.path().string());
  started_ = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  monotonic_ = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  return {.command = manifest.command,
          .environment = std::move(environment),
          .cpus = cpus,
          .group = ChildStart::Group::own,
          .owns_process_tree = true,
          .first_without_memory = true,
          .in = {ChildStream::Kind::pipe},
          .out = {ChildStream::Kind::pipe},
          .errors = {ChildStream::Kind::pipe}};
}

Json WorkerProcess::exchange(const Json& request, const std::string& reply, double timeout,
                             const std::function<void(const Json&)>& on_progress) {
  awaited_ = answer_to(request);
  forget_unread();
  const Awake awake(child_);
  const auto start = Clock::now();
  reply_ = reply;
  const std::string text = framed(request);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(child_.in.get(), text.data() + sent, text.size() - sent);
    if (count > 0) {
      sent += static_cast<std::size_t>(count);
    } else if (errno == EAGAIN) {  // it is not reading: hanging, or stuck in a message of its own
      if (child_.has_ended()) fail_dead();
      look(start, timeout);
      pump(1);
    } else if (errno != EINTR) {
      fail_dead();
    }
  }
  Json answer = await(timeout, on_progress);
  answered_after_ = seconds_since(start);
  reply_.clear();
  if (const auto wrong = validate_answer(answer, request, reply, judges_)) refuse(*wrong);
  if (answer["type"] == "error" && reply != "error")
    throw WorkerFailure{Status::failed, cut(answer["message"], longest_reason)};
  return answer;
}

/// What came since the last answer: nobody asked for it, and taken for the next answer it would be a lie.
void WorkerProcess::forget_unread() {
  pump(0);
  for (const auto& message : inbox_)
    if (text_in(message, "type") != "progress")
      refuse(
          found_instead(fmt::format("it had sent a message before it was asked: {}", shortened_line(message)),
                        "one answer to a request"));
  inbox_.clear();
}

Json WorkerProcess::await(double timeout, const std::function<void(const Json&)>& on_progress) {
  const auto start = Clock::now();
  std::size_t progress = 0;
  for (;;) {
    while (!inbox_.empty()) {
      Json message = std::move(inbox_.front());
      inbox_.pop_front();
      if (text_in(message, "type") != "progress") return message;
      if (++progress > most_progress)
        refuse(found_instead(fmt::format("more than {} progress messages", most_progress), "a few a second"));
      if (on_progress) on_progress(message);
    }
    look(start, timeout);
    if (!pump(look_milliseconds)) {
      if (inbox_.empty()) fail_dead();
    } else if (inbox_.empty() && child_.has_ended()) {
      // Something that it started may hold the pipe's other end: the pipe alone does not tell.
      drain();
      if (inbox_.empty()) fail_dead();
    }
  }
}

/// Throws when it is time to stop waiting.
void WorkerProcess::look(Clock::time_point start, double timeout) {
  if (context_.stop && *context_.stop) {
    put_an_end();
    throw Interrupted{};
  }
  if (seconds_since(start) > timeout) {
    ask_where_it_is();
    put_an_end();
    drain();
    text_.end_line();
    std::string reason =
        fmt::format("no answer within {}: killed{}", format_wait(timeout), place_it_printed());
    if (text_.said_own()) reason += fmt::format("; it last said: {}", text_.last());
    throw WorkerFailure{Status::timeout, reason};
  }
  watch_memory();
}

/// A process that catches SIGQUIT says where it is, as ours do, before it ends.
void WorkerProcess::ask_where_it_is() {
  if (launches_ || !catches(pid(), SIGQUIT)) return;
  ::tgkill(pid(), pid(), SIGQUIT);  // its first thread, as any of them may take a signal to the process
  const auto start = Clock::now();
  while (!child_.has_ended() && seconds_since(start) < patience_for_frames) pump(look_milliseconds);
}

/// " in FUNCTION (FILE:LINE)" of the frames that it printed, whose chain is passed on; empty where it printed
/// none.
std::string WorkerProcess::place_it_printed() {
  const auto frames = frames_from(text_.frames());
  for (const CallFrame& frame : frames) text_.add("  in " + text_of(frame));
  const auto place = place_of_crash(frames);
  return place ? " in " + text_of(*place) : "";
}

/// Reads what is there, waiting at most so long; false when the worker closed its end.
bool WorkerProcess::pump(int milliseconds) try {
  std::array<pollfd, 2> ends{{{child_.out.get(), POLLIN, 0}, {child_.errors.get(), POLLIN, 0}}};
  ::poll(ends.data(), ends.size(), milliseconds);
  std::array<char, 1 << 16> buffer;
  more_to_read_ = false;
  // What it printed first: its last words matter if the other end is closed.
  for (int i = 0; i < reads_at_once && child_.errors.is_open(); ++i) {
    const ssize_t count = ::read(child_.errors.get(), buffer.data(), buffer.size());
    if (count < 0) break;
    more_to_read_ = true;
    if (count == 0)  // closed: polled on, it would be ready for ever
      child_.errors.close();
    else
      text_.feed({buffer.data(), static_cast<std::size_t>(count)});
  }
  for (int i = 0; i < reads_at_once; ++i) {
    const ssize_t count = ::read(child_.out.get(), buffer.data(), buffer.size());
    if (count == 0) return false;
    if (count < 0) return true;
    more_to_read_ = true;
    frames_.feed(
        {buffer.data(), static_cast<std::size_t>(count)},
        [this](Json message) { inbox_.push_back(std::move(message)); },
        [this](std::string_view line) {
          require_no_answer(line);
          text_.line(line);
        });
  }
  return true;
} catch (const Violated& wrong) {
  refuse(at_place("it sent ", wrong.violation));
} catch (const Error& error) {
  refuse(fmt::format("it sent {}", error.what()));
}

/// The answer that is awaited, without what makes it a message: whoever writes a worker forgets that byte,
/// and would learn nothing from the end of its time. Throws Violated.
void WorkerProcess::require_no_answer(std::string_view line) const {
  if (reply_.empty() || !line.starts_with('{')) return;
  const Json message = parse_shallow(line).value_or(nullptr);
  const std::string type = message.is_object() ? text_in(message, "type") : "";
  if (type == reply_ || type == "error")
    throw Violated(
        found_instead(fmt::format("a message without the byte 0x1E before it: {}", shortened_line(message)),
                      "the byte 0x1E, JSON on one line, newline"));
}

/// Reads what one that ended left in its pipes.
void WorkerProcess::drain() {
  for (int i = 0; i < most_drains && pump(0) && more_to_read_; ++i) continue;
}

/// What it sent is wrong, so that nobody knows what else it will send, and to what that would be the answer.
void WorkerProcess::refuse(const std::string& what) {
  put_an_end();
  throw WorkerFailure{Status::failed, fmt::format("worker {}: {}: {}", name_, awaited_, what)};
}

void WorkerProcess::refuse(const Violation& what) {
  put_an_end();
  throw WorkerFailure{Status::failed, at_place(fmt::format("worker {}: {}: ", name_, awaited_), what)};
}

void WorkerProcess::fail_dead() {
  // It closed its pipe: it is ending, or it is broken and has to be ended.
  for (int i = 0; i < 200 && !child_.has_ended(); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  drain();
  text_.end_line();
  if (alive()) {
    put_an_end();
    throw WorkerFailure{Status::crashed, "closed its pipe without answering: killed"};
  }
  if (was_asked_to_end()) throw Interrupted{};
  const ProcessEnd ended = end_of(child_.status());
  std::string reason = ended.text + place_it_printed();
  reason += ended.code ? " without answering" : cause_of(ended.signal);
  if (!text_.last().empty()) reason += fmt::format("; it last said: {}", text_.last());
  // What a launcher that starts nothing says first tells why.
  if (launches_ && awaited_ == "hello" && !text_.said_own() && text_.first() != text_.last())
    reason += fmt::format("; and first: {}", text_.first());
  WorkerFailure dead{Status::crashed, reason};
  dead.signal = ended.signal;
  throw dead;
}

/// Whether it ended because the whole job was asked to: by the signal that reached this program as well,
/// perhaps a moment later.
bool WorkerProcess::was_asked_to_end() const {
  if (!context_.stop_soon) return false;
  const ProcessEnd ended = end_of(child_.status());
  const int signal = ended.code ? *ended.code - 128 : ended.signal;  // the code is a launcher's
  const auto start = Clock::now();
  while (signal == SIGTERM && !*context_.stop_soon && seconds_since(start) < same_signal_seconds)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return *context_.stop_soon != 0;
}

void WorkerProcess::put_an_end() {
  if (alive()) child_.end(last_patience);
}

}  // namespace uotbench
