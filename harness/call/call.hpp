// Any variant as a function, from C++: call.h with exceptions and ownership. Link libuotbench.so.
//
//   uotbench::Call call("uot/one_read_sor", {{"a", a, {M}}, {"b", b, {N}}, {"C", C, {M, N}}},
//                       {"reg=.05", "reg_m=5", "reg_type=kl"});
//   call.solve();
//   const auto u = call.output<float>("u");
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "harness/call/call.h"

namespace uotbench {

/// What a function of call.h failed with.
class CallError : public std::runtime_error {
 public:
  explicit CallError(int its_status) : std::runtime_error(uotbench_error()), status(its_status) {}
  int status;  ///< UOTBENCH_INVALID, …
};

/// An array of the caller's, in C order: float, double or std::int32_t.
class CallArray {
 public:
  template <class T>
  CallArray(std::string name, const std::vector<T>& values, std::vector<std::int64_t> shape)
      : CallArray(std::move(name), std::span<const T>(values), std::move(shape)) {}
  /// Throws std::invalid_argument if the number of values is not that of the shape.
  template <class T>
  CallArray(std::string name, std::span<const T> values, std::vector<std::int64_t> shape)
      : name_(std::move(name)), type_(type<T>()), shape_(std::move(shape)), data_(values.data()) {
    std::int64_t count = 1;
    for (const std::int64_t extent : shape_) count *= extent;
    if (count != static_cast<std::int64_t>(values.size()))
      throw std::invalid_argument(name_ + ": expected " + std::to_string(count) + " values, got " +
                                  std::to_string(values.size()));
  }

  template <class T>
  static const char* type() {
    static_assert(std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, std::int32_t>);
    return std::is_same_v<T, float> ? "<f4" : std::is_same_v<T, double> ? "<f8" : "<i4";
  }
  uotbench_array view() const {
    return {name_.c_str(), type_,   static_cast<std::int64_t>(shape_.size()),
            shape_.data(), nullptr, const_cast<void*>(data_)};
  }

 private:
  std::string name_;
  const char* type_;
  std::vector<std::int64_t> shape_;
  const void* data_;
};

/// A problem, loaded into a variant, for one thread at a time, except stop(). Every function throws
/// CallError.
class Call {
 public:
  Call(const std::string& variant, const std::vector<CallArray>& arrays,
       const std::vector<std::string>& settings = {}) {
    std::vector<uotbench_array> views;
    for (const auto& array : arrays) views.push_back(array.view());
    std::vector<const char*> texts;
    for (const auto& setting : settings) texts.push_back(setting.c_str());
    problem_.reset(uotbench_create(variant.c_str(), views.data(), views.size(), texts.data(), texts.size()));
    if (!problem_) throw CallError(uotbench_status());
  }

  /// To a solution, or `iterations` iterations: what a benchmark times.
  void solve(std::int64_t iterations = 1) {
    written_ = none;
    check(uotbench_solve(problem_.get(), iterations));
  }
  /// `iterations` more.
  void iterate(std::int64_t iterations) {
    written_ = none;
    check(uotbench_iterate(problem_.get(), iterations));
  }
  /// Ends the solve that another thread makes: it throws CallError of UOTBENCH_STOPPED.
  void stop() { uotbench_stop(problem_.get()); }

  /// Written when it is first asked for; valid until the next solve(). Throws std::invalid_argument where the
  /// variant writes no such array, or one of another type.
  template <class T>
  std::span<const T> output(const std::string& name) {
    const Written wanted = name == "plan" ? all : but_the_plan;
    if (written_ < wanted) check(uotbench_finish(problem_.get(), wanted == all));
    written_ = wanted > written_ ? wanted : written_;
    uotbench_array array;
    for (std::size_t index = 0; uotbench_output(problem_.get(), index, &array) == UOTBENCH_OK; ++index) {
      if (name != array.name) continue;
      if (std::string(CallArray::type<T>()) != array.type)
        throw std::invalid_argument(name + ": holds " + array.type);
      std::size_t size = 1;
      for (std::int64_t axis = 0; axis < array.dimensions; ++axis)
        size *= static_cast<std::size_t>(array.shape[axis]);
      return {static_cast<const T*>(array.data), size};
    }
    throw std::invalid_argument(name + ": not among the outputs");
  }

  std::int64_t iterations() const { return uotbench_iterations(problem_.get()); }
  uotbench_times seconds() const {
    uotbench_times times;
    check(uotbench_times_of(problem_.get(), &times));
    return times;
  }
  /// JSON, as call.h has it.
  std::string facts() const { return text(uotbench_facts(problem_.get())); }
  std::string settings() const { return text(uotbench_settings(problem_.get())); }
  std::string certificate() {
    const std::string text_of = text(uotbench_certify(problem_.get()));
    written_ = all;
    return text_of;
  }

 private:
  static void check(int status) {
    if (status != UOTBENCH_OK) throw CallError(status);
  }
  static std::string text(const char* answer) {
    if (!answer) throw CallError(uotbench_status());
    return answer;
  }

  struct Free {
    void operator()(uotbench_problem* problem) const { uotbench_free(problem); }
  };
  enum Written { none, but_the_plan, all };

  std::unique_ptr<uotbench_problem, Free> problem_;
  Written written_ = none;
};

}  // namespace uotbench
