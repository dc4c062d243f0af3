// Reports of the gate are stored by CI and read by other versions.
#include "results/gate/tell/formats.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

void read(std::string_view input) {
  const auto parsed = parse_shallow(input);
  if (!parsed) return;
  const Json& json = *parsed;
  const GateReport report = gate_report_from(json);
  const Json told = to_json(report);
  require_same(told, to_json(gate_report_from(told)), "a report, read and written");
  require_printable(markdown_of(report));
  require_printable(github_of(report));
  require_printable(junit_of(report));
}

const Registration gate_report{{.name = "gate_report", .one_input = read, .corpus = [] {
                                  return files_of({"results/tests/golden/gate.json"});
                                }}};

}  // namespace
}  // namespace uotbench::fuzz
