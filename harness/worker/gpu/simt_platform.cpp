#include "harness/worker/gpu/simt_platform.hpp"

namespace uotbench {
namespace {

const bool added = set_platform(std::make_unique<Executor>());

}  // namespace
}  // namespace uotbench
