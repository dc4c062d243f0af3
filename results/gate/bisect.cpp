#include "results/gate/bisect.hpp"

namespace uotbench {

const char* name_of(BisectStep::Answer answer) {
  switch (answer) {
    case BisectStep::Answer::fast:
      return "fast";
    case BisectStep::Answer::slow:
      return "slow";
    case BisectStep::Answer::skipped:
      break;
  }
  return "skipped";
}

const char* name_of(BisectReport::Finding finding) {
  using enum BisectReport::Finding;
  switch (finding) {
    case culprit:
      return "culprit";
    case several:
      return "several";
    case spread:
      return "spread";
    case nothing:
      return "nothing";
    case failed:
      return "failed";
    case interrupted:
      return "interrupted";
    case undecided:
      break;
  }
  return "undecided";
}

}  // namespace uotbench
