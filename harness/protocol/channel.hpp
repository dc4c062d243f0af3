// Messages between a parent and a worker: JSON text sequences (RFC 7464): 0x1E, one JSON text, newline.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "results/base/json_fwd.hpp"

namespace uotbench {

inline constexpr int protocol_version = 1;

/// One line of 64 MiB is no message but a runaway: the plan of 100,000 points is about 20 MiB.
inline constexpr std::size_t longest_message = std::size_t{64} << 20;

/// What a message may hold: a list of a million samples, but a limited number of brackets, because each takes
/// memory.
inline constexpr std::size_t most_values = 4'000'000;

/// The text of one framed message.
std::string framed(const Json& message);

/// Takes bytes apart into messages and, between them, foreign text (what a kernel printed, say).
class Deframer {
 public:
  using OnMessage = std::function<void(Json)>;
  using OnText = std::function<void(std::string_view line)>;

  /// Feeds bytes. A frame that is no object is handed on as text. Throws Error past longest_message, and
  /// where a frame begins as a message does and cannot be read: what the parser found, and where.
  void feed(std::string_view bytes, const OnMessage& on_message, const OnText& on_text);

 private:
  std::string pending_;
};

/// Blocking ends of a pipe pair; what a worker uses.
class Channel {
 public:
  Channel(int in, int out);
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  /// Throws Error when the other side is gone.
  void send(const Json& message);
  /// The next message; null when the other side closed. Text between messages is dropped.
  Json receive();

 private:
  int in_, out_;
  Deframer deframer_;
  std::vector<Json> queue_;
};

}  // namespace uotbench
