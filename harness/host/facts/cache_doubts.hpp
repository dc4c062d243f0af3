// Caches whose told size nobody should rely on.
#pragma once

#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"

namespace uotbench {

struct DoubtfulCache {
  int level = 0;
  double bytes = 0;  ///< as told, of one of them
  std::string why;   ///< "240.0 MiB for each of 2 cores, where …"
};

/// Of machine_facts()'s "hashed" part. A virtual machine passes on what its host's processor says of itself,
/// however few of its cores it has: more than 16 MiB for each core that shares the cache is doubtful there,
/// and more than 48 MiB anywhere, which is the most that a processor was sold with (768 MiB for 16 cores: AMD
/// EPYC 7373X).
std::vector<DoubtfulCache> doubtful_caches(const Json& hashed);

}  // namespace uotbench
