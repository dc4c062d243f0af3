// Variables of the environment that change what is measured.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace uotbench {

/// Whether workers do not get NAME=VALUE: a shell would silently change how many threads there are and where,
/// and how often the timing loop runs. A manifest may still set it.
bool is_kept_from_workers(std::string_view variable);

/// By name: what workers do get, and by which libraries choose their code, their threads or their memory
/// (OPENBLAS_*, MKL_*, XLA_FLAGS, MALLOC_*, GLIBC_TUNABLES, LD_PRELOAD and others). Values can be shown, and
/// are cut after 1000 bytes.
std::map<std::string, std::string> telling_variables();

}  // namespace uotbench
