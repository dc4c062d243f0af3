#include "roofline/model/exchange_model.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <string>

#include "results/record/axes/settings_json.hpp"

namespace uotbench {
namespace {

/// Of a variant's cases of two processes: the bytes of a message, and the median; `part` of it.
SecondsBySize times_of(const std::vector<const RunView*>& views, const std::string& variant, double part) {
  SecondsBySize all;
  for (const auto* view : views)
    for (const auto& group : view->groups)
      for (const auto& member : group.cases) {
        const Record& record = *member.record;
        if (record.variant != variant || record.status != Status::ok || !has_time(member)) continue;
        if (settings_of(record.point).ranks != 2 || !record.work) continue;
        double messages = 0, bytes = 0;
        for (const auto& [name, count] : record.work->operations)
          (name == "messages" ? messages : bytes) = count;
        if (messages > 0) all.measured[bytes / messages] = part * member.time->median;
      }
  return all;
}

using Seconds = std::function<double(double bytes)>;

/// Of `ranks` processes that are alike. `step`: both ways, and added up; `message`: one way.
double of_equals(const Seconds& step, const Seconds& message, double bytes, double ranks) {
  if (ranks <= 1) return 0;
  const auto steps = static_cast<int>(std::ceil(std::log2(ranks)));
  double halving = 0, part = bytes;
  for (int i = 0; i < steps; ++i) {
    part /= 2;
    halving += step(part) + message(part);  // reduce-scatter, then allgather
  }
  return std::min(steps * step(bytes), halving);
}

}  // namespace

double SecondsBySize::per_byte() const {
  const auto last = std::prev(measured.end()), before = std::prev(last);
  return std::max(0., (last->second - before->second) / (last->first - before->first));
}

double SecondsBySize::at(double bytes) const {
  const auto above = measured.lower_bound(bytes);
  if (above == measured.begin()) return latency();
  const auto below = std::prev(above);
  const double more = bytes - below->first;
  if (above == measured.end()) return below->second + more * per_byte();
  return below->second + more * (above->second - below->second) / (above->first - below->first);
}

std::optional<ExchangeCosts> exchange_costs(const std::vector<const RunView*>& views) {
  ExchangeCosts costs{.message = times_of(views, "ceiling/pingpong", 0.5),
                      .step = times_of(views, "ceiling/allreduce", 1)};
  if (costs.message.measured.size() < 2 || costs.step.measured.size() < 2) return std::nullopt;
  return costs;
}

double allreduce_seconds(const ExchangeCosts& costs, const std::optional<Network>& network, double bytes,
                         double ranks, double ranks_of_node) {
  const Seconds step = [&](double size) { return costs.step.at(size); };
  const Seconds message = [&](double size) { return costs.message.at(size); };
  // What a step takes besides its message it takes on any network.
  const Seconds sent = [&](double size) {
    return network ? network->latency + size / network->bytes_per_second : message(size);
  };
  const Seconds exchanged = [&](double size) {
    return sent(size) + std::max(0., step(size) - message(size));
  };
  const double nodes = std::ceil(ranks / ranks_of_node);
  return of_equals(step, message, bytes, std::min(ranks, ranks_of_node)) +
         of_equals(network ? exchanged : step, sent, bytes, nodes);
}

}  // namespace uotbench
