#include "harness/worker/build.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "uotbench_commit.hpp"

namespace uotbench {
namespace {

/// Fowler, Noll, Vo: FNV-1a, 64 bits. Tells builds apart; nothing here is adversarial.
std::string hash_of_executable() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  std::uint64_t hash = 0xcbf29ce484222325u;
  std::vector<char> block(1 << 16);
  while (self.read(block.data(), static_cast<std::streamsize>(block.size())), self.gcount() > 0)
    for (std::streamsize i = 0; i < self.gcount(); ++i)
      hash = (hash ^ static_cast<unsigned char>(block[static_cast<std::size_t>(i)])) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

#ifdef __clang__
constexpr const char* compiler = "clang++ " __clang_version__;
#else
constexpr const char* compiler = "g++ " __VERSION__;
#endif

}  // namespace

const char* worker_name() { return UOTBENCH_WORKER; }

Json build_facts() {
  const std::string commit = UOTBENCH_COMMIT;
  Json facts{{"compiler", compiler},
             {"flags", UOTBENCH_FLAGS},
             {"build_type", UOTBENCH_BUILD_TYPE},
             {"commit", commit.empty() ? Json(nullptr) : Json(commit)},
             {"dirty", UOTBENCH_DIRTY},
             {"uotbench", UOTBENCH_VERSION},
             {"hash", hash_of_executable()}};
#ifdef UOTBENCH_CUDA
  facts["cuda"] = UOTBENCH_CUDA;
#endif
  if (const Json folders = Json::parse(UOTBENCH_KERNEL_DIRS); !folders.empty())
    facts["kernel_dirs"] = folders;
  return facts;
}

}  // namespace uotbench
