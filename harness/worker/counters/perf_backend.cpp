#include "harness/worker/counters/perf_backend.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <utility>

#include "harness/host/process/perf_obstacle.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

int kernel_open(perf_event_attr& attributes, pid_t thread, int cpu, int leader) {
  const long fd = ::syscall(SYS_perf_event_open, &attributes, thread, cpu, leader, PERF_FLAG_FD_CLOEXEC);
  return fd < 0 ? -errno : static_cast<int>(fd);
}

/// A descriptor for each event of each thread: with many threads more than the 1024 that are usual.
void allow_more_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
};

/// Where an event is counted. Either a thread, or a CPU.
struct Place {
  pid_t thread = -1;
  int cpu = -1;
  auto operator<=>(const Place&) const = default;
};

/// Whether the kernel's part is counted, too.
enum class Mode { whole, user_only };

perf_event_attr attributes_of(const PerfEvent& event, const PerfEvent::Code& code, Mode mode, bool leads) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = code.type;
  attributes.config = code.config.config;
  attributes.config1 = code.config.config1;
  attributes.config2 = code.config.config2;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  attributes.disabled = leads;  // the others count when their leader does
  attributes.inherit = !event.socket_wide;
  attributes.exclude_kernel = mode == Mode::user_only;
  attributes.exclude_hv = mode == Mode::user_only;
  return attributes;
}

class PerfPass : public CountingPass {
 public:
  PerfPass(fs::path root, const PerfOpen& open, std::vector<int> threads)
      : root_(std::move(root)), open_(open), threads_(std::move(threads)) {
    // The calling thread is started last and stopped first: it sees least of this file's own work.
    std::ranges::stable_partition(threads_, [](int thread) { return thread != ::gettid(); });
  }

  bool add(const std::string& name) override {
    Counted counted{.event = parse_perf_event(name, root_)};
    int error = open(counted, first_mode(counted.event));
    if (error == EINVAL && joined_) return false;
    if (error == EACCES && may_do_without_kernel(counted.event)) {
      error = open(counted, Mode::user_only);
      counted.note = "in user mode only";
    } else if (error == EINVAL && counted.event.hardware && !counted.event.socket_wide) {
      // A PMU such as msr can leave nothing out, and says so by EINVAL.
      if (open(counted, Mode::whole) == 0) error = 0;
    }
    if (error != 0) throw Error(refusal(name, counted.event, error));
    events_.insert_or_assign(name, std::move(counted));
    return true;
  }

  void start() override {
    for (const Leader& leader : leaders_) ::ioctl(leader.fd, PERF_EVENT_IOC_ENABLE, 0);
  }
  void stop() override {
    for (auto leader = leaders_.rbegin(); leader != leaders_.rend(); ++leader)
      ::ioctl(leader->fd, PERF_EVENT_IOC_DISABLE, 0);
  }

  CountedEvent read(const std::string& name) override {
    const Counted& counted = events_.at(name);
    CountedEvent seen{.socket_wide = counted.event.socket_wide, .note = counted.note};
    if (!counted.event.unit.empty()) seen.note = "in " + counted.event.unit;
    double total = 0;
    std::map<std::pair<Place, std::size_t>, CountedPart> parts;
    for (const auto& [code, place, fd] : counted.open) {
      std::array<std::uint64_t, 3> numbers{};
      if (::read(fd.get(), numbers.data(), sizeof numbers) != sizeof numbers) {
        seen.failed = "the kernel stopped counting it";
        return seen;
      }
      const auto [value, enabled, running] = numbers;
      total += static_cast<double>(value);
      // A thread is on one kind of core at a time, so both kinds' events together ran while it did; two units
      // of a socket have a part each.
      CountedPart& part = parts[{place, seen.socket_wide ? code : 0}];
      part.value += static_cast<double>(value) * counted.event.scale;
      part.enabled = std::max(part.enabled, static_cast<double>(enabled));
      part.running = std::min(part.enabled, part.running + static_cast<double>(running));
    }
    for (const auto& [where, part] : parts) seen.parts.push_back(part);
    const bool core = counted.event.hardware && !counted.event.socket_wide;
    if (core && total == 0 && try_cycles() == EIO)
      seen.failed = "does not count: " + perf_obstacle(EIO, PerfReach::user, root_).reason;
    return seen;
  }

 private:
  struct Opened {
    std::size_t code;
    Place place;
    Descriptor fd;
  };
  struct Counted {
    PerfEvent event;
    std::string note = {};
    std::vector<Opened> open = {};
  };
  struct Leader {
    std::uint64_t unit;
    Place place;
    int fd;
  };

  /// Hardware counts user mode alone: everybody may, and so all counts mean the same.
  static Mode first_mode(const PerfEvent& event) {
    return event.hardware && !event.socket_wide ? Mode::user_only : Mode::whole;
  }

  /// Switches and migrations happen in the kernel: without it they would be 0, always.
  static bool may_do_without_kernel(const PerfEvent& event) { return !event.hardware && !event.in_kernel; }

  static PerfReach reach(const PerfEvent& event) {
    if (event.socket_wide) return PerfReach::machine;
    return event.in_kernel ? PerfReach::kernel : PerfReach::user;
  }

  /// Events of one PMU in one place make a group, which the kernel refuses where it needs more registers than
  /// there are.
  static std::uint64_t unit_of(const PerfEvent::Code& code) {
    const bool generic = code.type == PERF_TYPE_HARDWARE || code.type == PERF_TYPE_HW_CACHE;
    const std::uint64_t extended = code.config.config >> PERF_PMU_TYPE_SHIFT;
    if (generic && extended != 0) return extended;
    if (generic) return PERF_TYPE_RAW;
    return code.type;
  }

  std::vector<Place> places(const PerfEvent::Code& code) const {
    std::vector<Place> places;
    for (const int cpu : code.cpus) places.push_back({.cpu = cpu});
    if (code.cpus.empty())
      for (const int thread : threads_) places.push_back({.thread = thread});
    return places;
  }

  const Leader* leader_of(std::uint64_t unit, const Place& place) const {
    const auto same = [&](const Leader& leader) { return leader.unit == unit && leader.place == place; };
    const auto found = std::ranges::find_if(leaders_, same);
    return found == leaders_.end() ? nullptr : &*found;
  }

  /// 0, or errno; then nothing is open.
  int open(Counted& counted, Mode mode) {
    std::vector<Leader> fresh;
    joined_ = false;
    for (std::size_t index = 0; index < counted.event.codes.size(); ++index) {
      const auto& code = counted.event.codes[index];
      for (const Place& place : places(code)) {
        const Leader* leader = leader_of(unit_of(code), place);
        perf_event_attr attributes = attributes_of(counted.event, code, mode, !leader);
        int fd = open_(attributes, place.thread, place.cpu, leader ? leader->fd : -1);
        if (fd == -EMFILE) {
          allow_more_files();
          fd = open_(attributes, place.thread, place.cpu, leader ? leader->fd : -1);
        }
        if (fd == -ESRCH) continue;  // the thread has ended
        if (fd < 0) {
          counted.open.clear();
          joined_ = leader;
          return -fd;
        }
        counted.open.push_back({index, place, Descriptor(fd)});
        if (!leader) fresh.push_back({unit_of(code), place, fd});
      }
    }
    if (counted.open.empty()) return ESRCH;
    leaders_.insert(leaders_.end(), fresh.begin(), fresh.end());
    const auto ours = [](const Leader& leader) { return leader.place.thread == ::gettid(); };
    std::ranges::stable_partition(leaders_, [&](const Leader& leader) { return !ours(leader); });
    return 0;
  }

  std::string refusal(const std::string& name, const PerfEvent& event, int error) const {
    const std::string why = perf_obstacle(error, reach(event), root_).text();
    if (event.in_kernel) return fmt::format("{}: {} (the source os counts these, too)", name, why);
    if (event.socket_wide) return fmt::format("{}, of the whole socket: {}", name, why);
    return fmt::format("{}: {}", name, why);
  }

  fs::path root_;
  const PerfOpen& open_;
  std::vector<int> threads_;
  std::map<std::string, Counted> events_;
  std::vector<Leader> leaders_;
  bool joined_ = false;  ///< whether what failed was to join others
};

}  // namespace

PerfBackend::PerfBackend() : PerfBackend("/", kernel_open) {}

PerfBackend::PerfBackend(fs::path root, PerfOpen open) : root_(std::move(root)), open_(std::move(open)) {}

Obstacle PerfBackend::obstacle() const {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_TASK_CLOCK;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const int fd = open_(attributes, 0, -1, -1);
  if (fd >= 0) {
    ::close(fd);
    return {};
  }
  const PerfObstacle obstacle = perf_obstacle(-fd, PerfReach::user, root_);
  return {obstacle.reason, obstacle.mend};
}

std::string PerfBackend::unknown(const std::string& event) const { return no_perf_event(event); }

std::unique_ptr<CountingPass> PerfBackend::pass(const std::vector<int>& threads) {
  return std::make_unique<PerfPass>(root_, open_, threads);
}

}  // namespace uotbench
