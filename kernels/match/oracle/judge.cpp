#include "kernels/match/oracle/judge.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/worker/arrays.hpp"
#include "harness/worker/oracle/difference.hpp"
#include "results/base/error.hpp"

namespace uotbench::match {
namespace {

namespace fs = std::filesystem;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A sum of D rounded products is off by at most about D eps |a| |b| (Higham 2002, "Accuracy and stability of
/// numerical algorithms", section 3.1), so two scores, compared, by twice that; and twice that for kernels
/// that split numbers.
double standard_tolerance(std::size_t D) {
  return 4 * static_cast<double>(D) * std::numeric_limits<float>::epsilon();
}

bool claims(const Claim& claim, const std::string& output) {
  return std::ranges::find(claim.outputs, output) != claim.outputs.end();
}

/// Why the file is not the array it was made as; a worker in another language may have replaced it.
std::string misshapen(const ArraySpec& spec, const fs::path& folder) try {
  auto array = NpyArray::open(folder / (spec.name + ".npy"));
  if (array.type() != spec.type || array.shape() != spec.shape)
    return fmt::format("wrong: {} is {} ({}), want {} ({})", spec.name, array.type(),
                       fmt::join(array.shape(), ", "), spec.type, fmt::join(spec.shape, ", "));
  // That of one point has no runner-up: -1, which looks like poison.
  const bool minus_one = spec.name == "runner_up" && spec.shape[0] == 1;
  return is_untouched(array) && !minus_one ? "outputs untouched: " + spec.name + " was not written" : "";
} catch (const Error& error) {
  return fmt::format("wrong: {} cannot be read: {}", spec.name, error.what());
}

/// What can be said of the outputs before anything is computed; empty: they are worth comparing.
std::string violation_of(const fs::path& outputs, const std::vector<ArraySpec>& specs, const Claim& claim) {
  if (!claims(claim, "index")) return "outputs untouched: index was not written";
  for (const auto& [one, other] :
       {std::pair("runner_up", "runner_up_score"), {"runner_up_score", "runner_up"}})
    if (claims(claim, one) && !claims(claim, other))
      return fmt::format("outputs untouched: {} was not written, but {} was", other, one);
  for (const auto& spec : specs) {
    if (!claims(claim, spec.name)) continue;
    if (const auto reason = misshapen(spec, outputs); !reason.empty()) return reason;
  }
  return "";
}

/// What has been found out so far: the largest error, and of the first wrong query why it is.
class Findings {
 public:
  Findings(double tolerance, std::size_t queries)
      : check_{.tolerance = tolerance, .oracle = "eigen-f64", .worst = "index"}, wrong_(1, queries) {}

  bool tolerates(double error) const { return error <= check_.tolerance; }  // false for NaN

  /// `why()` is asked for the first error that is over the tolerance.
  template <class Why>
  bool add(const char* output, double error, std::size_t query, const Why& why) {
    if (std::isnan(error)) error = infinity;
    if (error > check_.error) {
      check_.error = error;
      check_.worst = output;
    }
    if (tolerates(error)) return true;
    if (wrong_.count == 0) reason_ = "wrong: " + why();
    if (wrong_.by_column[query] == 0) wrong_.add(0, query);
    return false;
  }

  /// Of `count` of N queries, by as many threads of the case.
  Judgement judged(std::size_t count, std::size_t N, int threads) {
    std::string pattern;
    if (count == N) pattern = pattern_of(wrong_, threads);
    if (count < N) {
      check_.kind = "sampled";
      check_.oracle += fmt::format(" ({} of {} queries)", count, N);
    }
    if (wrong_.count > 1)
      reason_ += fmt::format("; {} queries are wrong{}", wrong_.count, pattern.empty() ? "" : ", " + pattern);
    return {check_, reason_};
  }

 private:
  Check check_;
  std::string reason_;
  WrongPlaces wrong_;
};

/// One search's results: the best candidates', or the second best.
struct Answers {
  const char *index_name, *score_name;
  const char* what;  ///< of the reference's candidate, in messages
  std::span<const std::int32_t> index;
  std::span<const float> score;  ///< empty: not claimed
};

class Comparison {
 public:
  Comparison(const Sets& sets, std::span<const double> query_lengths,
             std::span<const double> candidate_lengths, Findings& findings)
      : sets_(sets), a_(query_lengths), b_(candidate_lengths), findings_(findings) {}

  /// That the index is a candidate's, and the score its.
  bool is_consistent(const Answers& answers, std::size_t i) {
    const std::int32_t index = answers.index[i];
    if (index < 0 || static_cast<std::size_t>(index) >= sets_.N)
      return findings_.add(answers.index_name, infinity, i, [&] {
        return fmt::format("{} of query {} is {}: no candidate 0..{}", answers.index_name, i, index,
                           sets_.N - 1);
      });
    if (answers.score.empty()) return true;
    const auto j = static_cast<std::size_t>(index);
    const double is = answers.score[i], should = score(sets_, i, j);
    return findings_.add(answers.score_name, relative(std::abs(is - should), i, b_[j]), i, [&] {
      return fmt::format("{} of query {} is {:.7g}; its candidate {} scores {:.7g}", answers.score_name, i,
                         is, j, should);
    });
  }

  /// That no candidate is better than the one found.
  void compare(const Answers& answers, std::size_t i, const Match& want) {
    const std::int32_t index = answers.index[i];
    if (index == want.index) return;
    const auto j = static_cast<std::size_t>(index);
    const double is = score(sets_, i, j), longer = std::max(b_[j], b_[static_cast<std::size_t>(want.index)]);
    findings_.add(answers.index_name, relative(want.score - is, i, longer), i, [&] {
      return fmt::format("query {}: candidate {} scores {:.7g}, candidate {}{} scores {:.7g}", i, j, is,
                         want.index, answers.what, want.score);
    });
  }

 private:
  double relative(double difference, std::size_t i, double candidate_length) const {
    const double scale = a_[i] * candidate_length;
    return difference <= 0 ? 0 : difference / scale;
  }

  const Sets& sets_;
  std::span<const double> a_, b_;
  Findings& findings_;
};

/// Of one candidate there is no second best.
void expect_none(const Answers& answers, Findings& findings) {
  findings.add(answers.index_name, answers.index[0] == -1 ? 0 : infinity, 0, [&] {
    return fmt::format("{} of query 0 is {}; expected -1, because there is one candidate", answers.index_name,
                       answers.index[0]);
  });
  findings.add(answers.score_name, answers.score[0] == -infinity ? 0 : infinity, 0, [&] {
    return fmt::format("{} of query 0 is {}; expected -inf, because there is one candidate",
                       answers.score_name, answers.score[0]);
  });
}

}  // namespace

/// The error is the largest over all queries of what the best candidate's score is better than that of the
/// one found, and of what a score is off, relative to the lengths of query and candidate; in double from the
/// inputs as written.
Judgement Judge::judge(const Point& problem, const fs::path& inputs, const fs::path& outputs,
                       const std::vector<ArraySpec>& specs, const Claim& claim) {
  const std::size_t N = problem.size("N"), D = problem.size("D");
  const double tolerance = claim.tolerance.value_or(standard_tolerance(D));
  if (const auto reason = violation_of(outputs, specs, claim); !reason.empty())
    return {{.error = infinity, .tolerance = tolerance, .oracle = "eigen-f64", .worst = "index"}, reason};

  Arrays given(inputs, false), got(outputs, false);
  const Sets sets{N, D, given["queries"].as<float>(), given["candidates"].as<float>()};
  const auto& [key, best, query_lengths, candidate_lengths] = reference(problem, inputs, sets);
  const auto scores = [&](const char* name) {
    return claims(claim, name) ? got[name].as<float>() : std::span<const float>();
  };
  const bool both = claims(claim, "runner_up");
  const Answers first{"index", "score", "", got["index"].as<std::int32_t>(), scores("score")};
  const Answers second{"runner_up", "runner_up_score", ", the second best,",
                       both ? got["runner_up"].as<std::int32_t>() : std::span<const std::int32_t>(),
                       scores("runner_up_score")};

  Findings findings(tolerance, N);
  Comparison comparison(sets, query_lengths, candidate_lengths, findings);
  auto next = best.begin();
  for (std::size_t i = 0; i < N; ++i) {
    const bool searched = next != best.end() && next->query == i;
    const Best* const want = searched ? &*next++ : nullptr;
    if (comparison.is_consistent(first, i) && want) comparison.compare(first, i, want->first);
    if (!both || N == 1 || !comparison.is_consistent(second, i)) continue;
    findings.add("runner_up", second.index[i] != first.index[i] ? 0 : infinity, i, [&] {
      return fmt::format("runner_up of query {} is {}, which is its index, too; expected another", i,
                         second.index[i]);
    });
    // Where the best two are equal, either may have been taken for the best.
    if (want)
      comparison.compare(second, i,
                         {want->second.index == first.index[i] ? want->first.index : want->second.index,
                          want->second.score});
  }
  if (both && N == 1) expect_none(second, findings);
  return findings.judged(best.size(), N, claim.threads);
}

const Judge::Known& Judge::reference(const Point& problem, const fs::path& folder, const Sets& sets) {
  const std::pair key{folder, problem};
  if (known_ && known_->key == key) return *known_;
  known_ = {key, search(sets, searched_queries(sets.N, sets.D, multiply_adds_)), {}, {}};
  for (std::size_t i = 0; i < sets.N; ++i) {
    known_->query_lengths.push_back(length(sets.queries.subspan(i * sets.D, sets.D)));
    known_->candidate_lengths.push_back(length(sets.candidates.subspan(i * sets.D, sets.D)));
  }
  return *known_;
}

}  // namespace uotbench::match
