#include "harness/sweep/strict_json.hpp"

#include <fmt/format.h>

#include <fstream>
#include <set>
#include <vector>

#include "results/error.hpp"

namespace uotbench {
namespace {

constexpr std::size_t deepest = 64;

/// A pass over the text that builds nothing: finds what a finished document no longer shows.
class Inspector : public nlohmann::json_sax<Json> {
 public:
  explicit Inspector(std::string name) : name_(std::move(name)) {}

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t) override { return value(); }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t&) override { return value(); }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return open(false); }
  bool start_array(std::size_t) override { return open(true); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.key = name;
    if (!level.keys.insert(name).second)
      throw UsageError(fmt::format("{}: {}: the key \"{}\" stands twice; keep one", name_,
                                   pointer(levels_.size() - 1), name));
    return true;
  }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& error) override {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while parsing …"
    std::string text = error.what();
    if (const auto at = text.find("at line"); at != std::string::npos) text = text.substr(at + 3);
    throw UsageError(fmt::format("{}: {}", name_, text));
  }

 private:
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
      throw UsageError(fmt::format("{}: nested more than {} deep; a sweep needs 6", name_, deepest));
    levels_.push_back({.is_array = is_array, .key = {}, .index = 0, .keys = {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return value();
  }

  /// JSON pointer (RFC 6901) of the object at `depth`.
  std::string pointer(std::size_t depth) const {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i)
      text += "/" + (levels_[i].is_array ? fmt::format("{}", levels_[i].index) : levels_[i].key);
    return text.empty() ? "/" : text;
  }

  std::string name_;
  std::vector<Level> levels_;
};

}  // namespace

Json parse_strictly(const std::string& text, const std::string& name) {
  Inspector inspector(name);
  Json::sax_parse(text, &inspector);
  return Json::parse(text);
}

Json read_strictly(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in || std::filesystem::is_directory(path))
    throw UsageError(fmt::format("{}: cannot be read", path.string()));
  return parse_strictly(std::string(std::istreambuf_iterator<char>(in), {}), path.filename().string());
}

}  // namespace uotbench
