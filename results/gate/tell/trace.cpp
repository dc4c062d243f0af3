#include "results/gate/tell/trace.hpp"

#include <fmt/format.h>

#include "results/base/json.hpp"

namespace uotbench {

std::string text_of(const GateTrace& trace) {
  std::string text =
      fmt::format("{{\"about\": {},\n \"recorded\": {},\n \"machine\": {},\n \"cases\": {{",
                  to_line(trace.about), to_line(trace.recorded), to_line(trace.machine.json()));
  for (const auto& one : trace.cases) {
    text +=
        fmt::format("{}\n  {}: {{\"seconds\": [", &one == &trace.cases.front() ? "" : ",", to_line(one.id));
    for (std::size_t i = 0; i < one.seconds.size(); ++i)
      text += fmt::format("{}{:.5g}", i ? "," : "", one.seconds[i]);
    text += "]}";
  }
  return text + "\n }\n}\n";
}

}  // namespace uotbench
