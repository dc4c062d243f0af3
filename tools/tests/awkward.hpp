// Problems on which kernels go wrong: a family's sizes that nothing divides (kernels/FAMILY/awkward.json),
// whichever families there are, and masses of zero.
#pragma once

#include <map>
#include <set>

#include "harness/protocol/npy.hpp"
#include "tools/tests/program.hpp"

namespace uotbench {

/// The families that have such sizes. A test for each: together they take minutes.
inline std::vector<std::string> awkward_families() {
  std::vector<std::string> names;
  for (const auto& family : fs::directory_iterator(std::string(UOTBENCH_SOURCE_DIR) + "/kernels"))
    if (fs::exists(family.path() / "awkward.json")) names.push_back(family.path().filename());
  std::ranges::sort(names);
  return names;
}

/// The records of the family's cases whose ids the pattern matches, judged in `folder` within `seconds`;
/// none where it has no such case.
inline std::vector<Record> judged_at_awkward_sizes(const fs::path& folder, const std::string& family,
                                                   const std::string& pattern,
                                                   const std::vector<std::string>& how = {"--verify-only"},
                                                   double seconds = 280) {
  const Outcome outcome = uotbench(
      folder,
      joined({"--sweep", family + "/awkward.json", "--filter", pattern, "--quiet", "--output", "run.jsonl"},
             how),
      seconds);
  if (outcome.code == 2 && outcome.err.find("leave no case") != std::string::npos) return {};
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return read_run(folder / "run.jsonl").records;
}

/// What cannot run here is skipped and says why; everything else is right.
inline void expect_all_right(const std::vector<Record>& records, std::size_t at_least,
                             std::size_t variants_at_least) {
  std::size_t right = 0;
  std::set<std::string> variants;
  for (const auto& record : records) {
    if (record.status == Status::skipped) {
      EXPECT_NE(record.reason.value_or(""), "") << record.id;
      continue;
    }
    EXPECT_EQ(verdict(record), "ok") << record.id;
    variants.insert(record.variant);
    ++right;
  }
  EXPECT_GE(right, at_least) << "most were skipped";
  EXPECT_GE(variants.size(), variants_at_least);
}

/// The family's CUDA kernels, on the CPU, are right in at least `orders` orders of a block's threads.
inline void expect_right_on_simt(const std::string& family, const std::string& pattern, std::size_t orders) {
  if (!fs::exists(bin + "/uotbench-worker-simt")) GTEST_SKIP() << "no Boost.Context, or a sanitizer";
  const auto sources =
      fs::recursive_directory_iterator(std::string(UOTBENCH_SOURCE_DIR) + "/kernels/" + family);
  if (std::none_of(begin(sources), end(sources),
                   [](const auto& file) { return file.path().extension() == ".cu"; }))
    GTEST_SKIP() << "no variant in CUDA";
  const Folder folder;
  std::map<std::string, std::set<std::string>> right;  // orders by variant
  for (const auto& record : judged_at_awkward_sizes(folder.path(), family, pattern)) {
    if (record.status == Status::skipped) {
      EXPECT_THAT(record.reason.value_or(""), testing::AnyOf(testing::HasSubstr("dtype must be f32"),
                                                             testing::HasSubstr("at most 16 bytes")))
          << record.id;
      continue;
    }
    EXPECT_EQ(verdict(record), "ok") << record.id;
    EXPECT_FALSE(record.time) << record.id << ": how long the CPU takes says nothing";
    right[record.variant].insert(record.point.json().at("order").get<std::string>());
  }
  EXPECT_GE(right.size(), 3u);
  for (const auto& [variant, known] : right) EXPECT_GE(known.size(), orders) << variant;
}

template <class Real>
void write_array(const fs::path& file, const std::vector<std::size_t>& shape,
                 const std::function<double(std::size_t)>& value) {
  NpyArray array = NpyArray::create(file, npy_type<Real>(), shape);
  const auto cells = array.as_mutable<Real>();
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = static_cast<Real>(value(i));
}

/// A row or column without mass gets none, in every variant of the worker; 0/0 must not come up.
inline void expect_right_where_masses_are_zero(const std::string& worker) {
  const Folder folder;
  fs::create_directory(folder / "problem");
  write_array<float>(folder / "problem/K.npy", {13, 11},
                     [](std::size_t i) { return 0.1 + double(i * 7 % 23); });
  write_array<double>(folder / "problem/a.npy", {13},
                      [](std::size_t i) { return i % 5 == 0 ? 0 : 1.0 + double(i); });
  write_array<double>(folder / "problem/b.npy", {11},
                      [](std::size_t j) { return j == 10 || j == 3 ? 0 : 2.0; });
  std::vector<std::string> arguments{"run",           "uot/*",    "--worker", worker,
                                     "--verify-only", "--output", "run.jsonl"};
  for (const char* axis : {"M,N=13,11", "data=npy", "path=problem", "fi=0.5,1", "scheme=unbalanced,damped",
                           "dtype=f32,f64", "threads=1,2"})
    arguments.insert(arguments.end(), {"-a", axis});
  const Outcome outcome = uotbench(folder.path(), arguments);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  expect_all_right(read_run(folder / "run.jsonl").records, 100, 8);
}

}  // namespace uotbench
