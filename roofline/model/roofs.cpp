#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

#include "roofline/model/model.hpp"

namespace uotbench {
namespace {

/// L1 before L2, … before DRAM.
bool is_nearer(const std::string& a, const std::string& b) {
  return a != b && (b == "DRAM" || (a != "DRAM" && a < b));
}

/// Keeps the better of two roofs for the same thing: of the wanted dtype first, then the higher.
void keep_better(std::vector<Roof>& roofs, const Roof& roof, const std::string& dtype) {
  const auto same = std::ranges::find_if(roofs, [&](const Roof& other) {
    return other.kernel == roof.kernel && other.level == roof.level && other.form == roof.form &&
           other.operation == roof.operation;
  });
  if (same == roofs.end()) return void(roofs.push_back(roof));
  const auto rank = [&](const Roof& one) { return std::pair(one.dtype.value_or(dtype) == dtype, one.value); };
  if (rank(*same) < rank(roof)) *same = roof;
}

std::vector<std::string> each_once(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  return names;
}

}  // namespace

Roofs::Roofs(const Ceilings& ceilings, const Setting& setting, const Caches& caches)
    : setting_(setting), caches_(caches) {
  const bool spread_differs = std::ranges::any_of(ceilings.roofs, [&](const Roof& roof) {
    return roof.place == "spread" && roof.threads == setting.threads;
  });
  setting_.place = spread_differs && setting.threads > 1 ? setting.place : "close";
  for (const auto& roof : ceilings.roofs) {
    if (roof.threads.value_or(setting_.threads) != setting_.threads ||
        roof.place.value_or(setting_.place) != setting_.place)
      continue;
    if (roof.is_point()) {
      const std::string dtype = roof.dtype.value_or(setting_.dtype);
      const auto its = std::ranges::find_if(
          curves_, [&](const NamedCurve& one) { return one.kernel == roof.kernel && one.dtype == dtype; });
      (its == curves_.end() ? curves_.emplace_back(roof.kernel, dtype, Curve()) : *its).curve.add(roof);
    } else if (roof.is_bandwidth()) {
      keep_better(bandwidths_, roof, setting_.dtype);
    } else if (roof.dtype.value_or(setting_.dtype) == setting_.dtype) {
      keep_better(roof.is_flops() ? flops_ : operations_, roof, setting_.dtype);
    }
  }
  // Its own dtype's before others'.
  std::ranges::stable_partition(curves_, [&](const NamedCurve& one) { return one.dtype == setting_.dtype; });
  if (!curves_.empty()) name_levels();
}

/// By the curve with the most points, of reading where there is one: loads show the levels best.
void Roofs::name_levels() {
  const auto rank = [](const NamedCurve& one) {
    return std::tuple(!is_of_pattern(one.kernel), one.curve.points().size(), one.kernel == "read");
  };
  const NamedCurve& widest = *std::ranges::max_element(curves_, {}, rank);
  plateaus_ = level_plateaus(widest.curve, caches_, setting_.threads, setting_.place);
  for (const auto& plateau : plateaus_)
    if (!plateau.level.empty())
      add_level(plateau.level, plateau.level == "DRAM" ? plateau.to : std::sqrt(plateau.from * plateau.to));
  if (!plateaus_.empty()) return;
  std::vector<std::string> names;
  for (const auto& level : caches_.levels()) names.push_back(level.name);
  names.push_back("DRAM");
  for (const auto& name : names)
    if (const auto set = ceiling_set(caches_, name, setting_.threads, setting_.place);
        set && caches_.clear_level_of(*set, setting_.threads, setting_.place) == name)
      add_level(name, *set);
}

void Roofs::add_level(const std::string& level, double bytes) {
  for (const auto& one : curves_) {
    auto roof = one.curve.at(bytes, setting_.threads);
    if (!roof || bandwidth(level, one.kernel)) continue;
    roof->level = level;
    of_plateaus_.push_back(*roof);
  }
}

std::vector<std::string> Roofs::levels() const {
  std::vector<std::string> levels;
  for (const auto* roofs : {&of_plateaus_, &bandwidths_})
    for (const auto& roof : *roofs)
      if (std::ranges::find(levels, roof.level) == levels.end()) levels.push_back(roof.level);
  std::ranges::sort(levels, is_nearer);
  return levels;
}

std::vector<Footprint> Roofs::inside(const std::string& level) const {
  const auto named = levels();
  std::vector<std::string> names = named;
  for (const auto& cache : caches_.levels())
    if (std::ranges::find(names, cache.name) == names.end()) names.push_back(cache.name);
  std::ranges::sort(names, is_nearer);
  std::vector<Footprint> places;
  for (const auto& name : names) {
    if (!is_nearer(name, level)) break;
    if (std::ranges::find(named, name) != named.end()) {
      places.push_back({.level = name});
      continue;
    }
    const auto set = ceiling_set(caches_, name, setting_.threads, setting_.place);
    if (set && caches_.clear_level_of(*set, setting_.threads, setting_.place) == name)
      places.push_back({.level = name, .bytes = set});
  }
  return places;
}

const Roof* Roofs::bandwidth(const std::string& level) const {
  const Roof* best = nullptr;
  for (const auto* roofs : {&of_plateaus_, &bandwidths_})
    for (const auto& roof : *roofs)
      if (roof.level == level && !is_of_pattern(roof.kernel) && (!best || roof.value > best->value))
        best = &roof;
  return best;
}

const Roof* Roofs::bandwidth(const std::string& level, const std::string& kernel) const {
  for (const auto* roofs : {&of_plateaus_, &bandwidths_})
    for (const auto& roof : *roofs)
      if (roof.level == level && roof.kernel == kernel) return &roof;
  return nullptr;
}

std::optional<Roof> Roofs::at(const Footprint& from, const std::string& kernel) const {
  if (!from.bytes) {
    const Roof* const roof = bandwidth(from.level, kernel);
    return roof ? std::optional(*roof) : std::nullopt;
  }
  for (const auto& one : curves_)
    if (one.kernel == kernel)
      if (auto roof = one.curve.at(*from.bytes, setting_.threads)) return roof;
  for (const auto& roof : bandwidths_)
    if (roof.level == from.level && roof.kernel == kernel) return roof;
  return std::nullopt;
}

std::optional<Roof> Roofs::at(const Footprint& from) const {
  std::optional<Roof> best;
  const auto keep = [&](const std::optional<Roof>& roof) {
    if (roof && !is_of_pattern(roof->kernel) && (!best || roof->value > best->value)) best = roof;
  };
  if (from.bytes)
    for (const auto& one : curves_) keep(at(from, one.kernel));
  if (best) return best;
  for (const auto* roofs : {&of_plateaus_, &bandwidths_})
    for (const auto& roof : *roofs)
      if (roof.level == from.level && (!from.bytes || roofs == &bandwidths_)) keep(roof);
  return best;
}

std::string Roofs::level_name(const Footprint& from) const {
  if (curves_.empty() || !from.bytes) return from.level;
  for (const auto& plateau : plateaus_) {
    const bool innermost = &plateau == &plateaus_.front(), outermost = &plateau == &plateaus_.back();
    if ((innermost || *from.bytes >= plateau.from) && (outermost || *from.bytes <= plateau.to))
      return plateau.level;
  }
  return plateaus_.empty() ? caches_.clear_level_of(*from.bytes, setting_.threads, setting_.place) : "";
}

const Roof* Roofs::peak(const std::string& form) const {
  for (const auto& roof : flops_)
    if (roof.form == form || (roof.form.empty() && form == "vector")) return &roof;
  return nullptr;
}

std::vector<Roofs::Stream> Roofs::streams_of(const Work& work) {
  const double past = std::min(work.bytes_nontemporal, work.bytes_written);
  const double fetched = std::min(work.write_allocate, work.bytes_written - past);
  const double direct = work.bytes_written - past - fetched;  // no line is read to be written
  double reads = work.bytes_read;
  const auto with_reads = [&](double written) {  // of them, those that have as many bytes read next to them
    const double both = std::min(reads, written);
    reads -= both;
    return both;
  };
  const double past_copied = with_reads(past), in_place = with_reads(direct), copied = with_reads(fetched);
  const double written_whole = direct - in_place, written = fetched - copied;
  std::vector<Stream> streams{{2 * past_copied, {"copy_nt"}, "", 0},
                              {2 * in_place, {"rmw", "copy_nt"}, "strided_rmw", 2 * in_place},
                              {2 * copied, {"copy"}, "strided_copy", 2 * copied},
                              {past - past_copied, {"write_nt"}, "", 0},
                              {written_whole, {"write", "write_nt"}, "strided_rmw", 2 * written_whole},
                              {written, {"write"}, "strided_rmw", 2 * written},
                              {reads, {"read"}, "strided_read", reads}};
  std::erase_if(streams, [](const Stream& stream) { return stream.bytes <= 0; });
  std::ranges::stable_sort(streams, std::greater{}, &Stream::bytes);
  return streams;
}

std::optional<Roof> Roofs::best_of(const Footprint& from, const Stream& stream) const {
  std::optional<Roof> best;
  for (const auto& kernel : stream.kernels)
    if (const auto roof = at(from, kernel); roof && (!best || roof->value > best->value)) best = roof;
  return best ? best : at(from);
}

std::optional<double> Roofs::memory_floor(const Work& work, const Footprint& from) const {
  if (!at(from)) return std::nullopt;
  double seconds = 0;
  for (const auto& stream : streams_of(work)) seconds += stream.bytes / best_of(from, stream)->value;
  return seconds;
}

std::optional<double> Roofs::least_memory_floor(const Work& work) const {
  std::optional<double> least;
  const auto keep = [&](const Footprint& from) {
    if (const auto seconds = memory_floor(work, from); seconds && (!least || *seconds < *least))
      least = seconds;
  };
  for (const auto& level : levels()) keep({.level = level});
  for (const auto& one : curves_)
    for (const auto& point : one.curve.points()) keep({.level = "", .bytes = point.working_set});
  return least;
}

std::vector<Roof> Roofs::limits(const Work& work, const Footprint& from) const {
  std::vector<Roof> roofs;
  if (!at(from)) return roofs;
  for (const auto& stream : streams_of(work))
    if (auto roof = *best_of(from, stream);
        std::ranges::find(roofs, roof.kernel, &Roof::kernel) == roofs.end())
      roofs.push_back(std::move(roof));
  return roofs;
}

std::vector<std::string> Roofs::lacking(const Work& work, const Footprint& from) const {
  std::vector<std::string> kernels;
  for (const auto& stream : streams_of(work))
    if (std::ranges::none_of(stream.kernels,
                             [&](const auto& kernel) { return at(from, kernel).has_value(); }))
      kernels.push_back(stream.kernels.front());
  return each_once(std::move(kernels));
}

std::optional<double> Roofs::strided_floor(const Work& work, const Footprint& from) const {
  double seconds = 0;
  for (const auto& stream : streams_of(work)) {
    if (stream.strided.empty()) continue;
    const auto roof = at(from, stream.strided);
    if (!roof) return std::nullopt;
    seconds += stream.strided_bytes / roof->value;
  }
  return seconds;
}

std::vector<std::string> Roofs::lacking_strided(const Work& work, const Footprint& from) const {
  std::vector<std::string> kernels;
  for (const auto& stream : streams_of(work))
    if (!stream.strided.empty() && !at(from, stream.strided)) kernels.push_back(stream.strided);
  return each_once(std::move(kernels));
}

const Roof* Roofs::rate(const std::string& operation) const {
  const Roof* best = nullptr;
  for (const auto& roof : operations_)
    if (roof.operation == operation && (!best || roof.value > best->value)) best = &roof;
  return best;
}

std::optional<double> Roofs::compute_floor(const Work& work) const {
  const Roof* const roof = peak();
  return roof ? std::optional(work.flops / roof->value) : std::nullopt;
}

}  // namespace uotbench
