// JSON that a person wrote: what a finished value no longer shows is an error, with its place.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>
#include <vector>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/json_fault.hpp"
#include "results/base/whole_file.hpp"

namespace uotbench {
namespace {

constexpr std::size_t deepest = 64;
// Longer than any path.
constexpr std::size_t longest_text = 4096;

/// A pass over the text that builds nothing: finds what a finished document no longer shows.
class Inspector : public nlohmann::json_sax<nlohmann::json> {
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

  bool parse_error(std::size_t position, const std::string& token,
                   const nlohmann::json::exception& error) override {
    if (text_.find_first_not_of(" \t\r\n") == std::string::npos)
      throw UsageError(fmt::format("{}: empty; expected JSON", name_));
    const std::string before = text_.substr(0, position);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    // npos + 1 is 0; the end of a last line that ends in a newline is the start of the next.
    const auto column = std::max<std::size_t>(1, before.size() - (before.rfind('\n') + 1));
    const bool too_large = dynamic_cast<const nlohmann::json::out_of_range*>(&error);
    throw UsageError(fmt::format("{}: line {}, column {}: {}", name_, line, column,
                                 too_large ? token + " is too large a number" : fault_in(error)));
  }

 private:
  void require_length(const std::string& text, std::size_t depth) const {
    if (text.size() > longest_text)
      throw UsageError(fmt::format("{}: {}: a text of {} bytes; at most {} are accepted", name_,
                                   pointer(depth), text.size(), longest_text));
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
    if (levels_.size() == deepest)
      throw UsageError(fmt::format("{}: nested more than {} deep; 6 are enough", name_, deepest));
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
  nlohmann::json::sax_parse(text, &inspector);
  return Json::parse(text);
}

Json read_strictly(const std::filesystem::path& path) {
  return parse_strictly(read_whole(path), path.filename().string());
}

}  // namespace uotbench
