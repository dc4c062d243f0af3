// gate_curve SESSIONS [SEED] > docs/explain/gate_curve.csv: the gate's operating curve by simulation.
#include <cstdio>
#include <cstdlib>

#include "results/tests/gate_replay.hpp"

int main(int count, char** arguments) {
  const long sessions = count > 1 ? std::atol(arguments[1]) : 0;
  if (sessions < 1 || count > 3) {
    std::fputs("usage: gate_curve SESSIONS [SEED] > docs/explain/gate_curve.csv\n", stderr);
    return 2;
  }
  const auto seed = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1;
  std::fputs(uotbench::operating_curve(static_cast<std::size_t>(sessions),
                                       {1.00, 1.03, 1.05, 1.07, 1.10, 1.15, 1.20, 1.30}, {}, seed)
                 .c_str(),
             stdout);
}
