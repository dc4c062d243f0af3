#include "kernels/sinkhorn_log/oracle/comparing.hpp"

#include <fmt/ranges.h>

#include "results/base/error.hpp"

namespace uotbench::sinkhorn_log {
namespace {

namespace fs = std::filesystem;

/// Empty: none.
std::string fault_of(const fs::path& outputs, const std::vector<ArraySpec>& specs, const Claim& claim,
                     const std::vector<std::string>& needed) {
  for (const auto& spec : specs) {
    if (!claims(claim, spec.name)) {
      if (std::ranges::find(needed, spec.name) == needed.end()) continue;
      return "outputs untouched: nothing was written to " + spec.name;
    }
    try {
      auto array = NpyArray::open(outputs / (spec.name + ".npy"));
      if (array.type() != spec.type || array.shape() != spec.shape)
        return fmt::format("wrong: {} is {} ({}), want {} ({})", spec.name, array.type(),
                           fmt::join(array.shape(), ", "), spec.type, fmt::join(spec.shape, ", "));
      if (is_untouched(array)) return "outputs untouched: nothing was written to " + spec.name;
    } catch (const Error& error) {
      return fmt::format("wrong: {} cannot be read: {}", spec.name, error.what());
    }
  }
  return "";
}

}  // namespace

bool claims(const Claim& claim, const std::string& output) {
  return std::ranges::find(claim.outputs, output) != claim.outputs.end();
}

std::optional<Judgement> violation_of(const fs::path& outputs, const std::vector<ArraySpec>& specs,
                                      const Claim& claim, const std::vector<std::string>& needed,
                                      double tolerance) {
  const std::string fault = fault_of(outputs, specs, claim, needed);
  if (fault.empty()) return {};
  return Judgement{.check = {.error = std::numeric_limits<double>::infinity(),
                             .tolerance = tolerance,
                             .oracle = "log-f64",
                             .worst = specs.front().name},
                   .reason = fault};
}

std::string number_text(double value) { return std::isnan(value) ? "nan" : fmt::format("{:.6g}", value); }

}  // namespace uotbench::sinkhorn_log
