#include <algorithm>
#include <initializer_list>

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

}  // namespace

Roofs::Roofs(const Ceilings& ceilings, const Setting& setting) {
  const bool spread_differs =
      std::ranges::any_of(ceilings.roofs, [](const Roof& roof) { return roof.place == "spread"; });
  const std::string place = spread_differs && setting.threads > 1 ? setting.place : "close";
  for (const auto& roof : ceilings.roofs) {
    if (roof.threads.value_or(setting.threads) != setting.threads || roof.place.value_or(place) != place)
      continue;
    if (roof.is_bandwidth())
      keep_better(bandwidths_, roof, setting.dtype);
    else if (roof.dtype.value_or(setting.dtype) == setting.dtype)
      keep_better(roof.is_flops() ? flops_ : operations_, roof, setting.dtype);
  }
}

std::vector<std::string> Roofs::levels() const {
  std::vector<std::string> levels;
  for (const auto& roof : bandwidths_)
    if (std::ranges::find(levels, roof.level) == levels.end()) levels.push_back(roof.level);
  std::ranges::sort(levels, is_nearer);
  return levels;
}

const Roof* Roofs::bandwidth(const std::string& level) const {
  const Roof* best = nullptr;
  for (const auto& roof : bandwidths_)
    if (roof.level == level && (!best || roof.value > best->value)) best = &roof;
  return best;
}

const Roof* Roofs::bandwidth(const std::string& level, const std::string& kernel) const {
  for (const auto& roof : bandwidths_)
    if (roof.level == level && roof.kernel == kernel) return &roof;
  return nullptr;
}

const Roof* Roofs::peak(const std::string& form) const {
  for (const auto& roof : flops_)
    if (roof.form == form || (roof.form.empty() && form == "vector")) return &roof;
  return nullptr;
}

const Roof* Roofs::first_of(const std::string& level, std::initializer_list<const char*> kernels) const {
  const Roof* best = nullptr;
  for (const char* kernel : kernels)
    if (const Roof* roof = bandwidth(level, kernel); roof && (!best || roof->value > best->value))
      best = roof;
  return best ? best : bandwidth(level);
}

std::vector<Roofs::Stream> Roofs::streams_of(const Work& work, const std::string& level) const {
  const double direct =
      std::max(0., work.bytes_written - work.write_allocate);  // no line is read to be written
  const double in_place = std::min(work.bytes_read, direct);
  const double copied = std::min(work.bytes_read - in_place, work.bytes_written - direct);
  std::vector<Stream> streams{{2 * in_place, first_of(level, {"rmw", "copy_nt"})},
                              {2 * copied, first_of(level, {"copy"})},
                              {direct - in_place, first_of(level, {"write", "write_nt"})},
                              {work.bytes_written - direct - copied, first_of(level, {"write"})},
                              {work.bytes_read - in_place - copied, first_of(level, {"read"})}};
  std::erase_if(streams, [](const Stream& stream) { return stream.bytes <= 0; });
  std::ranges::stable_sort(streams, std::greater{}, &Stream::bytes);
  return streams;
}

std::optional<double> Roofs::memory_floor(const Work& work, const std::string& level) const {
  if (!bandwidth(level)) return std::nullopt;
  double seconds = 0;
  for (const auto& stream : streams_of(work, level)) seconds += stream.bytes / stream.roof->value;
  return seconds;
}

std::vector<std::string> Roofs::kernels_for(const Work& work, const std::string& level) const {
  std::vector<std::string> kernels;
  if (!bandwidth(level)) return kernels;
  for (const auto& stream : streams_of(work, level))
    if (std::ranges::find(kernels, stream.roof->kernel) == kernels.end())
      kernels.push_back(stream.roof->kernel);
  return kernels;
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
