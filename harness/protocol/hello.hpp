// What a worker says when it starts (docs/reference/protocol.md: "hello").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "results/base/document.hpp"

namespace uotbench {

struct Hello {
  std::string worker = {};                             ///< its name; empty: not said
  std::string obstacle = {};                           ///< why no case can run here; empty: they can
  Document device = {};                                ///< facts; null: this machine's CPUs
  std::optional<std::vector<std::string>> steps = {};  ///< that it can do; absent: not said
  Document build = {};                                 ///< facts; empty: not said
};

/// Of a message that the protocol's schema accepts.
Hello hello_from(const Json& json);

}  // namespace uotbench
