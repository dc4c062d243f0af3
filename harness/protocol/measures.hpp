// What a ceiling measures of the machine.
#pragma once

#include <string>

namespace uotbench {

struct Measures {
  std::string rate;  ///< by the name that tables of ceilings give it: read, copy, flops
  int arrays = 0;    ///< of N elements, which its working set is made of; 0: it moves no bytes
};

}  // namespace uotbench
