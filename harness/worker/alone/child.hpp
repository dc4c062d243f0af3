// A program that a worker starts when it runs alone: on a pipe, and out of the way of a debugger's terminal.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace uotbench {

class ChildProcess;

class Child {
 public:
  enum class Kind {
    companion,  ///< answers on a pipe, its stderr goes through; killed when this process ends, however it
                ///< does
    survivor,   ///< of a session of its own, silent; sees the end of its input when this process ends
  };

  /// Looks `command` up on PATH where it has no slash. Throws UsageError where it cannot be started.
  Child(Kind kind, const std::vector<std::string>& command);
  /// Ends a companion; lets a survivor do what it does at the end of its input, and waits for it.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  int to() const;    ///< its stdin
  int from() const;  ///< its stdout; -1 for a survivor

 private:
  Kind kind_;
  std::unique_ptr<ChildProcess> process_;
};

}  // namespace uotbench
