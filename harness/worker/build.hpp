// How this worker was built, as its records say it.
#pragma once

#include "results/json.hpp"

namespace uotbench {

/// {"compiler","flags","build_type","commit","dirty","uotbench","hash"}: `commit` is that of the project that
/// built this worker, `dirty` whether files differed from it (or git did not know them), `uotbench` the
/// version it was built with, `hash` FNV-1a 64 of the executable. "kernel_dirs" is there where sources came
/// from outside that project: a list of {"folder","commit","dirty"}. A commit is null where there is no git
/// checkout.
Json build_facts();

/// The worker's name, e.g. native-v4.
const char* worker_name();

}  // namespace uotbench
