// What all pages begin and end with.
#pragma once

#include <string>

#include "results/base/json_fwd.hpp"

namespace uotbench {

/// Up to the beginning of its body. The content security policy lets nothing run but the page's own script.
std::string page_head(const std::string& title);
/// The script and its data, {"runs": […], "sentences": […]}; the end.
std::string page_end(const Json& data);

}  // namespace uotbench
