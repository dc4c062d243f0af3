// The C interface: no exception and no setting of OpenMP's crosses it.
#include "harness/call/call.h"

#include <fmt/format.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

#include "results/base/json.hpp"

#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include <atomic>
#include <exception>
#include <new>
#include <thread>

#include "harness/call/kernels.hpp"
#include "harness/call/problem.hpp"
#include "harness/protocol/point_json.hpp"
#include "harness/worker/stop.hpp"
#include "results/base/document.hpp"
#include "results/record/record.hpp"

struct uotbench_problem {
  uotbench::CalledProblem problem;
  std::atomic_flag used = ATOMIC_FLAG_INIT;
};

namespace uotbench {
namespace {

constexpr std::int64_t most_dimensions = 8;

thread_local std::string error_text, answer_text;
thread_local int last_status = UOTBENCH_OK;
thread_local int stop_signal = 0;

/// memory:3/a.npy is `a` to the caller.
std::string as_caller_says(std::string text) {
  for (std::size_t at = 0; (at = text.find("memory:", at)) != std::string::npos;) {
    std::size_t end = text.find_first_not_of("0123456789", at + 7);
    if (end == std::string::npos) end = text.size();
    if (end < text.size() && text[end] == '/')
      text.erase(at, end + 1 - at);
    else
      text.replace(at, end - at, "the call");
  }
  for (std::size_t at = 0; (at = text.find(".npy", at)) != std::string::npos;) text.erase(at, 4);
  return text;
}

int failed(int status, const char* text) noexcept {
  try {
    error_text = as_caller_says(text);
  } catch (const std::bad_alloc&) {
    error_text.clear();
  }
  return last_status = status;
}

/// Gives the calling thread back what kernels set for it: threads of OpenMP, the mode of its arithmetic.
class CallersSettings {
 public:
  CallersSettings() = default;
  ~CallersSettings() {
    omp_set_num_threads(threads_);
    omp_set_dynamic(dynamic_);
#ifdef __SSE__
    _mm_setcsr(mode_);
#endif
  }
  CallersSettings(const CallersSettings&) = delete;
  CallersSettings& operator=(const CallersSettings&) = delete;

 private:
  int threads_ = omp_get_max_threads(), dynamic_ = omp_get_dynamic();
#ifdef __SSE__
  unsigned mode_ = _mm_getcsr();
#endif
};

/// In a child of fork() the threads that OpenMP believes this one has are gone, and waiting for them would
/// never end; a new thread has new ones.
std::atomic<bool> is_forked_child = false;
[[maybe_unused]] const int noticed_by_fork =
    ::pthread_atfork(nullptr, nullptr, [] { is_forked_child = true; });

template <class Act>
void with_working_threads(const Act& act) {
  if (!is_forked_child) {
    const CallersSettings kept;
    return act();
  }
  std::exception_ptr thrown;
  std::thread([&] {
    try {
      act();
    } catch (...) {
      thrown = std::current_exception();
    }
  }).join();
  if (thrown) std::rethrow_exception(thrown);
}

/// Runs act; what it throws becomes a status: an Error `of_error`.
template <class Act>
int guarded(int of_error, const Act& act) noexcept {
  try {
    last_status = UOTBENCH_OK;
    with_working_threads(act);
    return UOTBENCH_OK;
  } catch (const Stopped& stopped) {
    return failed(UOTBENCH_STOPPED, stopped.what());
  } catch (const UnknownName& error) {
    return failed(UOTBENCH_UNKNOWN, error.what());
  } catch (const NoMemory& error) {
    return failed(UOTBENCH_NO_MEMORY, error.what());
  } catch (const std::bad_alloc&) {
    return failed(UOTBENCH_NO_MEMORY, "out of memory");
  } catch (const Error& error) {
    return failed(of_error, error.what());
  } catch (const std::exception& error) {
    return failed(UOTBENCH_INTERNAL, error.what());
  } catch (...) {
    return failed(UOTBENCH_INTERNAL, "unknown exception");
  }
}

/// Likewise with a problem, which one thread uses at a time.
template <class Act>
int guarded(uotbench_problem* problem, int of_error, const Act& act) noexcept {
  if (!problem) return failed(UOTBENCH_INVALID, "problem: expected one of uotbench_create(), got NULL");
  if (problem->used.test_and_set())
    return failed(UOTBENCH_INVALID, "problem: another thread uses it; expected one thread at a time");
  const int status = guarded(of_error, [&] { act(problem->problem); });
  problem->used.clear();
  return status;
}

/// The text of the JSON that `made` makes of the problem; null: it failed.
template <class Made>
const char* answered(uotbench_problem* problem, int of_error, const Made& made) {
  std::string text;
  const int status = guarded(problem, of_error, [&](CalledProblem& its) { text = to_line(made(its)); });
  return status == UOTBENCH_OK ? (answer_text = std::move(text)).c_str() : nullptr;
}

GivenArray given_array(const uotbench_array& array) {
  if (!array.name || !array.type) throw Error("arrays: an array without name or type");
  GivenArray given{array.name, {array.type, {}, {}, static_cast<std::byte*>(array.data)}};
  if (given.name.find_first_of("/.") != std::string::npos)
    throw Error(fmt::format("{}: expected a name such as a, X or K", given.name));
  if (given.array.type.size() != 3)
    throw Error(fmt::format("{}: elements of type {}; expected f32 or f64", given.name, given.array.type));
  if (array.dimensions < 0 || array.dimensions > most_dimensions || (array.dimensions > 0 && !array.shape))
    throw Error(fmt::format("{}: {} dimensions; expected at most {}, and a shape", given.name,
                            array.dimensions, most_dimensions));
  std::size_t size = 1;
  for (std::int64_t axis = 0; axis < array.dimensions; ++axis) {
    const auto extent = static_cast<std::size_t>(array.shape[axis]);
    if (array.shape[axis] < 0 || __builtin_mul_overflow(size, extent, &size))
      throw Error(fmt::format("{}: {} elements along axis {}", given.name, array.shape[axis], axis));
    given.array.shape.push_back(extent);
    if (array.strides) given.array.strides.push_back(array.strides[axis]);
  }
  if (!array.strides)
    given.array.strides =
        c_strides(given.array.shape, static_cast<std::size_t>(given.array.type.back() - '0'));
  if (size == 0) throw Error(fmt::format("{}: empty; expected some elements", given.name));
  if (!array.data) throw Error(fmt::format("{}: data is NULL", given.name));
  return given;
}

GivenSettings given_settings(const char* const* settings, std::size_t count) {
  GivenSettings given;
  for (std::size_t k = 0; k < count; ++k) {
    const std::string text = settings && settings[k] ? settings[k] : "";
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw Error(fmt::format("settings: expected NAME=VALUE, got \"{}\"", text));
    given.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return given;
}

Json axes_json(const std::vector<Axis>& axes) {
  Json list = Json::array();
  for (const auto& axis : axes) list.push_back(to_json(axis));
  return list;
}

Json described() {
  Json variants = Json::array(), all = Json::array();
  for (const Variant* variant : kernels().variants()) {
    const auto& spec = variant->spec();
    variants.push_back({{"name", spec.name}, {"summary", spec.summary}, {"axes", axes_json(spec.axes)}});
    if (const std::string& code = kernels().code_of(*variant); !code.empty()) variants.back()["code"] = code;
  }
  for (const Family* family : families()) {
    Json arrays = Json::array();
    for (const auto& array : family->spec().arrays)
      arrays.push_back({{"name", array.name}, {"shape", array.shape}, {"output", array.output}});
    all.push_back(
        {{"name", family->spec().name}, {"axes", axes_json(family->spec().axes)}, {"arrays", arrays}});
  }
  return {{"worker", kernels().worker()}, {"variants", variants}, {"families", all}};
}

Json settings_json(const CalledProblem& problem) {
  Json point = to_json(problem.point());
  for (const char* ours : {"path", "costs", "K"}) point.erase(ours);
  return point;
}

Json facts_json(const CalledProblem& problem) {
  Json json{{"variant", problem.variant().spec().name}, {"worker", problem.kernels().worker()}};
  if (const std::string& code = problem.kernels().code_of(problem.variant()); !code.empty())
    json["code"] = code;
  json["iterations"] = problem.iterations();
  json["facts"] = to_json(problem.facts());
  return json;
}

Json certificate(CalledProblem& problem) {
  const Judgement judgement = problem.certified();
  Json json = to_json(judgement.check);
  json["right"] = judgement.reason.empty();
  json["reason"] = as_caller_says(judgement.reason);
  return json;
}

}  // namespace
}  // namespace uotbench

using namespace uotbench;

int uotbench_use(const char* worker) {
  return guarded(UOTBENCH_INVALID, [&] { use_kernels(worker ? worker : ""); });
}

const char* uotbench_describe(void) {
  std::string text;
  if (guarded(UOTBENCH_INTERNAL, [&] { text = to_line(described()); }) != UOTBENCH_OK) return nullptr;
  return (answer_text = std::move(text)).c_str();
}

uotbench_problem* uotbench_create(const char* variant, const uotbench_array* arrays, size_t array_count,
                                  const char* const* settings, size_t setting_count) {
  std::unique_ptr<uotbench_problem> made;
  guarded(UOTBENCH_INVALID, [&] {
    if (!variant) throw Error("variant: expected FAMILY/NAME, got NULL");
    if (array_count > 0 && !arrays) throw Error("arrays: expected some, got NULL");
    std::vector<GivenArray> given;
    for (size_t k = 0; k < array_count; ++k) given.push_back(given_array(arrays[k]));
    made.reset(new uotbench_problem{{variant, given, given_settings(settings, setting_count)}});
  });
  return made.release();
}

int uotbench_solve(uotbench_problem* problem, int64_t iterations) {
  return guarded(problem, UOTBENCH_NO_SOLUTION, [&, signal = stop_signal](CalledProblem& its) {
    const StoppingSignal watched(signal, its.stop());
    its.solve(iterations);
  });
}

int uotbench_iterate(uotbench_problem* problem, int64_t iterations) {
  return guarded(problem, UOTBENCH_INVALID, [&, signal = stop_signal](CalledProblem& its) {
    const StoppingSignal watched(signal, its.stop());
    its.iterate(iterations);
  });
}

int uotbench_finish(uotbench_problem* problem, int plan) {
  return guarded(problem, UOTBENCH_NO_SOLUTION, [&](CalledProblem& its) { its.finish(plan != 0); });
}

int64_t uotbench_iterations(uotbench_problem* problem) {
  int64_t iterations = 0;
  guarded(problem, UOTBENCH_INTERNAL, [&](CalledProblem& its) { iterations = its.iterations(); });
  return iterations;
}

int uotbench_times_of(uotbench_problem* problem, uotbench_times* times) {
  return guarded(problem, UOTBENCH_INVALID, [&](CalledProblem& its) {
    if (!times) throw Error("times: expected a structure to fill, got NULL");
    const auto& [prepare, solve, outputs] = its.seconds();
    *times = {prepare, solve, outputs};
  });
}

void uotbench_stop(uotbench_problem* problem) {
  if (problem) problem->problem.stop() = true;
}

void uotbench_stop_at(int signal) { stop_signal = signal; }

int uotbench_output(uotbench_problem* problem, size_t index, uotbench_array* output) {
  bool is_there = true;
  const int status = guarded(problem, UOTBENCH_INVALID, [&](CalledProblem& its) {
    if (!output) throw Error("output: expected an array to fill, got NULL");
    is_there = index < its.outputs().size();
    if (!is_there) return;
    static_assert(sizeof(std::size_t) == sizeof(int64_t) && sizeof(std::ptrdiff_t) == sizeof(int64_t));
    const auto& [name, array] = its.outputs()[index];
    *output = {.name = name.c_str(),
               .type = array.type.c_str(),
               .dimensions = static_cast<int64_t>(array.shape.size()),
               .shape = reinterpret_cast<const int64_t*>(array.shape.data()),
               .strides = reinterpret_cast<const int64_t*>(array.strides.data()),
               .data = array.data};
  });
  // The end of every loop over outputs: not worth an exception.
  return is_there ? status : failed(UOTBENCH_UNKNOWN, "index: expected one below the number of outputs");
}

const char* uotbench_facts(uotbench_problem* problem) {
  return answered(problem, UOTBENCH_INTERNAL, facts_json);
}

const char* uotbench_settings(uotbench_problem* problem) {
  return answered(problem, UOTBENCH_INTERNAL, settings_json);
}

const char* uotbench_certify(uotbench_problem* problem) {
  return answered(problem, UOTBENCH_NO_SOLUTION, certificate);
}

void uotbench_free(uotbench_problem* problem) { delete problem; }

const char* uotbench_error(void) { return error_text.c_str(); }
int uotbench_status(void) { return last_status; }
