// What axes were for, by name: for runs and workers from before axes had roles.
#pragma once

#include <string_view>

namespace uotbench {

/// Of a family's axes, true for those that were its sizes.
bool was_size(std::string_view axis);
/// Of all other axes, true for those that were settings.
bool was_setting(std::string_view axis);

}  // namespace uotbench
