// The oracle's half of the family `match`: what a problem is, its two sets, and whether a result is right.
// A kernel's view of the same problem is in problem.hpp.
#include <fmt/format.h>

#include "harness/worker/oracle/family.hpp"
#include "kernels/match/oracle/data.hpp"
#include "kernels/match/oracle/judge.hpp"
#include "results/base/error.hpp"

namespace uotbench::match {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t multiple = 4;  ///< vectors of four floats are read

FamilySpec match_spec() {
  using enum Axis::Kind;
  return {
      .name = "match",
      .summary = "for each of N query points the candidate, of N, with the largest dot product",
      .axes =
          {{.name = "N", .role = Role::size, .about = "points in each set"},
           {.name = "D",
            .kind = integer,
            .standard = 128,
            .least = multiple,
            .most = 4096,
            .about = "dimensions: a multiple of 4"},
           {.name = "dtype", .kind = text, .standard = "f32", .values = {"f32"}, .about = "element type"},
           {.name = "data",
            .kind = text,
            .standard = "random",
            .values = {"random", "sift", "planted", "negative"},
            .about = "points of length 1: normal; like SIFT's; one set the other's, moved a little; "
                     "every dot product negative"},
           {.name = "seed", .kind = integer, .standard = 1, .least = 0, .about = "of the random numbers"}},
      .iterations = 1,
      .memoryless = true,
      .checked = {Point{{"N", 37}}, Point{{"N", 1}}},
      .mathematics =
          {"For each query q_i the candidate c_j with the largest dot product <q_i, c_j>; j counts from 0. "
           "Any of "
           "several equally good candidates is right.",
           "A result is right where no candidate scores better than the one that was found by more than "
           "rounding allows, and a score that is written is its candidate's."},
      .arrays = {
          {"queries", "N,D", "<f4", false, "points of length 1"},
          {"candidates", "N,D", "<f4", false, "points of length 1"},
          {"index", "N", "<i4", true, "of each query's best candidate; must be written"},
          {"score", "N", "<f4", true, "its dot product; may be written"},
          {"runner_up", "N", "<i4", true, "the second best, -1 where N is 1; may be written"},
          {"runner_up_score", "N", "<f4", true, "its dot product, -inf where N is 1; may be written"}}};
}

class MatchFamily final : public Family {
 public:
  MatchFamily() : Family(match_spec()) {}

  Point derive(const Point& point) const override {
    const std::size_t D = point.size("D"), below = D / multiple * multiple;
    if (D != below)
      throw Error(fmt::format("D={} is no multiple of {}; {} or {} would be right", D, multiple, below,
                              below + multiple));
    return {};
  }

  std::vector<ArraySpec> outputs(const Point& point) const override {
    const std::size_t N = point.size("N");
    return {{"index", "<i4", {N}},
            {"score", "<f4", {N}},
            {"runner_up", "<i4", {N}},
            {"runner_up_score", "<f4", {N}}};
  }

  double input_bytes(const Point& point) const override {
    return 2 * 4 * point.number("N") * point.number("D");
  }

  void prepare(const Point& point, const fs::path& folder) const override {
    forget();
    const std::size_t N = point.size("N"), D = point.size("D");
    NpyArray queries = NpyArray::create(folder / "queries.npy", "<f4", {N, D});
    NpyArray candidates = NpyArray::create(folder / "candidates.npy", "<f4", {N, D});
    Inputs inputs{N, D, queries.as_mutable<float>(), candidates.as_mutable<float>()};
    fill(point, inputs);
  }

  Judgement judge(const Point& point, const fs::path& inputs, const fs::path& outputs,
                  const Claim& claim) const override {
    return judge_.judge(problem_of(point), inputs, outputs, this->outputs(point), claim);
  }

  void forget() const override { judge_.forget(); }

 private:
  mutable Judge judge_;  // mutable for what it remembers; an oracle serves one request at a time
};

const MatchFamily family;

}  // namespace
}  // namespace uotbench::match
