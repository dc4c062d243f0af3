// How this worker was built, as its records say it.
#pragma once

#include "results/json.hpp"

namespace uotbench {

/// {"compiler","flags","build_type","isa","commit","dirty","hash","sanitizer"}: hash is FNV-1a 64 of the
/// executable.
Json build_facts();

/// The worker's name, e.g. native-v4.
const char* worker_name();

}  // namespace uotbench
