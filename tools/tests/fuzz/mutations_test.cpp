// Every fuzz target holds its promises for thousands of right inputs with a few changes, the same ones on
// every machine. What is found is kept as a file, and its seed shows it again.
//
//   UOTBENCH_FUZZ_CASES=1000000 UOTBENCH_FUZZ_SEED=7 fuzz_tests --gtest_filter='*/run_file'
//   UOTBENCH_FUZZ_INPUT=FILE fuzz_tests --gtest_filter='*/run_file'
#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "results/base/text.hpp"
#include "results/tests/fuzz/mutation.hpp"
#include "results/tests/fuzz/target.hpp"

extern "C" void __sanitizer_set_death_callback(void (*)()) __attribute__((weak));

namespace uotbench::fuzz {

/// For GoogleTest's messages.
static void PrintTo(const Target& target, std::ostream* out) { *out << target.name; }

namespace {

namespace fs = std::filesystem;

// Of all targets together: half a minute on one core.
constexpr double standard_cases = 20000;
// Of CPU time. None of these inputs is large: what takes longer has been led astray. Sanitizers make all of
// it slower.
constexpr double slow = 2;
constexpr int stuck = 30;
// Of different complaints: the next one is mostly the first in other words.
constexpr std::size_t most_complaints = 5;

double cpu_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

std::uint64_t number_in(const char* variable, std::uint64_t standard) {
  const char* text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : standard;
}

/// What tells one complaint from another: its words before what it quotes; of somebody else's error its own
/// first words.
std::string kind_of(const std::string& complaint) {
  std::string words;
  for (const char c : complaint.substr(0, complaint.starts_with("no Error") ? 60 : complaint.find(':')))
    if (!std::isdigit(static_cast<unsigned char>(c))) words += c;
  return words;
}

// What is left of a case that ends the program: the input as a file, and a line that names it.

constexpr std::array caught{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPROF};

// What a signal's handler may touch.
struct Watched {
  const char* input = nullptr;
  std::size_t size = 0;
  const char *file = nullptr, *told = nullptr;
};
Watched watched;
std::array<struct sigaction, caught.size()> before;
std::array<char, 1 << 16> stack;  // the program's own may be what ran out

void say(const char* text) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
}

void keep() {
  if (!watched.input) return;
  const int file = ::open(watched.file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0) {
    [[maybe_unused]] const auto written = ::write(file, watched.input, watched.size);
    ::close(file);
  }
  say("\n"), say(watched.told), say(": it ends the program, or takes too long; the input: "),
      say(watched.file), say("\n");
  watched.input = nullptr;
}

void on_signal(int number) {
  keep();
  for (std::size_t i = 0; i < caught.size(); ++i)
    if (caught[i] == number) ::sigaction(number, &before[i], nullptr);
  ::raise(number);
}

void limit_cpu(int seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

/// Catches the signals that end a program, and the reports of sanitizers, while it lives. One at a time.
class BlackBox {
 public:
  BlackBox();
  ~BlackBox();
  BlackBox(const BlackBox&) = delete;
  BlackBox& operator=(const BlackBox&) = delete;

  /// From now on `input` is what is being read, for at most `seconds` of CPU time; `file` is where it would
  /// be kept and `told` what would be said. All three have to stay where they are.
  void watch(std::string_view input, const std::string& file, const std::string& told, int seconds);
  void rest();
};

BlackBox::BlackBox() {
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&other, nullptr);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (std::size_t i = 0; i < caught.size(); ++i) ::sigaction(caught[i], &action, &before[i]);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(keep);
}

BlackBox::~BlackBox() {
  rest();
  for (std::size_t i = 0; i < caught.size(); ++i) ::sigaction(caught[i], &before[i], nullptr);
}

void BlackBox::watch(std::string_view input, const std::string& file, const std::string& told, int seconds) {
  watched = {input.data(), input.size(), file.c_str(), told.c_str()};
  limit_cpu(seconds);
}

void BlackBox::rest() {
  limit_cpu(0);
  watched.input = nullptr;
}

class FuzzTargets : public testing::TestWithParam<Target> {
 protected:
  /// What is wrong after this input; absent: nothing.
  std::optional<std::string> try_input(const std::string& input) {
    told_ = GetParam().name + ", " + named_;
    box_.watch(input, kept_, told_, stuck);
    const double start = cpu_seconds();
    auto wrong = complaint_of(GetParam(), input);
    const double took = cpu_seconds() - start;
    box_.rest();
    if (!wrong && took > slow) wrong = fmt::format("an input of {} bytes takes {:.1f} s", input.size(), took);
    return wrong;
  }

  /// Names the input, and where it would be kept.
  void name(const std::string& text, const std::string& file) {
    named_ = text;
    kept_ = (fs::current_path() / fmt::format("fuzz_{}_{}", GetParam().name, file)).string();
  }

  void report(const std::string& input, const std::string& wrong) {
    if (!complaints_.insert({kind_of(wrong), 0}).second) return;
    std::ofstream(kept_, std::ios::binary) << input;
    ADD_FAILURE() << GetParam().name << ", " << named_ << ": " << wrong << "\nthe input: " << kept_;
  }

  std::map<std::string, int> complaints_;

 private:
  BlackBox box_;
  std::string named_, kept_, told_;
};

TEST_P(FuzzTargets, RefuseWithAWordOrReadRightly) {
  const Target& target = GetParam();
  if (const char* file = std::getenv("UOTBENCH_FUZZ_INPUT")) {
    std::ifstream in(file, std::ios::binary);
    ASSERT_TRUE(in) << file;
    const std::string input{std::istreambuf_iterator<char>(in), {}};
    name(file, "again");
    if (const auto wrong = try_input(input)) report(input, *wrong);
    return;
  }
  const auto corpus = target.corpus();
  ASSERT_FALSE(corpus.empty());
  for (std::size_t i = 0; i < corpus.size(); ++i) {
    name(fmt::format("unchanged input {}", i), fmt::format("corpus{}", i));
    if (const auto wrong = try_input(corpus[i])) report(corpus[i], *wrong);
  }
  double shares = 0;
  for (const auto& one : targets()) shares += one.share;
  const std::uint64_t first = number_in("UOTBENCH_FUZZ_SEED", 1);
  // A seed alone is one case.
  const double cases = static_cast<double>(number_in("UOTBENCH_FUZZ_CASES", 0));
  const std::uint64_t count =
      cases == 1
          ? 1
          : static_cast<std::uint64_t>((cases > 0 ? cases : standard_cases) * target.share / shares) + 1;
  for (std::uint64_t seed = first; seed < first + count && complaints_.size() < most_complaints; ++seed) {
    std::string input = Mutation(fnv1a(target.name) + seed).mutated(corpus);
    if (target.mend && seed % 4) target.mend(input);
    name(fmt::format("seed {} (UOTBENCH_FUZZ_SEED={} UOTBENCH_FUZZ_CASES=1)", seed, seed),
         std::to_string(seed));
    if (const auto wrong = try_input(input)) report(input, *wrong);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, FuzzTargets, testing::ValuesIn(targets()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace uotbench::fuzz
