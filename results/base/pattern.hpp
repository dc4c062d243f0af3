// Regular expressions that people write, and the texts they are to find.
#pragma once

#include <memory>
#include <string>

namespace uotbench {

/// RE2's syntax: Perl's, without back-references and look-ahead; "!" in front means that nothing may match. A
/// search takes time in proportion to the length of the text, whatever the pattern is, and no deeper stack
/// for a longer text.
class Pattern {
 public:
  /// `of`: what it was given as, such as "--filter". Throws UsageError "--filter TEXT: …".
  Pattern(const std::string& text, const std::string& of);
  ~Pattern();
  Pattern(Pattern&&) noexcept;
  Pattern& operator=(Pattern&&) noexcept;

  /// Whether a part of `text` matches; of a pattern that begins with "!", whether none does.
  bool is_in(const std::string& text) const;

 private:
  class Engine;
  bool negated_ = false;
  std::unique_ptr<const Engine> engine_;
};

}  // namespace uotbench
