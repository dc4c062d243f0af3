// Right, and leaves a process behind that has dropped its environment, its group and its session. The name
// of the process is "stray of" and the folder for notes.
#include <spawn.h>

#include <stdexcept>
#include <string>

#include "kernels/uot/tests/fault/fine.hpp"
#include "kernels/uot/tests/fault/state.hpp"

namespace uotbench::uot {
namespace {

void leave_stray() {
  std::string name = std::string("stray of ") + (state_folder() ? state_folder() : "nobody");
  std::string seconds = "1000";
  char* const arguments[] = {name.data(), seconds.data(), nullptr};
  char* const environment[] = {nullptr};
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  pid_t stray = 0;
  const int failed = ::posix_spawn(&stray, "/bin/sleep", nullptr, &attributes, arguments, environment);
  ::posix_spawnattr_destroy(&attributes);
  if (failed != 0) throw std::runtime_error("cannot start /bin/sleep");
  leave_note("left");
}

template <class Real>
class Stray : public Fine<Real> {
 public:
  using Fine<Real>::Fine;

  void finish(Result<Real>& out) {
    Fine<Real>::finish(out);
    static bool left = false;  // in this process
    if (!left) leave_stray();
    left = true;
  }
};

const Variant<Stray<float>, Stray<double>> variant{{
    .name = "uot/fault_stray",
    .summary = "right; leaves a process behind",
    .work =
        [](const Point& at) { return Work{.flops = 4 * cells(at), .bytes_read = 2 * width(at) * cells(at)}; },
    .serial = true,
}};

}  // namespace
}  // namespace uotbench::uot
