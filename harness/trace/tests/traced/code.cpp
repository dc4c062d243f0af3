#include "harness/trace/tests/traced/code.hpp"

#include <omp.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace uotbench::trace {

void add_one(float* values, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) values[i] += 1;
}

void add_one_in_parallel(float* values, std::size_t n) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) values[i] += 1;
}

namespace {
constexpr int line_of_add_up = __LINE__ + 6;
}
void add_up(float* values, int stride, int times) {
#pragma omp parallel
  {
    volatile float* const mine = values + stride * omp_get_thread_num();
    for (int i = 0; i < times; ++i) *mine = *mine + 1;
  }
}
int add_up_line() { return line_of_add_up; }

float hand_over(float* values, int times) {
  float sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    volatile float* const value = values;
    for (int i = 0; i < times; ++i) {
      for (int each = 0; each < 3; ++each)
        if (omp_get_thread_num() == 0) *value = 1;
#pragma omp barrier
      for (int each = 0; each < 3; ++each)
        if (omp_get_thread_num() != 0) sum += *value;
#pragma omp barrier
    }
  }
  return sum;
}

void add_one_dynamically(float* values, std::size_t n) {
#pragma omp parallel
#pragma omp for schedule(dynamic)
  for (std::size_t i = 0; i < n; ++i) values[i] += 1;
}

void add_one_by_whoever_comes(float* values, std::size_t n) {
#pragma omp parallel for schedule(dynamic, 8)
  for (std::size_t i = 0; i < n; ++i) values[i] += 1;
}

void add_one_nested(float* values, std::size_t n) {
#pragma omp parallel num_threads(1)
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) values[i] += 1;
}

void add_one_elsewhere(float* values, std::size_t n) { std::thread(add_one, values, n).join(); }

namespace {
constexpr int line_of_write = __LINE__ + 7, line_of_read = line_of_write + 1;
}
float use_too_early(float* values, std::size_t n) {
  float sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < n; ++i) values[i] = 1;
    for (std::size_t i = 0; i < n; ++i) sum += values[i];
  }
  return sum;
}
std::pair<int, int> lines_of_race() { return {line_of_write, line_of_read}; }

float add_in_turn(float* values, std::size_t n) {
  float sum = 0, product = 1;
  int guarded = 0, named = 0, atomic = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum) reduction(* : product)
  for (std::size_t i = 0; i < n; ++i) {
    values[i] = 1;
    sum += values[i];
    product *= values[i];
#pragma omp critical
    ++guarded;
#pragma omp critical(named)
    ++named;
#pragma omp atomic
    ++atomic;
  }
  return sum + product + static_cast<float>(guarded + named + atomic);
}

int hand_over_by_a_flag(int* value) {
  std::atomic<int> flag{0};
  int seen = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      *value = 7;
      flag.store(1, std::memory_order_release);
    } else {
      while (flag.load(std::memory_order_acquire) == 0) continue;
      seen = *value;
    }
  }
  return seen;
}

int hand_over_by_a_relaxed_flag(int* value) {
  std::atomic<int> flag{0};
  int seen = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      *value = 7;
      flag.store(1, std::memory_order_relaxed);
    } else {
      while (flag.load(std::memory_order_relaxed) == 0) continue;
      seen = *value;
    }
  }
  return seen;
}

int make_once() {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    static const std::vector<int> made(3, 5);
    sum += made[1];
  }
  return sum;
}

void make_by_tasks(float* values, std::size_t n) {
#pragma omp parallel
#pragma omp single
  for (std::size_t i = 0; i < n; ++i) {
#pragma omp task
    values[i] = 1;
  }
}

void copy_48(char* to, const char* from) { std::memcpy(to, from, 48); }
void copy(char* to, const char* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void move(char* to, const char* from, std::size_t bytes) { std::memmove(to, from, bytes); }
void fill_200(char* to) { std::memset(to, 0, 200); }
int compare(const char* a, const char* b, std::size_t bytes) { return std::memcmp(a, b, bytes); }
void assign(Big& to, const Big& from) { to = from; }

float number_at(const char* from) {
  float number;
  std::memcpy(&number, from, sizeof number);
  return number;
}

int use_atomics(int* value) {
  std::atomic_ref<int> shared(*value);
  shared.fetch_add(5);
  shared.fetch_sub(1);
  shared.exchange(7);
  int expected = 7;
  shared.compare_exchange_strong(expected, 8);
  expected = 7;
  shared.compare_exchange_strong(expected, 9);
  shared.store(10);
  return shared.load();
}

}  // namespace uotbench::trace
