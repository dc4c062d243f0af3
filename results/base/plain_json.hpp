// The quick way to read JSON: what programs write of ordinary names and numbers, on one line.
#pragma once

#include <optional>
#include <string_view>

#include "results/base/json.hpp"

namespace uotbench {

/// What Json::parse reads, where `text` is printable ASCII with no escape, no key twice and at most 64 levels
/// deep. Nothing for all other texts, be they JSON or not: the caller has to look again.
std::optional<Json> parse_plain(std::string_view text);

}  // namespace uotbench
