#include "harness/worker/mpi/message_source.hpp"

#include <fmt/format.h>

#include "harness/worker/mpi/calls.hpp"
#include "harness/worker/timing/lifetime.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

class MessageSource final : public CounterSource {
 public:
  explicit MessageSource(const Ranks& ranks) : ranks_(ranks) {}

  std::string name() const override { return "mpi"; }
  Obstacle obstacle() const override { return {}; }
  std::string unknown(const std::string& event) const override {
    if (event == "messages" || event == "bytes") return "";
    return fmt::format("mpi has no event \"{}\"{}; it has: messages, bytes", event,
                       did_you_mean(event, {"messages", "bytes"}));
  }

  /// One call: what a steady iteration sends depends on nothing but the point.
  EventCounts count(Instance& instance, const Team&, const CountRequest& request) override {
    const MpiCalls before = mpi_calls();
    instance.timed();
    const MpiCalls now = mpi_calls();
    const double messages = ranks_.sum(now.messages - before.messages);
    const double bytes = ranks_.sum(now.bytes - before.bytes);
    EventCounts counts;
    for (const auto& event : request.events) {
      EventCount& its = counts[event];
      if (its.reason = unknown(event); !its.reason.empty()) continue;
      its.value = event == "messages" ? messages : bytes;
      its.exact = true;
      its.note = "of all processes together";
    }
    return counts;
  }

 private:
  const Ranks& ranks_;
};

}  // namespace

std::unique_ptr<CounterSource> message_source(const Ranks& ranks) {
  return std::make_unique<MessageSource>(ranks);
}

}  // namespace uotbench
