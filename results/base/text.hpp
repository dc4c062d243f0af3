// Texts made shorter, and texts written so that a format shows them as they are: one escaper a format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace uotbench {

/// Where the UTF-8 character begins that holds the byte `at`.
std::size_t character_start(std::string_view text, std::size_t at);

/// `text` where it has at most `bytes` bytes; else the whole characters that fit, and "…".
std::string cut(const std::string& text, std::size_t bytes);

/// `text` where it has at most `bytes` bytes; else its beginning, "…" and its end: of an id with a long path
/// both ends distinguish cases.
std::string cut_middle(const std::string& text, std::size_t bytes = 100);
/// The same for each word that blanks separate.
std::string cut_long_words(const std::string& text, std::size_t bytes);

/// At most `shown` of many items, and how many more: "a, b and 3 more".
std::string shortened(const std::vector<std::string>& items, std::size_t shown = 3);

/// A text that Markdown shows as it is, on one line.
std::string markdown_escaped(const std::string& text);
/// A text as a code span, on one line; empty where the text is. In one, GitHub makes no mention of
/// "@native-v4".
std::string markdown_code(const std::string& text);

/// As text of an HTML element, or as an attribute's value in double quotes.
std::string html_escaped(const std::string& text);
/// As text of an XML 1.0 element, or as an attribute's value (its section 2.2): what has no place there is as
/// visible() spells it.
std::string xml_escaped(const std::string& text);

/// A text that TeX sets as it is, on one line.
std::string tex_escaped(const std::string& text);
/// A field of a CSV line, in quotes where it needs them (RFC 4180). A text that a spreadsheet would run (it
/// begins with =, +, -, @, a tab or the end of a line, and is no number) is led by an apostrophe, which says
/// "text" there (OWASP, "CSV Injection").
std::string csv_field(const std::string& text);

// Commands that are printed to be pasted into a shell.

/// A text as a shell takes it for one word.
std::string shell_quoted(const std::string& text);

/// A command with the arguments it needs to go on with a run file.
std::string resuming(const std::string& command, const std::string& file);

// "Did you mean …?"

/// The candidate closest to `name` by edit distance (Damerau 1964: insert, delete, replace, swap neighbours);
/// empty where all are farther than half of the name's length. A candidate that begins with the name
/// (of 3 letters or more) is as near as one with a single difference. One that is the name in a folder, as
/// uot/map_uot is map_uot, is the closest.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

/// ` (did you mean map_uot?)`, or nothing: follows the quoted name in a message.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

// A hash that distinguishes texts and builds. It need not resist attacks.

/// Fowler, Noll, Vo: FNV-1a, 64 bits, of no bytes yet.
inline constexpr std::uint64_t fnv1a_start = 0xcbf29ce484222325u;

/// The hash of `bytes`; or of what `hash` is the hash of, and then `bytes`.
constexpr std::uint64_t fnv1a(std::string_view bytes, std::uint64_t hash = fnv1a_start) {
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

/// As files have it: 16 digits, 0-9 and a-f.
std::string hash_text(std::uint64_t hash);
inline std::string hash_text(std::string_view bytes) { return hash_text(fnv1a(bytes)); }

}  // namespace uotbench
