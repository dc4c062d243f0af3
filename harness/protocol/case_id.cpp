#include "harness/protocol/case_id.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"
#include "results/base/value_json.hpp"

namespace uotbench {
namespace {

std::string percent_encoded(const std::string& text) {
  std::string out;
  for (const unsigned char c : text) {
    const bool plain = (c < 128 && std::isalnum(c)) || c == '_' || c == '.' || c == '+' || c == '-';
    out += plain ? std::string(1, static_cast<char>(c)) : fmt::format("%{:02X}", c);
  }
  return out;
}

/// "a%2Fb" to "a/b". Throws Error where a % is not followed by two hexadecimal digits.
std::string percent_decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned char byte = 0;
    const std::string_view digits = text.substr(i + 1, 2);
    const auto [rest, error] = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
    if (error != std::errc() || digits.size() != 2 || rest != digits.data() + 2)
      throw Error(fmt::format("\"{}\": % is not followed by two hexadecimal digits", text));
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

}  // namespace

std::string case_id(std::string_view variant, const std::vector<Axis>& axes, const Json& point,
                    const Json& derived, std::string_view worker) {
  std::string id(variant);
  std::map<std::string, std::string> changed;
  const auto& values = point.get_ref<const Json::object_t&>();
  auto next = values.begin();  // a planned point has its axes in their order
  for (const auto& axis : axes) {
    const Json& value =
        next != values.end() && next->first == axis.name ? (next++)->second : point.at(axis.name);
    if (axis.role == Role::size) {
      id += fmt::format("/{}:{}", axis.name, percent_encoded(value_text(value)));
      continue;
    }
    const Json standard =
        axis.derived && derived.contains(axis.name) ? derived.at(axis.name) : to_json(axis.standard);
    if (value != standard) changed.emplace(axis.name, percent_encoded(value_text(value)));
  }
  for (const auto& [name, text] : changed) id += fmt::format("/{}:{}", name, text);
  return fmt::format("{}@{}", id, worker);
}

CaseName parse_case_id(std::string_view id) {
  constexpr std::size_t longest_shown = 300;
  const auto wrong = [&](const std::string& what) {
    return Error(fmt::format("\"{}\" is not a case id such as uot/map_uot/M:4096/N:4096@native-v4: {}",
                             cut(std::string(id), longest_shown), what));
  };
  CaseName name;
  const auto at = id.rfind('@');
  if (at == std::string_view::npos || at + 1 == id.size()) throw wrong("no worker after an @");
  name.worker = id.substr(at + 1);
  std::string_view rest = id.substr(0, at);
  while (!rest.empty()) {
    const auto slash = rest.find('/');
    const std::string_view part = rest.substr(0, slash);
    rest = slash == std::string_view::npos ? std::string_view{} : rest.substr(slash + 1);
    const auto colon = part.find(':');
    if (colon != std::string_view::npos && colon > 0) {
      name.axes.emplace_back(part.substr(0, colon), percent_decoded(part.substr(colon + 1)));
    } else if (name.axes.empty() && colon != 0) {
      name.variant += (name.variant.empty() ? "" : "/") + std::string(part);
    } else {
      throw wrong(fmt::format("\"{}\" is not AXIS:VALUE", cut(std::string(part), longest_shown)));
    }
  }
  if (name.variant.find('/') == std::string::npos) throw wrong("it does not begin with FAMILY/VARIANT");
  return name;
}

}  // namespace uotbench
