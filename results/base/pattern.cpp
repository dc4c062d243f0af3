#include "results/base/pattern.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

constexpr std::size_t longest_pattern = 4096;

re2::RE2::Options quiet_bytes() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_never_capture(true);
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // ids are bytes, whatever they spell
  return options;
}

}  // namespace

class Pattern::Engine {
 public:
  explicit Engine(const std::string& text) : regex(text, quiet_bytes()) {}
  re2::RE2 regex;
};

Pattern::Pattern(const std::string& text, const std::string& of) : negated_(text.starts_with('!')) {
  const std::string shown = on_one_line(cut(text, 60));
  if (text.size() > longest_pattern)
    throw UsageError(fmt::format("{} {}: a regular expression of {} bytes; expected at most {}", of, shown,
                                 text.size(), longest_pattern));
  auto engine = std::make_unique<const Engine>(text.substr(negated_ ? 1 : 0));
  if (!engine->regex.ok()) {
    const auto code = engine->regex.error_code();
    const bool unbounded = code == re2::RE2::ErrorBadEscape || code == re2::RE2::ErrorBadPerlOp;
    throw UsageError(fmt::format(
        "{} {}: not a regular expression: {}{}", of, shown, on_one_line(cut(engine->regex.error(), 100)),
        unbounded ? " (RE2 has neither back-references nor look-ahead; !RE chooses what RE "
                    "does not match)"
                  : ""));
  }
  engine_ = std::move(engine);
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;
Pattern& Pattern::operator=(Pattern&&) noexcept = default;

bool Pattern::is_in(const std::string& text) const {
  return re2::RE2::PartialMatch(text, engine_->regex) != negated_;
}

}  // namespace uotbench
