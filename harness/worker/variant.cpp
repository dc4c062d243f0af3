#include "harness/worker/variant.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/protocol/point_json.hpp"
#include "harness/worker/typed_variant.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

std::vector<const Variant*>& registry() {
  static std::vector<const Variant*> all;
  return all;
}

Axis threads_axis() {
  return {.name = setting_axis::threads,
          .kind = Axis::Kind::integer,
          .role = Role::setting,
          .standard = 1,
          .least = 1,
          .about = "OpenMP threads, one a CPU"};
}

Axis place_axis() {
  return {.name = setting_axis::place,
          .kind = Axis::Kind::text,
          .role = Role::setting,
          .standard = "close",
          .values = {"close", "spread"},
          .about = "threads on neighbouring cores, or as far apart as the machine allows"};
}

Axis order_axis() {
  return {.name = setting_axis::order,
          .kind = Axis::Kind::text,
          .role = Role::setting,
          .standard = "mixed",
          .values = {"mixed", "ascending", "descending", "shuffled"},
          .about = "in which threads run where the CPU runs them; mixed: another at each launch"};
}

Axis cache_axis() {
  return {.name = setting_axis::cache,
          .kind = Axis::Kind::text,
          .role = Role::setting,
          .standard = "warm",
          .values = {"warm", "cold"},
          .about = "cold: caches are evicted before every timed call"};
}

Axis denormals_axis() {
  return {
      .name = setting_axis::denormals,
      .kind = Axis::Kind::text,
      .role = Role::setting,
      .standard = "keep",
      .values = {"keep", "flush"},
      .about = "subnormal numbers; flush: 0 in operands and results, which some CPUs compute much faster"};
}

}  // namespace

Variant::~Variant() = default;

Variant::Variant(VariantSpec&& spec) : spec_(std::move(spec)) {
  if (spec_.steps && spec_.outside != 0)
    throw Error(
        fmt::format("{} has both `steps` and iterations `outside`; expected one of them", spec_.name));
  spec_.axes.push_back(spec_.device ? order_axis() : denormals_axis());
  spec_.axes.push_back(threads_axis());
  spec_.axes.push_back(place_axis());
  spec_.axes.push_back(cache_axis());
  auto& all = registry();
  const auto place =
      std::lower_bound(all.begin(), all.end(), spec_.name,
                       [](const Variant* v, const std::string& name) { return v->spec().name < name; });
  if (place != all.end() && (*place)->spec().name == spec_.name)
    throw Error(fmt::format("two variants are named {}", spec_.name));
  all.insert(place, this);
}

std::string Variant::refusal(const Point& point) const {
  const Settings settings = settings_of(point);
  if (spec_.device && settings.threads > 1)
    return spec_.name + " has its threads on the device: threads, those of the host, must be 1";
  if (settings.flushes && !Team::can_flush)
    return spec_.name + " keeps denormals here: this build knows no mode that flushes them";
  if (spec_.serial && settings.threads > 1) return spec_.name + " is serial: threads must be 1";
  if (spec_.period > 1 && settings.cold)
    return fmt::format(
        "{} is timed by {} iterations that differ, of which only the first would be cold: cache must be warm",
        spec_.name, spec_.period);
  if (const std::string reason = cannot(point); !reason.empty()) return reason;
  return spec_.refuse ? spec_.refuse(point) : "";
}

std::int64_t Variant::steps(const Point& point) const {
  const std::int64_t steps = spec_.steps ? spec_.steps(point) : 1;
  if (steps < 1) throw Error(fmt::format("{} says that it makes {} iterations at a time", spec_.name, steps));
  return steps;
}

std::string unless_dtype(const char* only, const VariantSpec& spec, const Point& point) {
  if (!point.has("dtype") || point.text("dtype") == only) return "";
  return fmt::format("{} is written for {} alone: dtype must be {}", spec.name, only, only);
}

const std::vector<const Variant*>& variants() { return registry(); }

const Variant& variant_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Variant* variant : variants()) {
    if (variant->spec().name == name) return *variant;
    names.push_back(variant->spec().name);
  }
  throw Error(fmt::format("no variant {} here; there are: {}", name, fmt::join(names, ", ")));
}

}  // namespace uotbench
