#include "results/tests/fuzz/mutation.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "results/base/json.hpp"

namespace uotbench::fuzz {
namespace {

using std::string_literals::operator""s;

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

const std::vector<std::string>& pieces() {
  static const std::vector<std::string> all{"\0"s,
                                            "\x01",
                                            "\x1b[31m",
                                            "\x1b]0;owned\x07",
                                            "\x1e",
                                            "\x7f",
                                            "\xff",
                                            "\xc3",
                                            "\u009b31m",
                                            "\u202e",
                                            "\ufeff",
                                            "\ufffe",
                                            "]]>",
                                            "<script>",
                                            "=cmd|' /C calc'!A0",
                                            "::error::",
                                            "%n%s",
                                            "$(true)",
                                            "`true`",
                                            "../../etc/passwd",
                                            "{",
                                            "}",
                                            "[",
                                            "]",
                                            "(",
                                            ")",
                                            ",",
                                            ":",
                                            "\"",
                                            "'",
                                            "\\",
                                            "\\u0000",
                                            "\\ud800",
                                            "\n",
                                            "\r",
                                            "\t",
                                            " ",
                                            "null",
                                            "true",
                                            "NaN",
                                            "-Infinity",
                                            "1e999",
                                            "-1",
                                            "0",
                                            "0x10",
                                            "&&",
                                            "||",
                                            "%",
                                            "/0",
                                            "*",
                                            "^",
                                            "@",
                                            "/",
                                            "//",
                                            "~",
                                            "*/",
                                            repeated("(", 70),
                                            repeated("[", 100),
                                            repeated("{\"a\":", 100),
                                            repeated("-", 200),
                                            repeated("a", 5000),
                                            repeated("\u202e", 50),
                                            repeated("9", 400)};
  return all;
}

const std::vector<std::string>& numbers() {
  static const std::vector<std::string> all{"0",
                                            "-0",
                                            "-1",
                                            "1",
                                            "2147483648",
                                            "4294967296",
                                            "9223372036854775807",
                                            "9223372036854775808",
                                            "18446744073709551616",
                                            "1e308",
                                            "1e-308",
                                            "1e999",
                                            "-1e999",
                                            "0.5",
                                            "1.5e3",
                                            "1e",
                                            "1.",
                                            "00",
                                            "1e18",
                                            "1000000000000000000000",
                                            "100000000000",
                                            "0.1",
                                            "-7"};
  return all;
}

Json nested(int depth) {
  Json value = 1;
  for (int i = 0; i < depth; ++i) value = i % 2 ? Json{{"a", value}} : Json::array({value});
  return value;
}

const std::vector<Json>& values() {
  static const std::vector<Json> all{nullptr,
                                     true,
                                     false,
                                     0,
                                     1,
                                     -1,
                                     2,
                                     1.5,
                                     1e308,
                                     -1e308,
                                     1e-320,
                                     1e18,
                                     std::int64_t{1} << 62,
                                     std::uint64_t{1} << 63,
                                     "",
                                     "a",
                                     "1",
                                     "2%",
                                     "1h",
                                     "\x1b[31mred",
                                     "\u202eturned\u009b",
                                     "../../etc/passwd",
                                     "=1+1",
                                     "]]>",
                                     "<b>",
                                     "a\nb",
                                     "*",
                                     "uot/*",
                                     "{ranks}",
                                     "{bin}",
                                     "{no_such}",
                                     std::string(3000, 'x'),
                                     repeated("a,", 900),
                                     Json::array(),
                                     Json::object(),
                                     Json::array({Json::array()}),
                                     Json::array({nullptr}),
                                     Json::array({1, "a", nullptr}),
                                     Json{{"a", 1}},
                                     Json{{"pow2", {0, 62}}},
                                     Json{{"from", 1}, {"to", 2147483648}, {"step", 1}},
                                     nested(30),
                                     nested(70)};
  return all;
}

/// Every value in it, itself included.
void collect(Json& value, std::vector<Json*>& all) {
  all.push_back(&value);
  if (value.is_structured())
    for (auto& part : value) collect(part, all);
}

/// Where lines begin, and the end.
std::vector<std::size_t> line_starts(const std::string& text) {
  std::vector<std::size_t> starts{0};
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '\n' && i + 1 < text.size()) starts.push_back(i + 1);
  starts.push_back(text.size());
  return starts;
}

}  // namespace

std::string Mutation::mutated(const std::vector<std::string>& corpus) {
  std::string text = one_of(corpus);
  for (auto changes = 1 + below(4); changes > 0; --changes) switch (below(8)) {
      case 0:
      case 1:
      case 2:
        if (change_json(text)) break;
        [[fallthrough]];
      case 3:
        change_bytes(text);
        break;
      case 4:
        change_number(text);
        break;
      case 5:
        change_lines(text);
        break;
      case 6:
        splice(text, corpus);
        break;
      default:
        change_bytes(text);
    }
  return text;
}

void Mutation::change_bytes(std::string& text) {
  const auto at = static_cast<std::size_t>(below(text.size() + 1));
  const auto length = std::min<std::size_t>(below(below(8) ? 12 : 400), text.size() - at);
  switch (below(6)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(at, one_of(pieces()));
      break;
    case 3:
      text.replace(at, length, one_of(pieces()));
      break;
    case 4:
      text.insert(static_cast<std::size_t>(below(text.size() + 1)), text.substr(at, length));
      break;
    default:
      if (below(4) == 0)
        text.resize(at);  // cut off
      else if (at < text.size())
        text[at] = static_cast<char>(below(256));
  }
}

void Mutation::change_number(std::string& text) {
  const auto is_digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  auto at =
      std::find_if(text.begin() + static_cast<std::ptrdiff_t>(below(text.size() + 1)), text.end(), is_digit);
  if (at == text.end()) at = std::find_if(text.begin(), text.end(), is_digit);
  if (at == text.end()) return change_bytes(text);
  text.replace(at, std::find_if_not(at, text.end(), is_digit), one_of(numbers()));
}

void Mutation::change_lines(std::string& text) {
  const auto starts = line_starts(text);
  const auto line = static_cast<std::size_t>(below(starts.size() - 1));
  const std::string whole = text.substr(starts[line], starts[line + 1] - starts[line]);
  switch (below(4)) {
    case 0:
      text.erase(starts[line], whole.size());
      break;
    case 1:
      text.insert(one_of(starts), whole);
      break;
    case 2:
      text.erase(starts[line], static_cast<std::size_t>(below(whole.size() + 1)));
      break;
    default: {
      const auto kept = static_cast<std::size_t>(below(whole.size() + 1));
      text.erase(starts[line] + kept, whole.size() - kept);
    }
  }
}

bool Mutation::change_json(std::string& text) {
  // The whole, or one line of it, behind the byte that frames it.
  const auto starts = line_starts(text);
  const auto line = static_cast<std::size_t>(below(starts.size() - 1));
  std::size_t begin = starts[line], end = starts[line + 1];
  if (begin < end && text[begin] == '\x1e') ++begin;
  auto parsed = parse_shallow(std::string_view(text).substr(begin, end - begin));
  if (!parsed) begin = 0, end = text.size(), parsed = parse_shallow(text);
  if (!parsed) return false;
  Json json = *std::move(parsed);
  const bool ends_line = end > begin && text[end - 1] == '\n';

  std::vector<Json*> all;
  collect(json, all);
  std::string twice;  // a key that shall stand there twice
  for (auto changes = 1 + below(2); changes > 0; --changes) {
    Json& found = *all[static_cast<std::size_t>(below(all.size()))];
    switch (below(7)) {
      case 0:
      case 1:
      case 2:
        found = one_of(values());
        break;
      case 3:
        found = Json(*all[static_cast<std::size_t>(below(all.size()))]);
        break;
      case 4:
        found = below(2) ? Json::array({found, found}) : Json{{"a", found}};
        break;
      case 5:
        if (found.is_object() && !found.empty()) {
          auto member = found.begin();
          std::advance(member, below(found.size()));
          if (below(2))
            found[one_of(pieces())] = member.value();
          else
            found.erase(member);
        } else if (found.is_array() && !found.empty()) {
          found.erase(static_cast<std::size_t>(below(found.size())));
        }
        break;
      default:
        if (found.is_object() && !found.empty()) {
          auto member = found.begin();
          std::advance(member, below(found.size()));
          twice = to_line(member.key()) + ":" + to_line(one_of(values())) + ",";
        } else if (found.is_string()) {
          found = found.get<std::string>() + one_of(pieces());
        }
    }
    all.clear();  // some of them are gone
    collect(json, all);
  }
  std::string written = to_line(json);
  if (!twice.empty() && written.starts_with('{')) written.insert(1, twice);
  text.replace(begin, end - begin, written + (ends_line ? "\n" : ""));
  return true;
}

void Mutation::splice(std::string& text, const std::vector<std::string>& corpus) {
  const std::string& other = one_of(corpus);
  const auto from = static_cast<std::size_t>(below(other.size() + 1));
  const auto length = static_cast<std::size_t>(below(std::min<std::size_t>(other.size() - from, 2000) + 1));
  const auto at = static_cast<std::size_t>(below(text.size() + 1));
  text.replace(at, std::min<std::size_t>(below(200), text.size() - at), other, from, length);
}

}  // namespace uotbench::fuzz
