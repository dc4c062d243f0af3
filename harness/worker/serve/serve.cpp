#include "harness/worker/serve/serve.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <thread>

#include "harness/worker/serve/crash_frames.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace {

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
