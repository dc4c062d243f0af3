// Valgrind's manual, "Callgrind Format Specification", section "Detailed reference": names and positions are
// shortened, and the costs of a call stand in a line of their own below it.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/host/process/process.hpp"
#include "harness/protocol/channel.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/worker/counters/callgrind_source.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

/// "(7) name" is name from now on; "(7)" is what it was.
class Names {
 public:
  const std::string& of(const std::string& text) {
    const auto end = text.find(')');
    if (!text.starts_with('(') || end == std::string::npos) return plain_ = text;
    std::string& name = known_[text.substr(0, end)];
    if (const auto begin = text.find_first_not_of(' ', end + 1); begin != std::string::npos)
      name = text.substr(begin);
    return name;
  }

 private:
  std::map<std::string, std::string> known_;
  std::string plain_;
};

class Reader {
 public:
  Reader(const fs::path& file, const std::vector<std::string>& events) : file_(file), missing_(events) {}

  CallgrindCosts read() {
    std::ifstream in(file_);
    if (!in) throw Error(fmt::format("{}: callgrind wrote no such file", file_.string()));
    bool whole = false;
    for (std::string line; std::getline(in, line);) {
      ++number_;
      whole = whole || line.starts_with("totals:") || line.starts_with("summary:");
      take(line);
    }
    if (!missing_.empty())
      throw Error(fmt::format("{}: callgrind's output has no event {}", file_.string(), missing_.front()));
    if (!whole) throw Error(fmt::format("{}: callgrind's output is cut short", file_.string()));
    return std::move(costs_);
  }

 private:
  void take(const std::string& line) {
    if (line.empty() || line[0] == '#') return;
    const char first = line[0];
    if ((first >= '0' && first <= '9') || first == '+' || first == '-' || first == '*')
      return take_cost(line);
    if (const auto equals = line.find('='); equals != std::string::npos && line.find(':') > equals)
      return take_name(line.substr(0, equals), line.substr(equals + 1));
    if (line.starts_with("positions:")) {
      std::istringstream words(line.substr(10));
      positions_.clear();
      for (std::string word; words >> word;) positions_.push_back(word);
    } else if (line.starts_with("events:")) {
      std::istringstream words(line.substr(7));
      std::size_t at = 0;
      for (std::string word; words >> word; ++at)
        if (std::erase(missing_, word) > 0) columns_.push_back(at);
    }
  }

  void take_name(const std::string& key, const std::string& text) {
    if (key == "fn") {
      function_ = functions_.of(text);
    } else if (key == "fl" || key == "fi" || key == "fe") {
      source_ = files_.of(text);
    } else if (key == "cfn") {
      functions_.of(text);  // it may be named here for the first time
    } else if (key == "cfi" || key == "cfl") {
      files_.of(text);
    } else if (key == "calls" || key == "jump" || key == "jcnd") {
      of_a_call_ = true;
    }
  }

  /// "+3 12 1": a position for each of `positions:`, relative to the last, then the costs.
  void take_cost(const std::string& line) {
    if (!missing_.empty()) fail(line);
    std::istringstream words(line);
    at_.resize(positions_.size(), 0);
    for (auto& at : at_) {
      std::string word;
      if (!(words >> word)) fail(line);
      if (word == "*") continue;
      const bool relative = word[0] == '+' || word[0] == '-';
      const bool hex = word.starts_with("0x");
      std::int64_t value = 0;
      const char *const begin = word.data() + (word[0] == '+' ? 1
                                               : hex          ? 2
                                                              : 0),
                        *const end = word.data() + word.size();
      if (const auto [rest, error] = std::from_chars(begin, end, value, hex ? 16 : 10);
          error != std::errc() || rest != end)
        fail(line);
      at = relative ? at + value : value;
    }
    if (std::exchange(of_a_call_, false)) return;  // what the call cost belongs to the one that was called
    double cost = 0, value = 0;
    for (std::size_t column = 0; words >> value; ++column)  // zeros at its end are left out
      if (std::ranges::find(columns_, column) != columns_.end()) cost += value;
    if (cost == 0) return;
    costs_.functions[function_] += cost;
    const auto line_at = std::ranges::find(positions_, "line");
    if (line_at == positions_.end() || source_.empty() || source_ == "???") return;
    if (const auto where = at_[static_cast<std::size_t>(line_at - positions_.begin())]; where > 0)
      costs_.lines[fmt::format("{}:{}", source_, where)] += cost;
  }

  [[noreturn]] void fail(const std::string& line) const {
    throw Error(
        fmt::format("{}:{}: \"{}\" is no line of callgrind's", file_.string(), number_, line.substr(0, 80)));
  }

  fs::path file_;
  std::vector<std::string> missing_;  ///< events whose columns are not known yet
  std::vector<std::size_t> columns_;
  std::size_t number_ = 0;
  std::vector<std::string> positions_{"line"};
  std::vector<std::int64_t> at_;
  Names functions_, files_;
  std::string function_, source_;
  bool of_a_call_ = false;
  CallgrindCosts costs_;
};

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

CallgrindCosts read_callgrind_costs(const fs::path& file, const std::vector<std::string>& events) {
  return Reader(file, events).read();
}

std::vector<CounterLine> largest(const std::map<std::string, double>& costs, std::size_t most) {
  std::vector<CounterLine> all;
  for (const auto& [at, value] : costs)
    if (value > 0) all.push_back({at, value});
  std::ranges::stable_sort(all, std::ranges::greater(), &CounterLine::value);
  if (all.size() > most) all.resize(most);
  return all;
}

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
