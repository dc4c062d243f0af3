// SHA-256 (FIPS 180-4), for checksums that sha256sum(1) can check.
#pragma once

#include <string>
#include <string_view>

namespace uotbench {

/// 64 digits, 0-9 and a-f.
std::string sha256(std::string_view bytes);

}  // namespace uotbench
