// For LD_PRELOAD: in the second process of an MPI launch, clocks run a hundredth fast, as none of a sound
// machine does.
#include <dlfcn.h>
#include <time.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

extern "C" int clock_gettime(clockid_t clock, timespec* time) {
  static const auto real =
      reinterpret_cast<int (*)(clockid_t, timespec*)>(::dlsym(RTLD_NEXT, "clock_gettime"));
  static const char* const rank = std::getenv("OMPI_COMM_WORLD_RANK");
  const int failed = real(clock, time);
  if (failed != 0 || !rank || std::strcmp(rank, "1") != 0) return failed;
  constexpr std::int64_t second = 1'000'000'000;
  std::int64_t nanoseconds = time->tv_sec * second + time->tv_nsec;
  nanoseconds += nanoseconds / 100;
  time->tv_sec = nanoseconds / second, time->tv_nsec = nanoseconds % second;
  return 0;
}
