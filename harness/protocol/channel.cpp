#include "harness/protocol/channel.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {
constexpr char record_separator = '\x1e';
// Of a message that cannot be read, what is shown before and after the place.
constexpr std::size_t shown_before = 24, shown_after = 16;

/// What the parser said, without what it was parsing: "invalid literal; last read: ':N'".
std::string said(const Json::Exception& error) {
  const std::string fault = error.what();
  const auto dash = fault.find(" - ");
  return dash == std::string::npos ? fault : fault.substr(dash + 3);
}

/// Why a frame is no message.
std::string fault_of(std::string_view body) {
  const auto place = [&](std::size_t at) {
    const std::size_t from = character_start(body, at - std::min(at, shown_before));
    const std::size_t to =
        at + shown_after < body.size() ? character_start(body, at + shown_after) : body.size();
    return fmt::format("at its byte {} ({})", at + 1, body.substr(from, to - from));
  };
  try {
    std::ignore = Json::parse(body);
  } catch (const Json::ParseError& error) {
    if (error.byte == 0) return fmt::format("a message that is {}", error.what());
    const std::size_t at = std::min(body.size(), error.byte - 1);
    const std::string_view rest = body.substr(at);
    const bool no_number = rest.starts_with("NaN") || rest.starts_with("Infinity");
    return fmt::format(
        "a message that is not JSON: {}: {}", place(at),
        no_number ? "JSON has no NaN and no Infinity: send null, or leave the key out" : said(error));
  }
  return "a message that is JSON";
}

/// What is not UTF-8 becomes U+FFFD: the text goes into records and onto terminals.
std::string as_utf8(const std::string& text) { return Json::parse(to_line(text)).get<std::string>(); }

Json message_from(std::string_view body) {
  const bool meant = body.substr(std::min(body.size(), body.find_first_not_of(" \t"))).starts_with('{');
  const auto values = std::ranges::count_if(body, [](char c) { return c == ',' || c == '[' || c == '{'; });
  if (meant && static_cast<std::size_t>(values) > most_values)
    throw Error(fmt::format("a message of more than {} values", most_values));
  std::optional<Json> message = parse_shallow(body);
  if (meant && !message) throw Error(as_utf8(fault_of(body)));
  return std::move(message).value_or(nullptr);
}

}  // namespace

std::string framed(const Json& message) { return record_separator + to_line(message) + '\n'; }

void Deframer::feed(std::string_view bytes, const OnMessage& on_message, const OnText& on_text) {
  std::size_t searched = pending_.size();
  pending_ += bytes;
  std::size_t begin = 0;
  for (;;) {
    const auto end = pending_.find('\n', searched);
    if (end == std::string::npos) break;
    std::string_view line(pending_.data() + begin, end - begin);
    // A kernel's printf may stand before the separator on the same line: text first, then the message. The
    // last separator counts: JSON holds none, so what is before it is text or a message cut off.
    const auto separator = line.rfind(record_separator);
    const auto text = line.substr(0, separator);
    if (!text.empty()) on_text(text);
    if (separator != std::string_view::npos) {
      const auto body = line.substr(separator + 1);
      Json message = message_from(body);
      if (!message.is_object()) {
        on_text(body);
      } else {
        on_message(std::move(message));
      }
    }
    begin = searched = end + 1;
  }
  pending_.erase(0, begin);
  if (pending_.size() > longest_message)
    throw Error(fmt::format("a message of more than {} bytes", longest_message));
}

Channel::Channel(int in, int out) : in_(in), out_(out) {}

Channel::~Channel() = default;

void Channel::send(const Json& message) {
  const std::string text = framed(message);
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(out_, text.data() + sent, text.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) throw Error(fmt::format("the other side is gone: {}", std::strerror(errno)));
    sent += static_cast<std::size_t>(count);
  }
}

Json Channel::receive() {
  std::array<char, 1 << 16> buffer;
  while (queue_.empty()) {
    const ssize_t count = ::read(in_, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return nullptr;
    deframer_.feed(
        {buffer.data(), static_cast<std::size_t>(count)},
        [&](Json message) { queue_.push_back(std::move(message)); }, [](std::string_view) {});
  }
  Json message = std::move(queue_.front());
  queue_.erase(queue_.begin());
  return message;
}

}  // namespace uotbench
