#include "harness/sweep/language/schema.hpp"

#include <fmt/format.h>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/rules.hpp"

namespace uotbench {

void validate(const Json& document, const Json& schema, const std::string& name) {
  if (const auto wrong = Rules(schema).validate(document))
    throw UsageError(fmt::format("{}: {}", name, wrong->text));
}

}  // namespace uotbench
