#include "harness/worker/counters/callgrind_outside.hpp"

#include <fmt/format.h>

#include "harness/host/process/process.hpp"
#include "harness/protocol/channel.hpp"
#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> dumps_of(const CallgrindOutside& how) {
  std::vector<fs::path> files;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(how.out.parent_path(), none))
    if (entry.path().filename().string().starts_with(how.out.filename().string() + "."))
      files.push_back(entry.path());
  return files;
}

/// Of all processes that the worker was, and their files away.
CallgrindDump dump_of(const CallgrindOutside& how) {
  CallgrindDump all;
  for (const auto& file : dumps_of(how)) {
    const CallgrindDump one = read_callgrind_dump(file);
    for (const auto& [event, count] : one.totals) all.totals[event] += count;
    all.caches = one.caches;
    fs::remove(file);
  }
  if (all.totals.empty()) throw Error(fmt::format("{}.*: callgrind wrote no such file", how.out.string()));
  return all;
}

/// The next message that is not about progress.
Json received(Channel& channel, const char* awaited) {
  for (;;) {
    Json message = channel.receive();
    if (message.is_null())
      throw Error(fmt::format("under callgrind the worker ended before its {}", awaited));
    if (text_in(message, "type") == "error") throw Error("under callgrind: " + text_in(message, "message"));
    if (text_in(message, "type") != "progress") return message;
  }
}

CallgrindDump run_of(const CallgrindOutside& how, const RunRequest& request, std::int64_t iterations) {
  for (const auto& file : dumps_of(how)) fs::remove(file);
  ChildProcess worker({.command = how.command,
                       .in = {ChildStream::Kind::pipe},
                       .out = {ChildStream::Kind::pipe},
                       .errors = {ChildStream::Kind::shared}});
  Channel channel(worker.out.get(), worker.in.get());
  received(channel, "hello");
  RunRequest solve = request;
  solve.step = run_step::Verify{};
  solve.iterations = iterations;
  channel.send(to_json(solve));
  received(channel, "answer to run (verify)");
  channel.send({{"type", "quit"}});
  worker.in.close();
  while (!channel.receive().is_null()) continue;  // until it has ended: then its dump is there
  worker.wait();
  return dump_of(how);
}

void require_countable(const Point& point) {
  if (settings_of(point).threads > 1) throw Error("callgrind simulates one core: threads must be 1");
  if (point.value("stop") == Value("change"))
    throw Error("callgrind counts by asking for more iterations, and these solves choose theirs themselves");
}

}  // namespace

EventCounts counts_of_difference(const CallgrindDump& once, const CallgrindDump& twice,
                                 const std::vector<std::string>& events, double iterations) {
  EventCounts counts;
  for (const auto& event : events) {
    const auto few = once.totals.find(event), many = twice.totals.find(event);
    EventCount& count = counts[event] = {.simulated = true};
    if (event == "LLleft") {
      count.value = 0;  // as much is left after some iterations as after more
    } else if (few == once.totals.end() || many == twice.totals.end()) {
      count.reason = fmt::format("callgrind counts no \"{}\"", event);
    } else if (many->second < few->second) {
      count.reason = fmt::format(
          "lost in what differs from process to process: {:.0f} in {:.0f} iterations, "
          "{:.0f} in {:.0f}",
          few->second, iterations, many->second, 2 * iterations);
    } else {
      count.value = (many->second - few->second) / iterations;
    }
    if (count.value)
      count.note = fmt::format(
          "of all that the process runs, an interpreter included: {:.0f} iterations less {:.0f}, over {:.0f}",
          2 * iterations, iterations, iterations);
  }
  return counts;
}

RunReply reply_from_outside(const CallgrindOutside& how, const RunRequest& request) {
  const auto* const count = std::get_if<run_step::Count>(&request.step);
  if (!count) throw Error(fmt::format("steps [\"{}\"]: this worker only counts", name_of(request.step)));
  require_countable(request.point);
  const std::int64_t iterations = request.iterations;
  const CallgrindDump once = run_of(how, request, iterations), twice = run_of(how, request, 2 * iterations);
  return {.id = request.id,
          .counts = counts_of_difference(once, twice, count->events, static_cast<double>(iterations))};
}

}  // namespace uotbench
