// Python for workers that a test starts often.
#pragma once

#include <string>

#include "tools/tests/program.hpp"

namespace uotbench {

/// The interpreter itself, without its site, and a blank: it starts in a fifth of the time.
inline const std::string& quick_python() {
  static const std::string command = [] {
    const Folder folder;
    std::string path =
        Program({"python3", "-c", "import sys; print(sys.executable)"}, folder.path()).wait().out;
    path.resize(path.find_last_not_of('\n') + 1);
    return "'" + path + "' -IS ";
  }();
  return command;
}

}  // namespace uotbench
