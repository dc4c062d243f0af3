// Reads an array. Words are added up as whole numbers: exact in any order, so that one left out shows, and in
// one cycle, so that eight sums never wait for each other. y[0] holds the bits of the sum over all passes.
// Axes ask for narrower loads, and for lines in no order (X. He, PLOS ONE 2023, Fig. 5A).
#include <bit>
#include <cstring>
#include <type_traits>

#include "kernels/ceiling/timed/loads.hpp"
#include "kernels/ceiling/timed/streams.hpp"

namespace uotbench::ceiling {
namespace {

/// Bytes of a load at this point.
std::size_t load_of(const Point& at);

template <class Real>
class Read {
  using Word = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;
  using Pack = simd::native_simd<Word>;

 public:
  explicit Read(const Problem<Real>& problem)
      : streams_(problem, 1,
                 [&](int, std::size_t i) {
                   Word word;
                   std::memcpy(&word, &problem.x[i], sizeof word);
                   return word;
                 }),
        load_(load_of(problem.at)),
        ordered_(problem.at.text("lines") == "ordered"),
        ahead_(elements_ahead<Real>(problem.at)) {}

  void iterate() {
    streams_.iterate([this](auto& part, std::int64_t) { part.sum += sum_of(part[0], part.size); });
  }

  void finish(Result<Real>& out) {
    const Word sum = streams_.sum();
    std::memcpy(&out.y[0], &sum, sizeof sum);
  }

 private:
  Word sum_of(const Word* words, std::size_t n) const {
    if (ordered_ && load_ == sizeof(Pack)) {
      if (ahead_ == 0) return fastest_sum(words, n, [](const Word*) {});
      return fastest_sum(words, n, [this](const Word* at) { __builtin_prefetch(at + ahead_); });
    }
    switch (load_) {
      case 4:
        if constexpr (sizeof(Word) == 4) return sum_by<4>(words, n);
        [[fallthrough]];
      case 8:
        return sum_by<8>(words, n);
      case 16:
        return sum_by<16>(words, n);
      case 32:
        return sum_by<32>(words, n);
      default:
        return sum_by<cache_line>(words, n);
    }
  }
  template <std::size_t bytes>
  Word sum_by(const Word* words, std::size_t n) const {
    const std::size_t lines = n * sizeof(Word) / cache_line;
    if (!ordered_)
      return ceiling::sum_by<bytes>(words, n, [&](const auto& act) { NoOrder(lines).each(act); });
    return ceiling::sum_by<bytes>(words, n, [&](const auto& act) {
      for (std::size_t line = 0; line < lines; ++line) act(line);
    });
  }
  /// before(where) is called before each vector.
  template <class Before>
  static Word fastest_sum(const Word* words, std::size_t n, const Before& before) {
    constexpr std::size_t sums = 8;
    Pack sum[sums] = {};
    std::size_t i = 0;
    for (; i + sums * Pack::size() <= n; i += sums * Pack::size())
      for (std::size_t k = 0; k < sums; ++k) {
        before(words + i + k * Pack::size());
        sum[k] += Pack(words + i + k * Pack::size(), simd::vector_aligned);
      }
    for (std::size_t k = 1; k < sums; ++k) sum[0] += sum[k];
    Word all = simd::reduce(sum[0]);
    for (; i < n; ++i) all += words[i];
    return all;
  }

  Streams<Word> streams_;
  std::size_t load_;
  bool ordered_;
  std::size_t ahead_;  // elements
};

std::size_t load_of(const Point& at) {
  const auto asked = at.size("load");
  return asked == 0 ? sizeof(simd::native_simd<std::uint32_t>) : asked;
}

/// Of other loads than a register's in order the rate is no limit of the machine's, but of these loads.
Work work(const Point& at) {
  Work work = work_of({.reads = 1}, at);
  if (at.size("load") != 0 || at.text("lines") != "ordered")
    work.operations = {{"load", work.bytes_read / static_cast<double>(load_of(at))}};
  return work;
}

std::string cannot_load(const Point& at) {
  const std::size_t load = load_of(at);
  if (at.size("ahead") != 0 && (at.size("load") != 0 || at.text("lines") != "ordered"))
    return "ahead: only with load=0 and lines=ordered";
  const auto most = sizeof(simd::native_simd<std::uint32_t>), least = static_cast<std::size_t>(width(at));
  if (std::has_single_bit(load) && least <= load && load <= most) return "";
  return "load=" + std::to_string(load) + ": this build loads " + std::to_string(least) + " to " +
         std::to_string(most) + " bytes of " + at.text("dtype") + ", a power of two";
}

const Variant<Read<float>, Read<double>> variant{{
    .name = "ceiling/read",
    .summary = "reads an array",
    .axes = {repeat_axis(),
             ahead_axis(),
             {.name = "load",
              .standard = 0,
              .least = 0,
              .most = cache_line,
              .about = "bytes of a load; 0: what a register holds"},
             {.name = "lines",
              .kind = Axis::Kind::text,
              .standard = "ordered",
              .values = {"ordered", "no_order"},
              .about = "cache lines one after the other, or each once in no order"}},
    .work = work,
    .refuse = cannot_load,
    .measures = Measures{"read", 1},
}};

}  // namespace
}  // namespace uotbench::ceiling
