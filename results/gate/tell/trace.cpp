#include "results/gate/tell/trace.hpp"

#include <fmt/format.h>

#include "results/base/value_json.hpp"

namespace uotbench {

std::string text_of(const GateTrace& trace) {
  std::string text = fmt::format("{{\"about\": {},\n \"recorded\": {},\n \"machine\": {},\n \"cases\": {{",
                                 json_text(trace.about), json_text(trace.recorded), trace.machine.line());
  for (const auto& one : trace.cases) {
    text +=
        fmt::format("{}\n  {}: {{\"seconds\": [", &one == &trace.cases.front() ? "" : ",", json_text(one.id));
    for (std::size_t i = 0; i < one.seconds.size(); ++i)
      text += fmt::format("{}{:.5g}", i ? "," : "", one.seconds[i]);
    text += "]}";
  }
  return text + "\n }\n}\n";
}

}  // namespace uotbench
