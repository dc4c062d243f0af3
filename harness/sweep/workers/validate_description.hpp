// Whether what workers say of their variants makes sense. A run and check-worker have the same rules.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "harness/protocol/description.hpp"
#include "results/base/violation.hpp"

namespace uotbench {

/// Why the description cannot be true, of whatever family the variant is; `others`: the names before it.
/// Absent: it may be.
std::optional<Violation> validate_description(const VariantInfo& variant,
                                              const std::set<std::string>& others);
/// Why it cannot be a variant of this family.
std::optional<Violation> validate_description(const VariantInfo& variant, const FamilyInfo& family);
/// A tolerance with which the family judges nothing.
std::optional<Violation> loose_tolerance(const VariantInfo& variant, const FamilyInfo& family);

}  // namespace uotbench
