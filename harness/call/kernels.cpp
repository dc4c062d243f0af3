#include "harness/call/kernels.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <new>
#include <stdexcept>

#include "harness/worker/serve/serve.hpp"
#include "harness/worker/stop.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

struct Flavour {
  const char* worker;
  bool (*runs_here)();
};

/// The best first. The builtin takes literals only.
constexpr std::array flavours{
#ifdef __x86_64__
    Flavour{"native-v4", [] { return __builtin_cpu_supports("x86-64-v4") != 0; }},
    Flavour{"native-v3", [] { return __builtin_cpu_supports("x86-64-v3") != 0; }},
#endif
    Flavour{"native", [] { return true; }}};

/// The folder of this library.
std::string own_folder() {
  Dl_info info{};
  if (::dladdr(reinterpret_cast<const void*>(&own_folder), &info) == 0 || !info.dli_fname) return ".";
  const std::string path = info.dli_fname;
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

std::string file_of(std::string worker) {
  std::ranges::replace(worker, '-', '_');
  return fmt::format("{}/libuotbench_{}.so", own_folder(), worker);
}

bool is_there(const std::string& worker) { return ::access(file_of(worker).c_str(), R_OK) == 0; }

/// The name of a worker that can be loaded here.
std::string chosen(const std::string& wanted) {
  std::string known;
  for (const auto& [worker, runs_here] : flavours) {
    known += fmt::format("{}{}", known.empty() ? "" : ", ", worker);
    if (!wanted.empty() && wanted != worker) continue;
    if (runs_here() && is_there(worker)) return worker;
    if (wanted.empty()) continue;
    if (!runs_here()) throw UnknownName(fmt::format("worker {}: this CPU cannot run it", wanted));
    throw UnknownName(fmt::format("worker {}: there is no {}", wanted, file_of(wanted)));
  }
  if (wanted.empty()) throw UnknownName(fmt::format("no kernels that this CPU runs in {}", own_folder()));
  throw UnknownName(fmt::format("worker: expected one of {}, got \"{}\"", known, wanted));
}

/// Why dlopen() failed, and what to install where OpenMP's library is missing: "libgomp.so.1: cannot open …".
std::string loader_error() {
  const char* const error = ::dlerror();
  const std::string reason = error ? error : "unknown reason";
  // As harness/python/uotbench/calling.py, for a library that does not load itself.
  return reason + (reason.starts_with("libgomp")
                       ? "; OpenMP is not installed; try apt install libgomp1 (Fedora, conda-forge: libgomp)"
                       : "");
}

std::mutex choosing;
std::atomic<const Kernels*> in_use = nullptr;

std::atomic_flag one_waits = ATOMIC_FLAG_INIT;
std::atomic<std::atomic<bool>*> to_stop = nullptr;
struct sigaction programs_own;  // read by the handler, which is installed later

static_assert(std::atomic<std::atomic<bool>*>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

void stop_and_pass_on(int signal, siginfo_t* about, void* context) {
  if (std::atomic<bool>* const stop = to_stop) *stop = true;
  if (programs_own.sa_flags & SA_SIGINFO)
    programs_own.sa_sigaction(signal, about, context);
  else
    programs_own.sa_handler(signal);
}

bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

}  // namespace

Kernels::Kernels(const std::string& worker) : worker_(chosen(worker)) {
  // Never closed: threads of OpenMP may be in it at any time.
  void* const library = ::dlopen(file_of(worker_).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) throw UnknownName(fmt::format("worker {}: {}", worker_, loader_error()));
  const auto find =
      reinterpret_cast<decltype(&uotbench_native_variants)>(::dlsym(library, "uotbench_native_variants"));
  run_ = reinterpret_cast<decltype(run_)>(::dlsym(library, "uotbench_native_run"));
  if (!find || !run_) throw UnknownName(fmt::format("{}: not a library of kernels", file_of(worker_)));
  variants_ = find();
  std::vector<std::string> names;
  for (const Variant* variant : *variants_) names.push_back(variant->spec().name);
  code_ = code_of_variants(file_of(worker_) + ".code.json", names);
}

const std::string& Kernels::code_of(const Variant& variant) const {
  static const std::string none;
  const auto found = code_.find(variant.spec().name);
  return found == code_.end() ? none : found->second;
}

const Variant& Kernels::named(const std::string& name) const {
  for (const Variant* variant : *variants_)
    if (variant->spec().name == name) return *variant;
  std::vector<std::string> names;
  for (const Variant* variant : *variants_) names.push_back(variant->spec().name);
  throw UnknownName(fmt::format("variant: no \"{}\"{} in {}", name, did_you_mean(name, names), worker_));
}

void Kernels::run(const std::atomic<bool>& stop, void (*act)(void*), void* context) const {
  std::string said;
  const NativeEnd end = run_(act, context, &stop, &said);
  if (end == NativeEnd::stopped) throw Stopped();
  if (end == NativeEnd::no_memory) throw std::bad_alloc();
  if (end == NativeEnd::error) throw Error(said);
  if (end == NativeEnd::other) throw std::runtime_error(said);
}

void use_kernels(const std::string& worker) {
  const std::lock_guard lock(choosing);
  if (const Kernels* now = in_use; now && now->worker() == worker) return;
  in_use = new Kernels(worker);  // never given back: problems refer to it
}

const Kernels& kernels() {
  if (!in_use) {
    const std::lock_guard lock(choosing);
    if (!in_use) in_use = new Kernels("");
  }
  return *in_use;
}

StoppingSignal::StoppingSignal(int signal, std::atomic<bool>& stop) {
  if (signal == 0 || one_waits.test_and_set()) return;
  if (::sigaction(signal, nullptr, &programs_own) != 0 || !has_handler(programs_own)) {
    one_waits.clear();
    return;
  }
  signal_ = signal;
  to_stop = &stop;
  struct sigaction ours = programs_own;
  ours.sa_flags |= SA_SIGINFO;
  ours.sa_sigaction = stop_and_pass_on;
  ::sigaction(signal, &ours, nullptr);
}

StoppingSignal::~StoppingSignal() {
  if (signal_ == 0) return;
  ::sigaction(signal_, &programs_own, nullptr);
  to_stop = nullptr;
  one_waits.clear();
}

}  // namespace uotbench
