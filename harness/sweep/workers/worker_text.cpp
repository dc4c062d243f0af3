#include "harness/sweep/workers/worker_text.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

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

constexpr std::string_view printing_program = "uotbench-worker-", frame_word = ": frame ";

/// "uotbench::uot::(anonymous namespace)::Mine<float>::iterate() [clone …]" -> "uot::Mine<float>::iterate"
std::string short_name(std::string name) {
  for (const std::string_view noise : {"(anonymous namespace)::", "uotbench::"})
    for (auto at = name.find(noise); at != name.npos; at = name.find(noise)) name.erase(at, noise.size());
  if (const auto arguments = name.find('('); arguments != name.npos && arguments > 0) name.erase(arguments);
  return name == "??" ? "" : name;
}

std::string known_line(std::string line) {
  if (const auto note = line.find(" (discriminator"); note != line.npos) line.erase(note);
  if (line.starts_with("??") || line.ends_with(":?") || line.ends_with(":0")) return "";
  line = std::filesystem::path(line).lexically_normal().string();
  // With ccache, addr2line puts the folder of the build before names that are relative to the project.
  for (const std::string_view folder : {"/kernels/", "/harness/"})
    if (const auto at = line.find(folder); at != line.npos && !line.starts_with("/")) line.erase(0, at + 1);
  return line;
}

/// What addr2line prints of instructions in one file: after each address a function and a line by turns.
void add_frames(std::vector<CallFrame>& frames, const std::string& file, const std::string& offsets) {
  const bool system = file.starts_with("/usr/") || file.starts_with("/lib");
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) return;
  const std::string command =
      fmt::format("timeout 20 addr2line -a -f -C -i -e {} {} 2>/dev/null", shell_quoted(file), offsets);
  struct Close {
    void operator()(std::FILE* pipe) const { ::pclose(pipe); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(::popen(command.c_str(), "r"));
  if (!pipe) return;
  std::string line;
  std::optional<std::string> function;
  for (int c; (c = std::fgetc(pipe.get())) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    if (!function && line.starts_with("0x")) {
    } else if (!function) {
      function = line;
    } else {
      const CallFrame frame{short_name(*function), known_line(line), system};
      if (!frame.function.empty() || !frame.line.empty()) frames.push_back(frame);
      function.reset();
    }
    line.clear();
  }
}

bool is_foreign(const CallFrame& frame) {
  const auto within = [&](std::string_view folder) {
    return frame.line.starts_with(folder) || frame.line.find("/" + std::string(folder)) != std::string::npos;
  };
  return frame.system || frame.line.starts_with("/usr/") || within("harness/") || within("results/");
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

ProcessEnd end_of(int status) {
  if (!WIFSIGNALED(status)) {
    const int code = WEXITSTATUS(status);
    return {.code = code, .signal = 0, .text = fmt::format("exited with code {}", code)};
  }
  const int signal = WTERMSIG(status);
  const char* abbreviation = ::sigabbrev_np(signal);
  return {
      .code = {},
      .signal = signal,
      .text = fmt::format("killed by SIG{} ({})", abbreviation ? abbreviation : "?", ::strsignal(signal))};
}

std::string cause_of(int signal) {
  if (signal == SIGILL) return ": built for an instruction set that this CPU lacks?";
  constexpr rlim_t small_stack = 1 << 20;
  rlimit stack{};
  if (signal == SIGSEGV && ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < small_stack)
    return fmt::format(": stack limit {} (ulimit -s) too small?",
                       format_bytes(static_cast<double>(stack.rlim_cur)));
  return "";
}

WorkerFailure at_place(const std::string& place, const WorkerFailure& failure) {
  WorkerFailure placed = failure.violation
                             ? WorkerFailure{failure.status, at_place(place, *failure.violation)}
                             : WorkerFailure{failure.status, place + failure.reason};
  placed.signal = failure.signal;
  return placed;
}

std::optional<PrintedFrame> printed_frame(std::string_view line) {
  const auto word = line.find(frame_word);
  const auto plus = line.rfind("+0x");
  if (!line.starts_with(printing_program) || word == line.npos || plus == line.npos || plus < word)
    return std::nullopt;
  const auto from = word + frame_word.size();
  const std::string_view offset = line.substr(plus + 1);
  if (plus <= from || offset.size() < 3 || offset.size() > 18 ||
      offset.find_first_not_of("0123456789abcdef", 2) != offset.npos)
    return std::nullopt;
  return PrintedFrame{std::string(line.substr(from, plus - from)), std::string(offset)};
}

std::string text_of(const CallFrame& frame) {
  if (frame.line.empty()) return frame.function;
  return frame.function.empty() ? frame.line : fmt::format("{} ({})", frame.function, frame.line);
}

std::vector<CallFrame> frames_from(const std::vector<PrintedFrame>& printed) {
  std::vector<CallFrame> frames;
  for (std::size_t i = 0; i < printed.size();) {
    std::string offsets;
    const std::string& file = printed[i].file;
    for (; i < printed.size() && printed[i].file == file; ++i) offsets += " " + printed[i].offset;
    add_frames(frames, file, offsets);
  }
  return frames;
}

std::optional<CallFrame> place_of_crash(const std::vector<CallFrame>& frames) {
  const auto lined = std::ranges::find_if(
      frames, [](const CallFrame& frame) { return !frame.line.empty() && !is_foreign(frame); });
  if (lined != frames.end()) return *lined;
  // Without debug information: a kernel's functions have names of a family's namespace or none at all.
  const auto named = std::ranges::find_if(frames, [](const CallFrame& frame) {
    return frame.line.empty() && !frame.system && frame.function.find("::") != std::string::npos;
  });
  if (named != frames.end()) return *named;
  return std::nullopt;
}

}  // namespace uotbench
