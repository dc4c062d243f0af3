// The layer condition's traffic is what a cache with least-recently-used replacement counts, on both sides of
// the break.
#include "kernels/stencil/timed/layer_condition.hpp"

#include <list>
#include <unordered_map>
#include <vector>

#include "kernels/stencil/tests/fixture.hpp"

namespace uotbench::stencil {
namespace {

/// Fully associative, of lines of eight f64.
class LruCache {
 public:
  explicit LruCache(std::size_t bytes) : most_(bytes / 64) {}

  void access(std::size_t line, bool writes) {
    const auto known = lines_.find(line);
    if (known == lines_.end()) {
      ++read;
      if (lines_.size() == most_) {
        written += lines_.at(order_.back()).second;
        lines_.erase(order_.back());
        order_.pop_back();
      }
      order_.push_front(line);
      lines_[line] = {order_.begin(), writes};
      return;
    }
    order_.splice(order_.begin(), order_, known->second.first);
    known->second.second |= writes;
  }

  std::size_t read = 0, written = 0;

 private:
  std::size_t most_;
  std::list<std::size_t> order_;
  std::unordered_map<std::size_t, std::pair<std::list<std::size_t>::iterator, bool>> lines_;
};

struct AccessingCell {
  const View<double>& view;
  std::ptrdiff_t k;
  const double* origin;
  LruCache& cache;
  Counts& ignored;

  void access(const double* at, bool writes) const {
    cache.access(static_cast<std::size_t>(at - origin) / 8, writes);
  }
  CountedNumber operator()(int f, int di = 0, int dj = 0) const {
    access(view.in[f] + k + di * view.row + dj, false);
    return {&ignored};
  }
  void put(int f, CountedNumber) const { access(view.out[f] + k, true); }
};

/// Elements a cell that a step moves, after one that filled the cache.
double simulated(const Point& at, std::size_t bytes) {
  const std::size_t nx = at.size("nx"), ny = at.size("ny"), apart = (nx * ny / 8 + 3) * 8;
  std::vector<double> memory(6 * apart);
  Fields<double> fields{nx, ny, {}};
  for (std::size_t f = 0; f < 6; ++f) fields.at[f] = memory.data() + f * apart;
  LruCache cache(bytes);
  Counts ignored;
  const auto sweep = [&](bool odd) {
    const auto run = [&](const auto& stage) {
      for (std::size_t line = 0; line < stage.lines.count; ++line)
        for (std::size_t k = stage.lines.begin(line); k < stage.lines.end(line); ++k)
          stage.formula(
              AccessingCell{stage.view, static_cast<std::ptrdiff_t>(k), memory.data(), cache, ignored});
    };
    std::visit([&](const auto& model) { model.stages(fields, odd, run); },
               model_of<double>(at.text("model"), numbers_of<double>(at)));
  };
  sweep(false);
  const std::size_t before = cache.read + cache.written;
  sweep(true);
  return 8 * static_cast<double>(cache.read + cache.written - before) / static_cast<double>(nx * ny);
}

TEST(LayerCondition, IsWhatACacheCounts) {
  constexpr double cache = 16384;
  for (const auto& [model, rows] :
       {std::pair("heat2d", 4.), {"predictor", 11.}, {"corrector", 11.}, {"ns2d", 11.}}) {
    const double most_columns = cache / 8 / rows;
    for (const double share : {.5, .7, .85, 1.2, 1.5, 2.}) {
      const auto ny = static_cast<int>(share * most_columns);
      const Point at = point({{"model", model}, {"nx", 150}, {"ny", ny}});
      const LayerTraffic traffic = layer_traffic(at, cache, ny);
      EXPECT_EQ(traffic.rows, rows) << model;
      EXPECT_NEAR(traffic.all() / simulated(at, static_cast<std::size_t>(cache)), 1, .05)
          << model << " " << ny;
    }
  }
}

/// Where it holds, what is read and written is the publication's beta_lo.
TEST(LayerCondition, HoldsWhereEveryArrayIsReadOnce) {
  for (const char* model : {"copy", "axpy", "heat2d", "ns2d"}) {
    const Point at = point({{"model", model}, {"nx", 100}, {"ny", 100}});
    const LayerTraffic traffic = layer_traffic(at, 1e9, 100);
    EXPECT_EQ(traffic.read + traffic.written, counts_of(at).low()) << model;
    EXPECT_EQ(traffic.fetched, counts_of(at).fetched) << model;
  }
  EXPECT_EQ(layer_traffic(point({{"model", "heat2d"}, {"nx", 100}, {"ny", 100}}), 1, 100).read, 3);
  EXPECT_EQ(layer_traffic(point({{"model", "ns2d"}, {"nx", 100}, {"ny", 100}}), 1, 100).read, 8 + 11);
}

}  // namespace
}  // namespace uotbench::stencil
