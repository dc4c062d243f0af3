// What arrives on a worker's pipe, in pieces of any size: messages come out whole, and text beside them.
#include "harness/protocol/channel.hpp"
#include "results/base/error.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

struct Heard {
  Json messages = Json::array();
  std::string text;
};

Heard heard(std::string_view input, std::size_t piece) {
  Heard all;
  Deframer frames;
  for (std::size_t at = 0; at < input.size(); at += piece)
    frames.feed(
        input.substr(at, piece), [&](Json message) { all.messages.push_back(std::move(message)); },
        [&](std::string_view line) { all.text += std::string(line) + "\n"; });
  return all;
}

void read(std::string_view input) {
  const Heard whole = heard(input, input.size() + 1);
  for (const std::size_t piece : {std::size_t{7}, std::size_t{333}}) {
    const Heard pieces = heard(input, piece);
    require_same(whole.messages, pieces.messages, "messages, whole and in pieces");
    require_same(Json(on_one_line(whole.text)), Json(on_one_line(pieces.text)), "text, whole and in pieces");
  }
  std::string written;
  for (const auto& message : whole.messages) {
    if (!message.is_object()) throw Broken("a message that is no object: " + to_line(message));
    written += framed(message);
  }
  const Heard again = heard(written, written.size() + 1);
  require_same(Json::parse(to_line(whole.messages)), again.messages, "messages, written and read");
  if (!again.text.empty()) throw Broken("a message that is written is read as text: " + again.text);
}

/// The conversation of docs/my_worker.txt, with a kernel that prints.
std::vector<std::string> conversations() {
  std::string all;
  std::vector<std::string> frames;
  for (const auto& file : files_of({"docs/my_worker.txt"}))
    for (std::size_t begin = 0, end; (end = file.find('\n', begin)) != std::string::npos; begin = end + 1)
      if (const std::string line = file.substr(begin, end - begin);
          line.starts_with("< {") || line.starts_with("> {")) {
        frames.push_back("\x1e" + line.substr(2) + "\n");
        all += "to stdout\n" + frames.back();
      }
  frames.push_back(all);
  return frames;
}

const Registration target{{.name = "frames", .one_input = read, .corpus = conversations}};

}  // namespace
}  // namespace uotbench::fuzz
