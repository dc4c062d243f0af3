#include "tools/uotbench/views/print_json.hpp"

#include <fmt/format.h>

#include "results/base/json.hpp"

namespace uotbench {

void print_json(const Json& json) {
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

}  // namespace uotbench
