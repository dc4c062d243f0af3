#include "harness/sweep/workers/worker_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "results/base/text.hpp"
#include "results/base/units.hpp"

namespace uotbench {
namespace {
// What is quoted where the worker then dies.
constexpr std::size_t longest_last = 200;
// Of one crash, or of several processes'.
constexpr std::size_t most_frames = 1000;
// How our workers begin what they say before they end. A launcher says more after it, of itself.
constexpr std::string_view own_words = "uotbench-worker-";

std::string_view beginning(std::string_view text, std::size_t bytes) {
  return text.size() <= bytes ? text : text.substr(0, character_start(text, bytes));
}

}  // namespace

void WorkerText::feed(std::string_view bytes) {
  for (;;) {
    const auto end = bytes.find('\n');
    const auto part = bytes.substr(0, end);
    if (end != std::string_view::npos && begun_.empty()) {
      line(part);
    } else {
      // One byte more than a line may have tells that it has more.
      begun_ += part.substr(0, limits_.in_a_line + 1 - std::min(begun_.size(), limits_.in_a_line + 1));
      if (end == std::string_view::npos) return;
      end_line();
    }
    bytes.remove_prefix(end + 1);
  }
}

void WorkerText::end_line() {
  if (begun_.empty()) return;
  line(begun_);
  begun_.clear();
}

void WorkerText::line(std::string_view text) {
  if (text.empty()) return;
  if (auto frame = printed_frame(text); frame && frames_.size() < most_frames) {
    frames_.push_back(std::move(*frame));
    return;
  }
  remember(text);
  add(text);
}

void WorkerText::add(std::string_view text) {
  if (!take_ || !has_room(std::min(text.size(), limits_.in_a_line) + 1)) return;
  if (text.size() <= limits_.in_a_line)
    take_(text);
  else
    take_(std::string(beginning(text, limits_.in_a_line)) + "…");
}

bool WorkerText::said_own() const { return last_.starts_with(own_words); }

void WorkerText::remember(std::string_view text) {
  const bool worded = std::ranges::any_of(text, [](unsigned char c) { return std::isalnum(c) || c > 127; });
  const bool own = text.starts_with(own_words);
  if ((!worded && !last_.empty()) || (said_own() && !own)) return;
  last_ = beginning(text, longest_last);
  if (first_.empty() && worded) first_ = last_;
}

bool WorkerText::has_room(std::size_t bytes) {
  if (told_all_) return false;
  const auto now = std::chrono::steady_clock::now();
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    this_second_ = 0;
  }
  if (all_ + bytes > limits_.in_all) {
    told_all_ = true;
    take_(fmt::format("(this process printed more than {}: the rest is not shown)",
                      format_bytes(static_cast<double>(limits_.in_all))));
    return false;
  }
  if (this_second_ + bytes > limits_.in_a_second) {
    this_second_ = limits_.in_a_second;  // nor what is shorter, later in this second
    if (!told_second_)
      take_(fmt::format("(this process prints more than {} a second: what is above that is not shown)",
                        format_bytes(static_cast<double>(limits_.in_a_second))));
    told_second_ = true;
    return false;
  }
  all_ += bytes;
  this_second_ += bytes;
  return true;
}

}  // namespace uotbench
