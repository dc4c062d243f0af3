// Ids of cases, as people type them and run files hold them.
#include "harness/protocol/point_json.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

void read(std::string_view input) {
  const CaseName name = parse_case_id(input);
  if (name.variant.empty() || name.worker.empty()) throw Broken("a case without a variant or a worker");
  for (const auto& [axis, value] : name.axes)
    if (axis.empty()) throw Broken("an axis without a name: " + std::string(input));
}

std::vector<std::string> ids() {
  return {"uot/map_uot/M:4096/N:4096/threads:2@native-v4", "ceiling/copy/N:1/place:close@native-v3",
          "uot/gemv/M:37/N:53/blas:a%20b/data:npy/path:%2Ftmp%2Fx@mine",
          "match/cpu4_blocked/N:1/D:128@native"};
}

const Registration target{{.name = "case_id", .one_input = read, .corpus = ids, .share = 0.5}};

}  // namespace
}  // namespace uotbench::fuzz
