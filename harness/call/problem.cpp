#include "harness/call/problem.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <mutex>
#include <optional>

#include "harness/protocol/any_npy.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/worker/stop.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

/// A family remembers what it judged last: one call of it at a time.
std::mutex oracle;

double bytes_of(const std::vector<ArraySpec>& specs) {
  double bytes = 0;
  for (const auto& spec : specs) {
    double elements = spec.type.back() - '0';
    for (const auto extent : spec.shape) elements *= static_cast<double>(extent);
    bytes += elements;
  }
  return bytes;
}

/// Bytes that programs can still have; absent where the system does not say.
std::optional<double> available_memory() {
  std::ifstream file("/proc/meminfo");
  for (std::string key, unit; file >> key;) {
    double kibibytes = 0;
    if (!(file >> kibibytes)) return std::nullopt;
    std::getline(file, unit);
    if (key == "MemAvailable:") return kibibytes * 1024;
  }
  return std::nullopt;
}

/// The system would grant more than it has, and end the process when it is written.
void require_memory(double bytes) {
  constexpr double not_worth_a_look = 64 << 20;
  if (bytes < not_worth_a_look) return;
  if (const auto there = available_memory(); there && bytes > *there)
    throw NoMemory(fmt::format("expected {:.3g} GB of memory, got {:.3g} GB", bytes / 1e9, *there / 1e9));
}

template <class Real>
void copy_values(const AnyNpy& from, NpyArray& to, const std::string& name) {
  const auto values = to.as_mutable<Real>();
  for (std::size_t k = 0; k < values.size(); ++k) {
    values[k] = static_cast<Real>(from[k]);
    if (!std::isfinite(static_cast<double>(values[k])))
      throw Error(fmt::format("{}: element {} is {}; expected a finite number", name, k, from[k]));
  }
}

/// In place of an input that the family made.
void replace(const MemoryFolder& inputs, const MemoryFolder& given, const std::string& name) {
  const auto known = inputs.names();
  if (std::ranges::find(known, name) == known.end())
    throw Error(
        fmt::format("{}: no array of this problem; expected one of {}", name, fmt::join(known, ", ")));
  auto to = NpyArray::open(fmt::format("{}/{}.npy", inputs.path(), name), true);
  const auto from = AnyNpy::open(fmt::format("{}/{}.npy", given.path(), name));
  if (from.shape() != to.shape())
    throw Error(fmt::format("{}: shape ({}); expected ({})", name, fmt::join(from.shape(), ", "),
                            fmt::join(to.shape(), ", ")));
  if (to.type() == "<f8")
    copy_values<double>(from, to, name);
  else if (to.type() == "<f4")
    copy_values<float>(from, to, name);
  else
    copy_values<std::int32_t>(from, to, name);
}

/// More end the process on many systems, inside OpenMP's library.
constexpr std::int64_t most_threads = 1024;

/// Whether a kernel can read the array where it is.
bool can_be_used(const MemoryArray& array, const Point& point) {
  const std::size_t width = point.text("dtype") == "f64" ? 8 : 4;
  return array.type == (width == 8 ? "<f8" : "<f4") && array.strides == c_strides(array.shape, width) &&
         reinterpret_cast<std::uintptr_t>(array.data) % width == 0;
}

/// A case's threads in the mode that it wants. Afterwards they keep denormals: the caller may use them.
class AtWork {
 public:
  explicit AtWork(const Settings& settings) : team_(settings, {}) {}
  ~AtWork() { team_.keep_denormals(); }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  Team team_;
};

/// Of the arrays in a folder, those that were read.
std::vector<std::string> names_in(const InputFiles& read, const std::string& folder) {
  std::vector<std::string> names;
  for (const std::string& path : read.paths())
    if (path.starts_with(folder + '/'))
      names.push_back(path.substr(folder.size() + 1, path.size() - folder.size() - 1 - 4));  // no .npy
  return names;
}

class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace

const Family& family_of_variant(const std::string& variant) {
  const std::string name = variant.substr(0, variant.find('/'));
  for (const Family* family : families())
    if (family->spec().name == name) return *family;
  throw UnknownName(fmt::format("variant: no family \"{}\"", name));
}

CalledProblem::CalledProblem(const std::string& variant, const std::vector<GivenArray>& arrays,
                             const GivenSettings& settings)
    : kernels_(uotbench::kernels()), variant_(kernels_.named(variant)), family_(family_of_variant(variant)) {
  const Stopwatch watch;
  for (const auto& [name, array] : arrays) given_.lend(name, array);
  point_ = point_of_call(variant_, family_, arrays, settings, given_.path());
  settings_ = settings_of(point_);
  if (settings_.threads > most_threads)
    throw Error(fmt::format("threads: expected at most {}, got {}", most_threads, settings_.threads));
  prepare(arrays);
  for (const auto& [name, array] : arrays) {
    if (!reads_arrays(family_)) replace(in_, given_, name);
    // The caller's memory is the caller's again; the family may still look at shapes.
    auto copy = memory_array(fmt::format("{}/{}.npy", in_.path(), name));
    if (!copy) copy = {"gone", array.shape, {}, nullptr};
    given_.lend(name, *copy);
  }
  load();
  seconds_.prepare = watch.seconds();
}

void CalledProblem::prepare(const std::vector<GivenArray>& arrays) {
  const std::lock_guard lock(oracle);
  const Team team(threads(), {});  // sets how many threads the oracle has
  const InputFiles read;
  point_ = derived_point(family_, point_);
  verified_ = point_;
  for (const auto& spared : family_.spared(point_)) {
    if (!spares(spared)) continue;
    point_.set(spared.name, spared.value);
    if (!spared.verified) verified_.set(spared.name, spared.value);
  }
  std::string reason;
  double private_memory = 0;
  run([&] {
    reason = variant_.refusal(point_);
    if (reason.empty()) private_memory = variant_.memory(point_);
  });
  if (!reason.empty()) throw Error(reason);
  require_memory(private_memory + family_.input_bytes(point_) + bytes_of(family_.outputs(point_)));
  if (reads_arrays(family_) && point_.text("data") == "npy")
    for (const auto& [name, array] : arrays)
      if (std::ranges::count(family_.lendable(point_), name) > 0 && can_be_used(array, point_))
        in_.lend(name, array);
  family_.prepare(point_, in_.path());
  if (reads_arrays(family_)) require_read(arrays, read);
}

/// A setting given as an array, or an array that this problem does not have, would be lost without a word.
void CalledProblem::require_read(const std::vector<GivenArray>& arrays, const InputFiles& read) const {
  for (const auto& [name, array] : arrays) {
    if (read.paths().contains(fmt::format("{}/{}.npy", given_.path(), name))) continue;
    if (point_.has(name)) throw Error(fmt::format("{}: expected a number or a text, got an array", name));
    std::vector<std::string> names;
    for (const auto& spec : family_.spec().arrays)
      if (!spec.output) names.push_back(spec.name);
    const auto used = names_in(read, given_.path());
    throw Error(fmt::format("{}: {} does not read it here{}; it reads {}", name, variant_.spec().name,
                            did_you_mean(name, names),
                            used.empty() ? "no arrays" : fmt::format("{}", fmt::join(used, ", "))));
  }
}

bool CalledProblem::spares(const Family::Spared& spared) const {
  Point without = point_;
  without.set(spared.name, spared.value);
  bool accepts = false;
  run([&] { accepts = variant_.refusal(without).empty(); });
  return accepts;
}

void CalledProblem::load() {
  instance_.reset();  // two at once may not fit
  const AtWork ready(settings_);
  team_ = std::make_unique<Team>(settings_, std::vector<int>{});
  inputs_ = std::make_unique<Arrays>(in_.path(), false);
  // The library of kernels does not know the folders of this one: it finds arrays that are open.
  for (const auto& name : in_.names()) (*inputs_)[name];
  run([&] {
    instance_ = variant_.load(point_, *inputs_, *team_);
    instance_->begin();
  });
  fresh_ = true;
  iterations_ = 0;
}

bool CalledProblem::solves() const { return variant_.unit(point_) == Unit::solve; }

template <class Act>
void CalledProblem::solve_by(const Act& act) {
  const AtWork ready(settings_);
  const Stopwatch watch;
  run(act);
  seconds_.solve = watch.seconds();
}

void CalledProblem::solve(std::int64_t iterations) {
  if (iterations < 0) throw Error(fmt::format("iterations: expected 0 or more, got {}", iterations));
  stop_ = false;
  if (solves()) {  // from the inputs by itself
    const auto count = [&] { iterations_ = instance_->iterations().value_or(1); };
    solved_ = true;
    try {
      solve_by([&] { instance_->timed(); });
    } catch (const Error&) {  // too few: what was reached is an output all the same
      count();
      throw;
    }
    return count();
  }
  if (!fresh_ && instance_->restarts()) {
    const AtWork ready(settings_);
    run([&] {
      instance_->restart();
      instance_->begin();
    });
    iterations_ = 0;
  } else if (!fresh_) {
    load();
  }
  const std::int64_t outside = variant_.spec().outside;
  if (iterations < outside)
    throw Error(fmt::format("iterations: expected at least {}, got {}", outside, iterations));
  iterate(iterations - outside);
  iterations_ += outside;
}

void CalledProblem::iterate(std::int64_t iterations) {
  if (solves()) throw Error(fmt::format("{} goes to a solution as a whole", variant_.spec().name));
  const std::int64_t steps = variant_.steps(point_);
  if (iterations < 0 || iterations % steps != 0)
    throw Error(fmt::format("iterations: expected a multiple of {}, got {}", steps, iterations));
  stop_ = false;
  solved_ = true;
  fresh_ = fresh_ && iterations == 0;
  solve_by([&] {
    for (std::int64_t left = iterations; left > 0 && !stop_; left -= steps) instance_->iterate();
  });
  if (stop_) throw Stopped();
  iterations_ += iterations;
}

void CalledProblem::finish(bool all) {
  if (!solved_) throw Error("nothing is solved; expected a solve or iterations before the outputs");
  const Stopwatch watch;
  const AtWork ready(settings_);
  const auto on_request = family_.on_request(point_);
  Arrays outputs(out_.path(), true);
  for (const auto& spec : family_.outputs(point_)) {
    if (!all && std::ranges::count(on_request, spec.name) > 0) continue;
    NpyArray::create(fmt::format("{}/{}.npy", out_.path(), spec.name), spec.type, spec.shape);
    outputs[spec.name];
  }
  outputs_.clear();
  std::vector<std::string> written;
  run([&] { written = instance_->finish(outputs); });
  for (const auto& name : written)
    if (all || std::ranges::count(on_request, name) == 0)
      outputs_.push_back({name, *memory_array(fmt::format("{}/{}.npy", out_.path(), name))});
  if (outputs_.empty() && !all) finish(true);
  seconds_.outputs = watch.seconds();
}

Facts CalledProblem::facts() const {
  Facts facts;
  run([&] { facts = instance_->facts(); });
  return facts;
}

Judgement CalledProblem::certified() {
  const auto on_request = family_.on_request(point_);
  const auto is_there = [&](const std::string& name) {
    return std::ranges::find(outputs_, name, &Output::name) != outputs_.end();
  };
  for (const auto& spec : family_.outputs(point_))
    if (std::ranges::count(on_request, spec.name) > 0 && !is_there(spec.name)) {
      finish(true);
      break;
    }
  if (outputs_.empty()) finish(true);
  const std::lock_guard lock(oracle);
  const Team team(threads(), {});
  Claim claim{.variant = variant_.spec().name,
              .outputs = {},
              .iterations = solves() ? 1 : static_cast<int>(iterations_),
              .tolerance = variant_.spec().tolerance,
              .threads = threads()};
  for (const auto& output : outputs_) claim.outputs.push_back(output.name);
  if (verified_ != point_) {
    require_memory(family_.input_bytes(verified_));
    family_.prepare(verified_, in_.path());
  }
  family_.forget();
  return family_.judge(verified_, in_.path(), out_.path(), claim);
}

}  // namespace uotbench
