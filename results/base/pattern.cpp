#include "results/base/pattern.hpp"

#include <fmt/format.h>

#include <regex>

#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

constexpr std::size_t longest_pattern = 4096;
// Bytes of a text times bytes of a pattern. Backtracking takes up to some 500 bytes of stack for each, of
// which there are 8 MiB, and is several times faster than the other engine.
constexpr std::size_t backtracked = 8192;

#ifdef __GLIBCXX__
// Its breadth-first engine: linear in the text and no deeper for a longer one, where it need not look for the
// beginning of a match.
constexpr auto without_recursion = std::regex_constants::__polynomial;
#else
constexpr auto without_recursion = std::regex::ECMAScript;
#endif

}  // namespace

class Pattern::Engines {
 public:
  explicit Engines(const std::string& text)
      : backtracking_(text),
        breadth_first_("[\\s\\S]*(?:" + text + ")[\\s\\S]*", std::regex::ECMAScript | without_recursion),
        longest_(text.find('{') == std::string::npos ? backtracked / (text.size() + 1) : 0) {}

  bool find(const std::string& text) const {
    return text.size() <= longest_ ? std::regex_search(text, backtracking_)
                                   : std::regex_match(text, breadth_first_);
  }

 private:
  std::regex backtracking_, breadth_first_;
  std::size_t longest_;  ///< of the texts for backtracking; "a{9000}" is longer than it looks
};

Pattern::Pattern(const std::string& text, const std::string& of) try {
  if (text.size() > longest_pattern)
    throw UsageError(fmt::format("{} {}: a regular expression of {} bytes; at most {} are accepted", of,
                                 cut(text, 60), text.size(), longest_pattern));
  engines_ = std::make_unique<const Engines>(text);
} catch (const std::regex_error& error) {
  const bool refers_back = error.code() == std::regex_constants::error_complexity;
  throw UsageError(
      refers_back
          ? fmt::format("{} {}: a regular expression that refers back, as \\1 does; accepted: one without",
                        of, text)
          : fmt::format("{} {}: not a regular expression: {}", of, text, error.what()));
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

bool Pattern::is_in(const std::string& text) const { return engines_->find(text); }

}  // namespace uotbench
