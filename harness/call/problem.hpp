// A problem from a caller's arrays and settings, loaded into a variant.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/call/kernels.hpp"
#include "harness/protocol/memory_folder.hpp"
#include "harness/worker/oracle/family.hpp"
#include "harness/worker/oracle/input_files.hpp"

namespace uotbench {

struct GivenArray {
  std::string name;
  MemoryArray array;
};
using GivenSettings = std::vector<std::pair<std::string, std::string>>;

/// More memory than there is.
class NoMemory : public Error {
  using Error::Error;
};

class CalledProblem {
 public:
  /// Reads the arrays, and copies what it needs of them, but for those that a family lends (Family::lendable)
  /// and that are in C order and of the problem's type. Throws Error naming the array or the setting that is
  /// wrong, UnknownName, NoMemory.
  CalledProblem(const std::string& variant, const std::vector<GivenArray>& arrays,
                const GivenSettings& settings);

  /// From the inputs: to a solution, or `iterations` iterations. Throws what the kernel throws, and Stopped.
  void solve(std::int64_t iterations);
  void iterate(std::int64_t iterations);
  /// Writes the outputs; those on request (Family::on_request) only where `all` are wanted, or there is no
  /// other. Throws Error before the first solve() or iterate().
  void finish(bool all);
  /// Ends the solve that runs. Any thread may set it, and a signal handler.
  std::atomic<bool>& stop() { return stop_; }

  struct Output {
    std::string name;
    MemoryArray array;
  };
  /// What finish() wrote.
  const std::vector<Output>& outputs() const { return outputs_; }
  /// What the oracle finds of them; it writes all that are missing.
  Judgement certified();

  const Variant& variant() const { return variant_; }
  const Kernels& kernels() const { return kernels_; }
  const Point& point() const { return point_; }
  Facts facts() const;
  /// Of the last solve, or since.
  std::int64_t iterations() const { return iterations_; }
  int threads() const { return static_cast<int>(settings_.threads); }

  /// Of the constructor, of the last solve() or iterate(), which a benchmark would report, and of the last
  /// finish().
  struct Seconds {
    double prepare = 0, solve = 0, outputs = 0;
  };
  const Seconds& seconds() const { return seconds_; }

 private:
  void prepare(const std::vector<GivenArray>& arrays);
  void require_read(const std::vector<GivenArray>& arrays, const InputFiles& read) const;
  void load();
  bool solves() const;
  bool spares(const Family::Spared& spared) const;
  template <class Act>
  void run(const Act& act) const {
    kernels_.run(stop_, act);
  }
  /// Likewise, timed.
  template <class Act>
  void solve_by(const Act& act);

  const Kernels& kernels_;
  const Variant& variant_;
  const Family& family_;
  Point point_;
  Point verified_;  ///< the point with all inputs that the oracle reads
  Settings settings_;
  MemoryFolder given_, in_, out_;
  std::unique_ptr<Team> team_;
  std::unique_ptr<Arrays> inputs_;
  std::unique_ptr<Instance> instance_;
  bool fresh_ = false;   ///< begun, and nothing done since
  bool solved_ = false;  ///< perhaps not to the end: there is something to finish
  std::int64_t iterations_ = 0;
  std::vector<Output> outputs_;
  Seconds seconds_;
  std::atomic<bool> stop_ = false;
};

/// The family of a variant FAMILY/NAME. Throws UnknownName.
const Family& family_of_variant(const std::string& variant);

// The point of a call: from its settings, its arrays and what the family derives.

/// A value for every axis but those that the family derives. Throws Error naming the setting that is wrong.
/// What settings leave out is read off the arrays where they say it: dtype, cost=matrix for C, the
/// coordinates of X. `folder` is what data=npy is read from.
Point point_of_call(const Variant& variant, const Family& family, const std::vector<GivenArray>& arrays,
                    const GivenSettings& settings, const std::string& folder);

/// With what the family derives from it, and from the arrays in the folder. Throws Error.
Point derived_point(const Family& family, Point point);

/// Whether the family reads a caller's arrays itself.
bool reads_arrays(const Family& family);

}  // namespace uotbench
