// Regular expressions that people write, and the texts they are to find.
#pragma once

#include <memory>
#include <string>

namespace uotbench {

/// ECMAScript's, as std::regex has them, but without back-references. Neither a long text nor a long pattern
/// ends the program: std::regex_search recurses over both.
class Pattern {
 public:
  /// `of`: what it was given as, such as "--filter". Throws UsageError "--filter TEXT: …".
  Pattern(const std::string& text, const std::string& of);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  /// Whether a part of `text` matches.
  bool is_in(const std::string& text) const;

 private:
  class Engines;
  std::unique_ptr<const Engines> engines_;
};

}  // namespace uotbench
