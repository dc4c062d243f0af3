#include "roofline/figures/ladder/ladder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "results/base/error.hpp"
#include "results/base/pattern.hpp"
#include "results/record/axes/case_parts.hpp"
#include "results/view/metrics.hpp"
#include "roofline/figures/lines.hpp"

namespace uotbench {
namespace {

/// "N:256", of a case's problem what its id tells.
std::string size_of(const Shown& shown) {
  const auto parts = AxisRoles(shown.view->run->header).parts(*shown.member->record).problem;
  return fmt::format("{}", fmt::join(parts, " "));
}

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(name);
}

class LadderMaker {
 public:
  LadderMaker(const FigureSpec& spec, const std::vector<const RunView*>& views,
              const std::vector<Shown>& shown)
      : spec_(spec), views_(views), shown_(shown) {
    for (const auto* view : views)
      if (auto published = published_of(view->run->header); published && !published_)
        published_ = std::move(published);
  }

  Ladder made() {
    if (published_) ladder_.machines = published_->machines, ladder_.flops = published_->flops;
    find_rungs();
    for (const auto& quantity : quantities()) ladder_.panels.push_back(panel_of(quantity));
    for (const auto& panel : ladder_.panels) require_values(panel);
    leave_out_empty_rungs();
    leave_out_empty_machines();
    name_workers();
    if (!several_.empty())
      ladder_.notes.push_back(fmt::format("several cases for one place; drawn is the {}: {}",
                                          published_ ? "fastest, or the one counted nearest in size to the "
                                                       "published problem"
                                                     : "fastest, or the first counted",
                                          fmt::join(several_, ", ")));
    return std::move(ladder_);
  }

 private:
  /// With a filter the variants that have an id of theirs among those that match, whatever became of the
  /// case.
  bool is_wanted(const std::string& variant, const Pattern& filter) const {
    if (spec_.filter.empty()) return true;
    for (const auto* view : views_)
      for (const auto& record : view->run->records)
        if (record.variant == variant && filter.is_in(record.id)) return true;
    return false;
  }

  void find_rungs() {
    const Pattern filter(spec_.filter, "filter");
    std::vector<std::string> variants = spec_.order;
    if (published_)
      for (const auto& variant : published_->variants()) add_once(variants, variant);
    // What is not published follows the variant that it follows in its run.
    for (const auto* view : views_) {
      std::string before;
      for (const auto& record : view->run->records) {
        if (std::ranges::none_of(shown_, [&](const Shown& one) { return one.member->record == &record; }))
          continue;
        if (std::ranges::find(variants, record.variant) == variants.end()) {
          const auto place = std::ranges::find(variants, before);
          variants.insert(place == variants.end() ? place : place + 1, record.variant);
        }
        before = record.variant;
      }
    }
    for (auto& variant : variants)
      if (is_wanted(variant, filter)) ladder_.variants.push_back(std::move(variant));
    for (const auto& variant : ladder_.variants) ladder_.labels.push_back(label_of(spec_, variant));
  }

  /// The rate, and the counters that were published and that some case has; or what --value lists.
  std::vector<std::string> quantities() const {
    std::vector<std::string> names = ladder_values(spec_);
    if (!names.empty()) return names;
    const bool timed =
        std::ranges::any_of(shown_, [](const Shown& one) { return flop_rate(*one.member).has_value(); });
    const bool published = published_ && std::ranges::any_of(published_->values, [](const auto& value) {
                             return value.time.has_value();
                           });
    if (timed || published) names.emplace_back(ladder_rate);
    if (published_)
      for (const auto& counter : published_->counters())
        if (std::ranges::any_of(
                shown_, [&](const Shown& one) { return counted(*one.member->record, counter).has_value(); }))
          names.push_back(counter);
    if (names.empty())
      throw UsageError(fmt::format("ladder: {}: no case is timed; --value COUNTER draws what was counted",
                                   files_of(views_)));
    return names;
  }

  LadderPanel panel_of(const std::string& quantity) {
    LadderPanel panel{.quantity = quantity, .unit = "flops/seconds"};
    for (const auto& variant : ladder_.variants) {
      std::vector<const Shown*> cases;
      for (const auto& one : shown_)
        if (one.member->record->variant == variant) cases.push_back(&one);
      panel.ours.push_back(panel.is_rate() ? fastest(cases) : counted_bar(panel, cases));
    }
    panel.theirs.resize(ladder_.machines.size());
    for (auto& steps : panel.theirs) steps.resize(ladder_.variants.size());
    if (published_)
      for (const auto& value : published_->values) add_step(panel, value);
    return panel;
  }

  void add_step(LadderPanel& panel, const PublishedValue& value) const {
    const auto rung = std::ranges::find(ladder_.variants, value.variant) - ladder_.variants.begin();
    if (rung == std::ssize(ladder_.variants)) return;
    auto& step = panel.theirs[value.machine][static_cast<std::size_t>(rung)];
    if (panel.is_rate() && value.time)
      step = LadderStep{.value = published_->flops / *value.time, .digits = digits_of(*value.time)};
    for (const auto& [name, count] : value.counters)
      if (name == panel.quantity) step = LadderStep{.value = count, .digits = digits_of(count)};
  }

  std::optional<LadderBar> fastest(const std::vector<const Shown*>& cases) {
    std::vector<const CaseView*> members;
    for (const auto* one : cases)
      if (flop_rate(*one->member)) members.push_back(one->member);
    const CaseView* best = fastest_by_rate(members);
    if (!best) return std::nullopt;
    if (members.size() > 1) add_once(several_, best->record->id);
    const auto shown = std::ranges::find(cases, best, &Shown::member);
    return LadderBar{.shown = *shown,
                     .value = *flop_rate(*best),
                     .source = "measured",
                     .doubtful = !best->warnings.empty()};
  }

  /// Metrics are ratios, and maxima have no unit: neither grows with the problem.
  std::optional<LadderBar> counted_bar(LadderPanel& panel, const std::vector<const Shown*>& cases) {
    std::optional<LadderBar> nearest;
    std::size_t many = 0;
    double distance = 0;
    for (const auto* one : cases) {
      const Record& record = *one->member->record;
      const Metrics metrics(one->view->run->header, {&record, 1});
      const auto metric = std::ranges::find(metrics.all(), panel.quantity, &Metric::name);
      const bool is_metric = metric != metrics.all().end();
      const Counter counter = is_metric ? value_of(*metric, record) : counter_or_why(record, panel.quantity);
      if (!counter.value) continue;
      panel.unit = is_metric ? metric->unit : counter.unit;
      double scale = 1;
      if (published_ && !is_metric && counter.unit != "1") {
        const auto to_published = scale_to(published_->flops, record);
        if (!to_published) continue;  // its count would stand beside others of another size
        scale = *to_published;
        panel.scaled = true;
      }
      ++many;
      const double away = std::max(scale, 1 / scale);
      if (!nearest || away < distance) {
        nearest = LadderBar{
            .shown = one, .value = *counter.value * scale, .scale = scale, .source = text_of(counter.origin)};
        distance = away;
      }
    }
    if (many > 1) add_once(several_, nearest->shown->member->record->id);
    return nearest;
  }

  void require_values(const LadderPanel& panel) const {
    for (std::size_t rung = 0; rung < panel.ours.size(); ++rung)
      if (panel.has_value(rung)) return;
    const Record& first = *shown_.front().member->record;
    throw UsageError(fmt::format(
        "ladder: no case has a value of {}; {}: {}", panel.quantity, first.id,
        panel.is_rate() ? "it is not timed" : on_one_line(counter_or_why(first, panel.quantity).reason)));
  }

  void leave_out_empty_rungs() {
    for (std::size_t rung = ladder_.variants.size(); rung-- > 0;) {
      if (std::ranges::any_of(ladder_.panels, [&](const auto& panel) { return panel.has_value(rung); }))
        continue;
      const auto at = static_cast<std::ptrdiff_t>(rung);
      ladder_.notes.push_back(fmt::format("{} has no value, and no rung", ladder_.variants[rung]));
      ladder_.variants.erase(ladder_.variants.begin() + at);
      ladder_.labels.erase(ladder_.labels.begin() + at);
      for (auto& panel : ladder_.panels) {
        panel.ours.erase(panel.ours.begin() + at);
        for (auto& steps : panel.theirs) steps.erase(steps.begin() + at);
      }
    }
  }

  void leave_out_empty_machines() {
    for (std::size_t machine = ladder_.machines.size(); machine-- > 0;) {
      if (std::ranges::any_of(ladder_.panels, [&](const LadderPanel& panel) {
            return std::ranges::any_of(panel.theirs[machine],
                                       [](const auto& step) { return step.has_value(); });
          }))
        continue;
      const auto at = static_cast<std::ptrdiff_t>(machine);
      ladder_.machines.erase(ladder_.machines.begin() + at);
      for (auto& panel : ladder_.panels) panel.theirs.erase(panel.theirs.begin() + at);
    }
  }

  void name_workers() {
    auto& workers = ladder_.workers;
    for (auto& panel : ladder_.panels)
      for (auto& bar : panel.ours) {
        if (!bar) continue;
        const std::string& name = bar->shown->member->record->worker;
        auto worker = std::ranges::find(workers, name, &LadderWorker::name);
        if (worker == workers.end()) worker = workers.insert(worker, {.name = name, .sizes = {}});
        add_once(worker->sizes, size_of(*bar->shown));
        bar->worker = static_cast<std::size_t>(worker - workers.begin());
      }
  }

  const FigureSpec& spec_;
  const std::vector<const RunView*>& views_;
  const std::vector<Shown>& shown_;
  std::optional<Published> published_;
  Ladder ladder_;
  std::vector<std::string> several_;  ///< ids drawn of rungs with more than one
};

}  // namespace

bool LadderPanel::has_value(std::size_t rung) const {
  return ours[rung] ||
         std::ranges::any_of(theirs, [&](const auto& steps) { return steps[rung].has_value(); });
}

std::vector<std::string> ladder_values(const FigureSpec& spec) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < spec.value.size();) {
    const auto comma = std::min(spec.value.find(',', at), spec.value.size());
    add_once(names, spec.value.substr(at, comma - at));
    at = comma + 1;
  }
  return names;
}

Ladder ladder_of(const FigureSpec& spec, const std::vector<const RunView*>& views,
                 const std::vector<Shown>& shown) {
  return LadderMaker(spec, views, shown).made();
}

}  // namespace uotbench
