// A build as JSON: what hello and records say of it.
#pragma once

#include "harness/worker/serve/build.hpp"
#include "results/base/json_fwd.hpp"

namespace uotbench {

/// {"compiler","flags","build_type","commit","dirty","uotbench","hash"}: `commit` is null where there is no
/// git checkout, `hash` is FNV-1a 64 of the executable. "cuda" and "kernel_dirs" are there where they apply.
Json to_json(const Build& build);

}  // namespace uotbench
