#include "harness/worker/serve/serve.hpp"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <poll.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <thread>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

constexpr int most_frames = 64;
// Of the handler itself: a stack that overflowed has no room for it.
alignas(64) std::array<char, std::size_t{64} << 10> handlers_stack;
std::array<char, 128> beginning;  // of each line
std::array<char, 4096> program;

/// A line put together without the heap, which the crash may have spoiled.
class Line {
 public:
  void add(std::string_view text) {
    for (const char c : text)
      if (size_ < text_.size()) text_[size_++] = c;
  }
  void add_hexadecimal(std::uintptr_t number) {
    std::array<char, 2 * sizeof number> digits;
    std::size_t count = 0;
    do {
      digits[count++] = "0123456789abcdef"[number % 16];
      number /= 16;
    } while (number != 0);
    add("0x");
    while (count > 0) add({&digits[--count], 1});
  }
  void write() {
    add("\n");
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text_.data(), size_);
    size_ = 0;
  }

 private:
  std::array<char, 4500> text_;
  std::size_t size_ = 0;
};

/// The instruction that the signal interrupted; 0 where it is not known.
std::uintptr_t interrupted(const void* context) {
  [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return machine.pc;
#else
  return 0;
#endif
}

void print_frame(std::uintptr_t address) {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(address), &info) || !info.dli_fbase) return;
  const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  // A program that is not position-independent has its addresses in the file.
  std::uint16_t type = 0;
  std::memcpy(&type, reinterpret_cast<const char*>(base) + 16, sizeof type);  // e_type of the ELF header
  constexpr std::uint16_t executable = 2;
  // The program's own name may be one that only its folder of the start knew.
  const bool own = std::strchr(info.dli_fname, '/') == nullptr || info.dli_fname[0] == '.';
  static Line line;
  line.add(beginning.data());
  line.add(own ? program.data() : info.dli_fname);
  line.add("+");
  line.add_hexadecimal(type == executable ? address : address - base);
  line.write();
}

extern "C" void print_frames(int signal, siginfo_t*, void* context) {
  std::array<void*, most_frames> frames;
  const int count = ::backtrace(frames.data(), most_frames);
  const auto address = [&](int i) {
    return reinterpret_cast<std::uintptr_t>(frames[static_cast<std::size_t>(i)]);
  };
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, "\n", 1);  // ends what was printed before
  // What the handler and the kernel added comes first.
  int first = 0;
  while (first < count && address(first) != interrupted(context)) ++first;
  if (first == count) first = std::min(2, count);
  // All others are where calls return to: one byte before is in the call.
  for (int i = first; i < count; ++i) print_frame(address(i) - (i > first ? 1 : 0));
  if (signal == SIGQUIT) ::_exit(128 + signal);  // it was asked where it is, and is no crash: no core
  ::raise(signal);                               // delivered when this returns, to the default handler
}

Json answer(const std::map<std::string, Handler>& handlers, const Json& request, Channel& channel) {
  const std::string type = request.value("type", "");
  const auto error = [&](const std::string& text) {
    return Json{{"type", "error"}, {"request", type}, {"message", text}};
  };
  const auto handler = handlers.find(type);
  if (handler == handlers.end()) return error(fmt::format("unknown request \"{}\"", type));
  try {
    return handler->second(request, channel);
  } catch (const std::bad_alloc&) {
    return error("out of memory");
  } catch (const std::exception& thrown) {
    return error(thrown.what());
  }
}

/// A parent that was killed cannot end this process, and the kernel does that only for a parent's own
/// children: this one may stand behind a shell or another launcher. A kernel that computes does not look at
/// its input; this thread sleeps until the other end is closed, and leaves a worker that was told to quit the
/// time to do so. A simulator counts what all threads do: its manifest sets UOTBENCH_ONE_THREAD, and the
/// death of the parent ends it as it ends any child.
void leave_with_parent() {
  if (std::getenv("UOTBENCH_ONE_THREAD")) return;
  std::thread([] {
    pollfd input{STDIN_FILENO, 0, 0};  // no events: hanging up is always told
    while (::poll(&input, 1, -1) <= 0) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    ::_exit(1);
  }).detach();
}

}  // namespace

void print_frames_of_crashes(const std::string& name) {
#if !defined(__SANITIZE_ADDRESS__)  // a sanitizer prints its own
  const std::string words = "uotbench-worker-" + name + ": frame ";
  if (words.size() >= beginning.size()) return;
  std::ranges::copy(words, beginning.begin());
  if (::readlink("/proc/self/exe", program.data(), program.size() - 1) < 0) return;
  // Its first call loads a library, which a handler must not do.
  std::array<void*, 1> once;
  ::backtrace(once.data(), 1);
  const stack_t stack{.ss_sp = handlers_stack.data(), .ss_flags = 0, .ss_size = handlers_stack.size()};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_sigaction = print_frames;
  action.sa_flags = static_cast<int>(SA_SIGINFO | SA_ONSTACK | SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT})
    ::sigaction(signal, &action, nullptr);
#else
  static_cast<void>(name);
#endif
}

void converse(Channel& channel, const std::string& name, const Json& facts,
              const std::map<std::string, Handler>& handlers) {
  Json hello{{"type", "hello"}, {"protocol", protocol_version}, {"worker", name}};
  hello.update(facts);
  channel.send(hello);
  for (Json request = channel.receive(); !request.is_null(); request = channel.receive()) {
    if (request.value("type", "") == "quit") break;
    channel.send(answer(handlers, request, channel));
  }
}

int serve(const std::string& name, const Json& facts, const std::map<std::string, Handler>& handlers,
          const std::string& by_hand) {
  if (::isatty(STDIN_FILENO)) {
    std::fprintf(stderr,
                 "uotbench-worker-%s is started by uotbench and speaks its protocol on a pipe; by hand: %s\n",
                 name.c_str(), by_hand.c_str());
    return 2;
  }
  leave_with_parent();
  print_frames_of_crashes(name);
  const int out = ::dup(STDOUT_FILENO);
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  Channel channel(STDIN_FILENO, out);
  try {
    converse(channel, name, facts, handlers);
  } catch (const Error&) {
    return 1;  // the parent is gone: nobody to tell
  }
  return 0;
}

}  // namespace uotbench
