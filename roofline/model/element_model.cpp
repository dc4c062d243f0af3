#include "roofline/model/element_model.hpp"

#include <algorithm>

namespace uotbench {
namespace {

/// The best of the copies, bytes per second: what is read and written, write-allocate left out.
std::optional<Roof> copy_roof(const Roofs& roofs, const Footprint& from) {
  const auto plain = roofs.at(from, "copy"), streamed = roofs.at(from, "copy_nt");
  if (plain && streamed) return plain->value < streamed->value ? streamed : plain;
  if (plain || streamed) return plain ? plain : streamed;
  return roofs.at(from, "bandwidth");  // specified
}

/// Of the level inside; of `level` itself where there is none.
std::optional<Roof> inner_roof(const Roofs& roofs, const Footprint& from) {
  const auto levels = roofs.levels();
  const auto place = std::ranges::find(levels, from.level);
  return copy_roof(roofs, place == levels.begin() || place == levels.end() ? from : Footprint{*(place - 1)});
}

}  // namespace

std::optional<ElementPrediction> predicted(const CaseView& member, const Ceilings& ceilings,
                                           const Caches& caches) {
  return predicted(member, ceilings, caches, Roofs(ceilings, setting_of(*member.record), caches));
}

std::optional<ElementPrediction> predicted(const CaseView& member, const Ceilings& ceilings,
                                           const Caches& caches, const Roofs& roofs) {
  const Record& record = *member.record;
  if (!member.time || member.time->median <= 0 || !record.work || !record.work->element) return std::nullopt;
  const ElementWork& element = *record.work->element;
  const Setting setting = setting_of(record);
  const Footprint from = footprint_of(record, ceilings, caches);
  const auto low = copy_roof(roofs, from), high = inner_roof(roofs, from);
  const Roof* const peak = roofs.peak();
  const double moved = element.memory * element.elements * (setting.dtype == "f64" ? 8 : 4);
  if (!low || !high || !peak || moved <= 0) return std::nullopt;

  ElementPrediction it{.level = roofs.level_name(from),
                       .times = {.flops = element.flops * element.elements / peak->value,
                                 .memory = moved / low->value,
                                 .cached = moved * element.cached / element.memory / high->value},
                       .equation = element.cached > 0 ? 12 : 11,
                       .measured = moved / member.time->median};
  const auto& [flops, memory, cached] = it.times;
  it.least_latency = std::max({flops, memory, cached});
  it.most_latency = flops + memory + cached;
  it.least_bandwidth = moved / it.most_latency;
  it.most_bandwidth = moved / it.least_latency;
  it.bandwidth = moved / (memory + (it.equation == 11 ? flops : cached));
  return it;
}

}  // namespace uotbench
