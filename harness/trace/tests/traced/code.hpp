// Code that is traced: its accesses are known.
#pragma once

#include <cstddef>
#include <utility>

namespace uotbench::trace {

/// Reads and writes each of n.
void add_one(float* values, std::size_t n);
/// The same, split over OpenMP's threads.
void add_one_in_parallel(float* values, std::size_t n);
/// Each thread adds `times` to values[stride * its number].
void add_up(float* values, int stride, int times);
/// The line of add_up that does so.
int add_up_line();
/// Thread 0 writes three times to values[0] and all wait; the others read it three times and all wait;
/// `times`.
float hand_over(float* values, int times);
/// As add_one_in_parallel, with a schedule that differs from run to run.
void add_one_dynamically(float* values, std::size_t n);
void add_one_by_whoever_comes(float* values, std::size_t n);
/// A region in a region.
void add_one_nested(float* values, std::size_t n);
/// As add_one, in a thread of its own.
void add_one_elsewhere(float* values, std::size_t n);

/// Each thread adds up what all write, without waiting for them.
float use_too_early(float* values, std::size_t n);
/// The lines that write, and read.
std::pair<int, int> lines_of_race();
/// Reductions, critical sections and atomic additions, in a schedule that differs from run to run.
float add_in_turn(float* values, std::size_t n);
/// Thread 1 reads what thread 0 wrote, once it has seen a flag; the flag orders the two, or not.
int hand_over_by_a_flag(int* value);
int hand_over_by_a_relaxed_flag(int* value);
/// A static object in a function.
int make_once();
void make_by_tasks(float* values, std::size_t n);

void copy_48(char* to, const char* from);
void copy(char* to, const char* from, std::size_t bytes);
void move(char* to, const char* from, std::size_t bytes);
void fill_200(char* to);
int compare(const char* a, const char* b, std::size_t bytes);
struct Big {
  float values[12];
};
void assign(Big& to, const Big& from);
/// The number that `from` holds the bytes of.
float number_at(const char* from);
/// Adds, subtracts, exchanges, compares and exchanges (twice, once in vain), stores, loads: 4 changes and one
/// failed, one store, one load.
int use_atomics(int* value);

}  // namespace uotbench::trace
