#include "results/work.hpp"

namespace uotbench {

Work operator*(Work work, double iterations) {
  work.flops *= iterations;
  work.bytes_read *= iterations;
  work.bytes_written *= iterations;
  work.write_allocate *= iterations;
  if (work.element) work.element->elements *= iterations;
  return work;
}

}  // namespace uotbench
