// What a worker sends is checked once, here, before anybody reads it: against configs/protocol.schema.json,
// and against what was asked.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "harness/protocol/messages.hpp"
#include "results/base/json_fwd.hpp"
#include "results/base/violation.hpp"

namespace uotbench {

/// What is wrong with a message: "/time/busy: expected a number from 0, got \"no\"". Absent: nothing.
std::optional<Violation> validate_hello(const Json& message);
/// Likewise, of a message that came after `request`: a progress message, an error, or the answer, which is of
/// the type `reply`. One that judges describes families, where others describe variants.
std::optional<Violation> validate_answer(const Json& message, const Json& request, const std::string& reply,
                                         bool judges);

/// How errors call the answer to a request: "answer to run (time)".
std::string answer_to(const Json& request);

/// What the protocol's schema accepts of a part of a message, such as "outputs".
std::string accepted_of(const std::string& part);

// Whether what workers say of their variants makes sense. A run and check-worker have the same rules.

/// Why the description cannot be true, of whatever family the variant is; `others`: the names before it.
/// Absent: it may be.
std::optional<Violation> validate_description(const VariantInfo& variant,
                                              const std::set<std::string>& others);
/// Why it cannot be a variant of this family.
std::optional<Violation> validate_description(const VariantInfo& variant, const FamilyInfo& family);
/// A tolerance with which the family judges nothing.
std::optional<Violation> loose_tolerance(const VariantInfo& variant, const FamilyInfo& family);

}  // namespace uotbench
