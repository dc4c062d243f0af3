// JSON as text, read and written: the one file that knows the library. Of what a person wrote, what a
// finished value no longer shows is an error, with its place.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <istream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/whole_file.hpp"

namespace uotbench {
namespace {

using Library = nlohmann::json;

// Copying and writing a value recurse: a few million brackets would end the program.
constexpr std::size_t most_levels = 64;

/// "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while parsing value -
/// invalid literal; …" without its prefix: "syntax error while parsing value - …".
std::string fault_in(const Library::exception& error) {
  const std::string text = error.what();
  const auto syntax = text.find("syntax error while ");
  return text.substr(syntax == std::string::npos ? text.find("] ") + 2 : syntax);
}

/// Makes a value of what the library reads. Throws ParseError.
class Builder : public nlohmann::json_sax<Library> {
 public:
  /// `shown`: texts and keys become visible().
  explicit Builder(bool shown) : shown_(shown) {}

  Json take() { return std::move(value_); }

  bool null() override { return add(Json()); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(number_integer_t value) override { return add(value); }
  bool number_unsigned(number_unsigned_t value) override { return add(value); }
  bool number_float(number_float_t value, const string_t&) override { return add(value); }
  bool string(string_t& text) override { return add(shown_ ? visible(text) : std::move(text)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    levels_.back().key = shown_ ? visible(name) : std::move(name);
    return true;
  }
  bool parse_error(std::size_t byte, const std::string&, const Library::exception& error) override {
    throw Json::ParseError(fault_in(error), byte);
  }

 private:
  struct Level {
    Json value;
    std::string key = {};                                      ///< of an object's next member
    std::unordered_map<std::string, std::size_t> places = {};  ///< of the keys of an object that has many

    /// Of a key that is there twice the last value counts.
    void add(Json member) {
      auto& members = value.items();
      constexpr std::size_t few = 32;
      if (members.size() < few) {
        value[key] = std::move(member);
        return;
      }
      if (places.empty())
        for (std::size_t i = 0; i < members.size(); ++i) places.emplace(members[i].first, i);
      const auto [place, fresh] = places.emplace(key, members.size());
      if (fresh)
        members.emplace_back(std::move(key), std::move(member));
      else
        members[place->second].second = std::move(member);
    }
  };

  bool add(Json value) {
    if (levels_.empty())
      value_ = std::move(value);
    else if (Level& level = levels_.back(); level.value.is_array())
      level.value.push_back(std::move(value));
    else
      level.add(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (levels_.size() == most_levels)
      throw Json::ParseError(fmt::format("nested more than {} deep", most_levels), 0);
    levels_.push_back({.value = std::move(value)});
    return true;
  }
  bool close() {
    Json value = std::move(levels_.back().value);
    levels_.pop_back();
    return add(std::move(value));
  }

  const bool shown_;
  Json value_;
  std::vector<Level> levels_;
};

Json read(std::string_view text, bool shown) {
  Builder builder(shown);
  Library::sax_parse(text, &builder);
  return builder.take();
}

std::optional<Json> parsed(std::string_view text, bool shown) try {
  auto plain = parse_plain(text);
  return plain ? *std::move(plain) : read(text, shown);
} catch (const Json::ParseError&) {
  return std::nullopt;
}

void write(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  // The fewest digits that are read as this value, and their exponent: -1.25e-07.
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific).ptr;
  char* const e = std::find(text, end, 'e');
  int exponent = 0;
  std::from_chars(e[1] == '+' ? e + 2 : e + 1, end, exponent);
  const char* digit = text;
  if (*digit == '-') out += *digit++;
  std::string digits(1, *digit);
  if (digit + 1 < e) digits.append(digit + 2, static_cast<const char*>(e));
  const int count = static_cast<int>(digits.size());
  if (exponent >= 15 || exponent < -4) {
    out += digits[0];
    if (count > 1) (out += '.').append(digits, 1, std::string::npos);
    out += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10) out += '0';
    out += std::to_string(std::abs(exponent));
  } else if (exponent < 0) {
    out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0') += digits;
  } else if (count <= exponent + 1) {
    out.append(digits).append(static_cast<std::size_t>(exponent + 1 - count), '0') += ".0";
  } else {
    const auto whole = static_cast<std::size_t>(exponent + 1);
    out.append(digits, 0, whole).append(".").append(digits, whole, std::string::npos);
  }
}

template <class Integer>
void write(std::string& out, Integer value) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, value).ptr);
}

void write(std::string& out, const std::string& text) {
  if (is_printable_ascii(text) && text.find_first_of("\"\\") == std::string::npos)
    out.append("\"").append(text).append("\"");
  else
    out += Library(text).dump(-1, ' ', false, Library::error_handler_t::replace);
}

void write(std::string& out, const Json& value, int indent, int depth);

/// The parts of a list or an object between its brackets, each on a line of its own where `indent` is not
/// negative.
template <class Parts, class Write>
void write_parts(std::string& out, const char* brackets, const Parts& parts, int indent, int depth,
                 const Write& write_part) {
  const auto new_line = [&](int levels) {
    if (indent >= 0) (out += '\n').append(static_cast<std::size_t>(levels * indent), ' ');
  };
  out += brackets[0];
  for (bool first = true; const auto& part : parts) {
    if (!first) out += ',';
    first = false;
    new_line(depth + 1);
    write_part(part);
  }
  if (!parts.empty()) new_line(depth);
  out += brackets[1];
}

void write(std::string& out, const Json& value, int indent, int depth) {
  switch (value.type()) {
    case Json::Type::null:
      out += "null";
      return;
    case Json::Type::boolean:
      out += value == true ? "true" : "false";
      return;
    case Json::Type::integer:
      return write(out, value.get<std::int64_t>());
    case Json::Type::unsigned_integer:
      return write(out, value.get<std::uint64_t>());
    case Json::Type::real:
      return write(out, value.get<double>());
    case Json::Type::text:
      return write(out, value.text());
    case Json::Type::array:
      return write_parts(out, "[]", value, indent, depth,
                         [&](const Json& part) { write(out, part, indent, depth + 1); });
    case Json::Type::object:
      return write_parts(out, "{}", value.items(), indent, depth, [&](const auto& member) {
        write(out, member.first);
        out += indent >= 0 ? ": " : ":";
        write(out, member.second, indent, depth + 1);
      });
  }
}

}  // namespace

Json Json::parse(std::string_view text) { return read(text, false); }

Json Json::parse(std::istream& in) { return parse(std::string(std::istreambuf_iterator(in), {})); }

std::string Json::dump(int indent) const {
  std::string out;
  write(out, *this, indent, 0);
  return out;
}

std::ostream& operator<<(std::ostream& out, const Json& json) { return out << json.dump(); }

std::string to_line(const Json& value) { return value.dump(); }

std::optional<Json> parse_shallow(std::string_view text) { return parsed(text, false); }

std::optional<Json> parse_visible(std::string_view text) { return parsed(text, true); }

namespace {

// Longer than any path.
constexpr std::size_t longest_json_text = 4096;

/// A pass over the text that builds nothing: finds what a finished document no longer shows.
class Inspector : public nlohmann::json_sax<Library> {
 public:
  Inspector(const std::string& text, std::string name) : text_(text), name_(std::move(name)) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t& text) override {
    require_length(text, levels_.size());
    return value();
  }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    require_length(name, levels_.size() - 1);
    level.key = name;
    if (!level.keys.insert(name).second)
      throw UsageError(fmt::format("{}: {}: the key \"{}\" is there twice; keep one", name_,
                                   pointer(levels_.size() - 1), name));
    return true;
  }

  bool parse_error(std::size_t position, const std::string& token, const Library::exception& error) override {
    if (text_.find_first_not_of(" \t\r\n") == std::string::npos)
      throw UsageError(fmt::format("{}: empty; expected JSON", name_));
    const std::string before = text_.substr(0, position);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    // npos + 1 is 0; the end of a last line that ends in a newline is the start of the next.
    const auto column = std::max<std::size_t>(1, before.size() - (before.rfind('\n') + 1));
    const bool too_large = dynamic_cast<const Library::out_of_range*>(&error);
    throw UsageError(fmt::format("{}: line {}, column {}: {}", name_, line, column,
                                 too_large ? token + " is too large a number" : fault_in(error)));
  }

 private:
  void require_length(const std::string& text, std::size_t depth) const {
    if (text.size() > longest_json_text)
      throw UsageError(fmt::format("{}: {}: a text of {} bytes; at most {} are accepted", name_,
                                   pointer(depth), text.size(), longest_json_text));
  }

  struct Level {
    bool is_array;
    std::string key;
    std::size_t index = 0;
    std::set<std::string> keys;
  };

  bool value() {
    if (!levels_.empty()) ++levels_.back().index;
    return true;
  }
  bool open(bool is_array) {
    if (levels_.size() == most_levels)
      throw UsageError(fmt::format("{}: nested more than {} deep; 6 are enough", name_, most_levels));
    levels_.push_back({.is_array = is_array, .key = {}, .index = 0, .keys = {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return value();
  }

  /// JSON pointer (RFC 6901) of the object at `depth`.
  std::string pointer(std::size_t depth) const {
    std::string place;
    for (std::size_t i = 0; i < depth; ++i)
      append_to(place, levels_[i].is_array ? std::to_string(levels_[i].index) : levels_[i].key);
    return place.empty() ? "/" : place;
  }

  const std::string& text_;
  std::string name_;
  std::vector<Level> levels_;
};

}  // namespace

Json parse_strictly(const std::string& text, const std::string& name) {
  Inspector inspector(text, name);
  Library::sax_parse(text, &inspector);
  return Json::parse(text);
}

Json read_strictly(const std::filesystem::path& path) {
  return parse_strictly(read_whole(path), path.filename().string());
}

}  // namespace uotbench
