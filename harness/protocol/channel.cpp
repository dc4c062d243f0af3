#include "harness/protocol/channel.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "results/base/error.hpp"

namespace uotbench {
namespace {
constexpr char record_separator = '\x1e';
}

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
      Json message = parse_shallow(body);
      if (message.is_discarded() || !message.is_object()) {
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
