// What is left of a case that ends the program: the input as a file, and a line that names it.
#pragma once

#include <string>
#include <string_view>

namespace uotbench::fuzz {

/// Catches the signals that end a program, and the reports of sanitizers, while it lives. One at a time.
class BlackBox {
 public:
  BlackBox();
  ~BlackBox();
  BlackBox(const BlackBox&) = delete;
  BlackBox& operator=(const BlackBox&) = delete;

  /// From now on `input` is what is being read, for at most `seconds` of CPU time; `file` is where it would
  /// be kept and `told` what would be said. All three have to stay where they are.
  void watch(std::string_view input, const std::string& file, const std::string& told, int seconds);
  void rest();
};

}  // namespace uotbench::fuzz
