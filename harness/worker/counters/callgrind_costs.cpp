// Valgrind's manual, "Callgrind Format Specification", section "Detailed reference": names and positions are
// shortened, and the costs of a call stand in a line of their own below it.
#include "harness/worker/counters/callgrind_costs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "results/base/error.hpp"

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

}  // namespace uotbench
