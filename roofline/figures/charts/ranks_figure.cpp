// Speedups over processes, as Fig. 16 of the MAP-UOT paper: what was measured, what the model of time says of
// it and beyond (scaling_model.hpp), and published values, each with a mark of its own.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "results/base/error.hpp"
#include "results/base/units.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/view/compare.hpp"
#include "roofline/figures/charts/chart.hpp"
#include "roofline/figures/figure.hpp"
#include "roofline/model/scaling_model.hpp"

namespace uotbench {
namespace {

constexpr double most_ranks = 1024;

double ranks_of_case(const Shown& shown) {
  return static_cast<double>(settings_of(shown.member->record->point).ranks);
}

/// A variant's cases of a problem that differ in ranks alone, and what the model makes of the one with the
/// most, whose messages are those of a collective.
struct ScaledVariant {
  const Line* line;
  std::vector<const Shown*> cases;  ///< fewest ranks first
  RanksWork work;
  std::string variant() const { return cases.front()->member->record->variant; }
};

struct ScaledProblem {
  std::string title;
  std::vector<ScaledVariant> lines;
};

class RanksFigure {
 public:
  RanksFigure(const FigureSpec& spec, const std::vector<const RunView*>& views,
              const std::vector<Ceilings>& machines)
      : spec_(spec),
        shown_(over_ranks(selected(spec, views))),
        axes_(shown_),
        lines_(axes_.lines(spec, {"ranks"})) {
    const auto exchange = exchange_costs(views);
    if (!exchange)
      throw UsageError(
          fmt::format("ranks: {}: the time of messages is not known; the sweep exchange.json measures it "
                      "(ceiling/pingpong "
                      "and ceiling/allreduce over two processes, two sizes or more): give its run, too",
                      files_of(views)));
    exchange_ = *exchange;
    const Run& run = *shown_.front().view->run;
    for (auto& ceilings : ceilings_of(run))
      if (ceilings.device == "cpu") own_.push_back(std::move(ceilings));
    if (own_.empty())
      throw UsageError(fmt::format("ranks: {}: the run holds no ceilings; uotbench machine measures them",
                                   run.path.string()));
    const double cpus = run.header.machine.logical_cpus().value_or(1);
    here_.push_back({&own_.front(), Caches(run.header.machine), cpus});
    add_problems();
    set_shares();
    for (const auto& ceilings : machines)
      if (ceilings.cluster) machines_.push_back(&ceilings);
  }

  Drawing drawing() {
    for (const char* kind : {"measured", "modelled", "published"}) add_series(kind);
    chart_.columns = {"id", "kind", "ranks", "seconds", "speedup", "exchange_share", "error"};
    for (const auto& problem : problems_) add_panel(problem, here_.front(), "here", nullptr, 0);
    for (const auto* machine : machines_) add_published(*machine);
    Drawing drawing = drawing_of(chart_, spec_);
    drawing.left_out = std::move(uncompared_);
    tell(drawing.notes);
    return drawing;
  }

 private:
  static std::vector<Shown> over_ranks(std::vector<Shown> all) {
    std::erase_if(all, [](const Shown& one) {
      return !RanksWork::of(*one.member->record) || family_of(*one.member->record) == "ceiling";
    });
    if (all.empty())
      throw UsageError("ranks: no case is of a variant over processes, such as uot/mpi_map_uot");
    return all;
  }

  void add_problems() {
    for (const auto& [title, cases] :
         grouped(pointers(shown_), [&](const Shown& one) { return axes_.problem(one); })) {
      ScaledProblem problem{.title = title, .lines = {}};
      for (const auto& line : lines_) {
        std::vector<const Shown*> its;
        for (const auto* one : line.cases)
          if (std::ranges::find(cases, one) != cases.end()) its.push_back(one);
        if (its.empty()) continue;
        std::ranges::stable_sort(its, {}, [](const Shown* one) { return ranks_of_case(*one); });
        problem.lines.push_back({&line, its, *RanksWork::of(*its.back()->member->record)});
      }
      problems_.push_back(std::move(problem));
    }
  }

  /// Each variant's share of its roof, from its largest problem on the fewest processes: the only times that
  /// the model is given.
  void set_shares() {
    std::map<const Line*, std::pair<double, const Shown*>> known;
    for (const auto& problem : problems_)
      for (const auto& scaled : problem.lines) {
        const double bytes = scaled.work.work.bytes();
        auto& [most, from] = known[scaled.line];
        if (!from || bytes > most) most = bytes, from = scaled.cases.front();
      }
    for (auto& problem : problems_)
      for (auto& scaled : problem.lines) {
        const Shown& from = *known[scaled.line].second;
        given_.push_back(&from);
        const auto share = share_of_roof(*from.member, here_.front(), exchange_);
        if (!share)
          throw UsageError(
              fmt::format("ranks: {} has no roof: its run's ceilings are not for its number of "
                          "CPUs; uotbench machine measures them",
                          from.member->record->id));
        scaled.work.share = *share;
      }
  }

  void add_series(const char* kind) {
    const std::string text = kind;
    for (const auto& line : lines_)
      chart_.series.push_back({.label = line.label + ", " + text,
                               .colour = line.colour,
                               .look = line.look,
                               .drawn = text == "modelled" ? Series::Drawn::line : Series::Drawn::points});
    if (text != "published") return;
    for (auto i = chart_.series.size() - lines_.size(); i < chart_.series.size(); ++i)
      chart_.series[i].look += lines_.size();  // a shape of its own
  }

  /// What the model's and the measured times are over: the sweep's variant, else the first, on one process.
  const ScaledVariant& base_of(const ScaledProblem& problem, const std::string& variant) const {
    for (const auto& scaled : problem.lines)
      if (scaled.variant() == variant) return scaled;
    return problem.lines.front();
  }

  std::string reference() const {
    return ObjectDocument(spec_.over.is_null() ? shown_.front().view->reference.document() : spec_.over)
        .text("variant");
  }

  void add_panel(const ScaledProblem& problem, const Nodes& nodes, const std::string& where,
                 const Cluster* published, int ranks_of_node) {
    const ScaledVariant& base = base_of(problem, published ? published->over : reference());
    const auto one = time_over(base.work, 1, nodes, exchange_);
    if (!one) return;
    // Here, times are held against the base's measured one.
    const double base_seconds = published || ranks_of_case(*base.cases.front()) != 1
                                    ? one->seconds()
                                    : base.cases.front()->member->time->median;
    Panel panel{.title = published ? where : problem.title + ", " + where, .x = {}, .y = {}, .marks = {}};
    panel.marks.resize(3 * lines_.size());
    for (const auto& scaled : problem.lines) {
      const auto place = static_cast<std::size_t>(scaled.line - lines_.data());
      // The base's seconds in the unit of this variant's.
      const auto &own = *scaled.cases.front()->member, &its_base = *base.cases.front()->member;
      const auto times = compared_times(own, its_base);
      if (!times) {
        uncompared_.emplace_back(own.record->id, "timed in another unit than what speedups are over");
        continue;
      }
      const double over = base_seconds * (times->b / its_base.time->median) / (times->a / own.time->median);
      if (!published) add_measured(panel.marks[place], scaled, nodes, over);
      for (double ranks = 1; ranks <= most_ranks; ranks *= 2)
        if (const auto time = time_over(scaled.work, ranks, nodes, exchange_))
          panel.marks[lines_.size() + place].push_back(
              modelled_mark(scaled.line->label + ", " + panel.title, ranks, *time, over));
      if (!published) continue;
      for (const auto& each : published->published)
        if (each.variant == scaled.variant() && each.ranks_of_node == ranks_of_node)
          add_published_mark(panel.marks[2 * lines_.size() + place], each, scaled, nodes, over, where,
                             published->source);
    }
    double low = 1, high = 1;
    for (const auto& marks : panel.marks)
      for (const auto& mark : marks) low = std::min(low, mark.y), high = std::max(high, mark.y);
    panel.x = log2_axis("ranks", 1, most_ranks);
    panel.y =
        log2_axis("speedup over " + label_of(spec_, base.variant()) + ", 1 rank", low / 1.1, 1.1 * high);
    chart_.panels.push_back(std::move(panel));
  }

  void add_measured(std::vector<Mark>& marks, const ScaledVariant& scaled, const Nodes& nodes, double over) {
    for (const auto* one : scaled.cases) {
      const double seconds = one->member->time->median, ranks = ranks_of_case(*one);
      auto own = RanksWork::of(*one->member->record);
      own->share = scaled.work.share;
      const auto time = time_over(*own, ranks, nodes, exchange_);
      const bool given = std::ranges::find(given_, one) != given_.end();
      const double error = time ? time->seconds() / quickest_launch(*one->member) - 1 : NAN;
      const std::string& id = one->member->record->id;
      if (time && !given) errors_.push_back({id, error, time->seconds() / seconds - 1});
      marks.push_back(
          {.x = ranks,
           .y = over / seconds,
           .range = {},
           .tip = fmt::format("{}\n{:.3g}×, {}, measured\nfrom {}", id, over / seconds,
                              format_seconds(seconds), source_of(*one)),
           .row = {id, given ? "measured, given to the model" : "measured", exact(ranks), exact(seconds),
                   exact(over / seconds), "", time && !given ? exact(error) : ""}});
    }
  }

  static Mark modelled_mark(const std::string& name, double ranks, const RanksTime& time, double over) {
    const double seconds = time.seconds();
    return {.x = ranks,
            .y = over / seconds,
            .range = {},
            .tip = fmt::format("{}, {} ranks\n{:.3g}×, {}, modelled: {:.0f}% of it exchange, matrix from {}",
                               name, ranks, over / seconds, format_seconds(seconds),
                               100 * time.exchange / seconds, time.level),
            .row = {name, "modelled, from " + time.level, exact(ranks), exact(seconds), exact(over / seconds),
                    exact(time.exchange / seconds), ""}};
  }

  void add_published_mark(std::vector<Mark>& marks, const PublishedSpeedup& each, const ScaledVariant& scaled,
                          const Nodes& nodes, double over, const std::string& where,
                          const std::string& source) {
    const auto time = time_over(scaled.work, each.ranks, nodes, exchange_);
    const double model = time ? over / time->seconds() : NAN;
    const std::string name = scaled.line->label + ", " + where;
    marks.push_back(
        {.x = double(each.ranks),
         .y = each.speedup,
         .range = {},
         .tip = fmt::format("{}, {} ranks\n{:.3g}×, published: {}", name, each.ranks, each.speedup, source),
         .row = {name, "published", exact(each.ranks), "", exact(each.speedup), "",
                 time ? exact(model / each.speedup - 1) : ""}});
    if (time)
      distances_.push_back(
          fmt::format("{} with {} ranks: published {:.3g}×, modelled {:.3g}× ({}, {:.0f}% exchange)", name,
                      each.ranks, each.speedup, model, time->level, 100 * time->exchange / time->seconds()));
  }

  /// A panel for each number of processes a node that something was published of.
  void add_published(const Ceilings& machine) {
    const Cluster& cluster = *machine.cluster;
    const auto problem = std::ranges::find_if(problems_, [&](const ScaledProblem& one) {
      const ObjectDocument& point = one.lines.front().cases.front()->member->record->point;
      return std::ranges::all_of(cluster.problem.names(), [&](const std::string& axis) {
        return point.value(axis) == cluster.problem.value(axis);
      });
    });
    if (problem == problems_.end()) {
      distances_.push_back(fmt::format("{}: none of these cases is of the published problem, {}",
                                       machine.name, cluster.problem.line()));
      return;
    }
    std::set<int> layouts;
    for (const auto& each : cluster.published) layouts.insert(each.ranks_of_node);
    if (layouts.empty()) layouts.insert(cluster.cores);
    const Caches caches = listed_caches(cluster.caches);
    for (const int each : layouts)
      add_panel(*problem, {&machine, caches, double(each), cluster.network},
                fmt::format("{}, {} a node", machine.name, each), &cluster, each);
  }

  void tell(std::vector<std::string>& notes) const {
    const auto text = [](const SecondsBySize& times) {
      return fmt::format("{} and {} GB/s", format_seconds(times.latency()),
                         format_fixed(1e-9 / times.per_byte(), 1));
    };
    notes.push_back(
        fmt::format("modelled: a message takes {}, a step of Allreduce {} (measured at {} and {} sizes); "
                    "here, beyond its CPUs: "
                    "more nodes like this one, with a network as quick as its memory",
                    text(exchange_.message), text(exchange_.step), exchange_.message.measured.size(),
                    exchange_.step.measured.size()));
    std::string shares;
    for (const auto& scaled : problems_.front().lines)
      shares += fmt::format("{}{} {:.0f}%", shares.empty() ? "" : ", ", scaled.line->label,
                            100 * scaled.work.share);
    notes.push_back(
        "the model is given each variant's share of its roof on the fewest ranks, in the largest problem: " +
        shares);
    for (const auto& [id, error, of_median] : errors_)
      notes.push_back(fmt::format("{}: modelled {:+.0f}% of the quickest launch, {:+.0f}% of the median", id,
                                  100 * error, 100 * of_median));
    notes.insert(notes.end(), distances_.begin(), distances_.end());
  }

  const FigureSpec& spec_;
  std::vector<Shown> shown_;
  CaseAxes axes_;
  std::vector<Line> lines_;
  ExchangeCosts exchange_;
  std::vector<Ceilings> own_;
  std::vector<Nodes> here_;
  std::vector<ScaledProblem> problems_;
  std::vector<const Shown*> given_;  ///< the cases whose times the model knows
  std::vector<const Ceilings*> machines_;
  Chart chart_;
  struct Error {
    std::string id;
    double of_quickest, of_median;
  };
  std::vector<Error> errors_;
  std::vector<std::string> distances_;
  std::vector<std::pair<std::string, std::string>> uncompared_;
};

}  // namespace

Drawing ranks_figure(const FigureSpec& spec, const std::vector<const RunView*>& views,
                     const std::vector<Ceilings>& ceilings) {
  return RanksFigure(spec, views, ceilings).drawing();
}

}  // namespace uotbench
