// What the protocol takes from outside: ids of cases, messages, arrays.
#include <unistd.h>

#include <fstream>
#include <numeric>

#include "harness/protocol/channel.hpp"
#include "harness/protocol/npy.hpp"
#include "harness/protocol/point_json.hpp"
#include "results/base/error.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

// Ids of cases, as people type them and run files hold them.

void read_id(std::string_view input) {
  const CaseName name = parse_case_id(input);
  if (name.variant.empty() || name.worker.empty()) throw Broken("a case without a variant or a worker");
  for (const auto& [axis, value] : name.axes)
    if (axis.empty()) throw Broken("an axis without a name: " + std::string(input));
}

std::vector<std::string> ids() {
  return {"uot/map_uot/M:4096/N:4096/threads:2@native-v4", "ceiling/copy/N:1/place:close@native-v3",
          "uot/gemv/M:37/N:53/blas:a%20b/data:npy/path:%2Ftmp%2Fx@mine",
          "match/cpu4_blocked/N:1/D:128@native"};
}

const Registration ids_of_cases{{.name = "case_id", .one_input = read_id, .corpus = ids, .share = 0.5}};

// What arrives on a worker's pipe, in pieces of any size: messages come out whole, and text between them.

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

void read_frames(std::string_view input) {
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

const Registration messages{{.name = "frames", .one_input = read_frames, .corpus = conversations}};

// Arrays of users and of workers: a header that lies is refused before anybody reads past the file's end.

void read_array(std::string_view input) {
  const auto path = as_file(input, "x.npy");
  NpyArray array = NpyArray::open(path.string());
  const auto bytes = array.bytes();
  if (bytes.size() > input.size()) throw Broken("it promises more bytes than the file has");
  // Each is there: another page would end the program.
  [[maybe_unused]] const volatile std::size_t sum =
      std::accumulate(bytes.begin(), bytes.end(), std::size_t{0},
                      [](std::size_t all, std::byte one) { return all + std::size_t(one); });
  if (array.type() == "<f4" && array.as<float>().size() != array.size()) throw Broken("cells are lost");
  const auto copy = path.parent_path() / "copy.npy";
  const NpyArray made = NpyArray::create(copy.string(), array.type(), array.shape());
  if (made.shape() != array.shape() || made.type() != array.type() || made.data_bytes() != array.data_bytes())
    throw Broken("an array of the same type and shape is another one");
}

std::vector<std::string> arrays() {
  std::vector<std::string> all;
  const auto path = as_file("", "made.npy").string();
  const auto made = [&](const std::string& type, const std::vector<std::size_t>& shape) {
    NpyArray::create(path, type, shape);
    std::ifstream in(path, std::ios::binary);
    all.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  };
  made("<f4", {3, 4}), made("<f8", {7}), made("<i4", {2, 1, 3}), made("<f8", {}), made("<f4", {0, 5});
  for (const auto& header :
       {"{'descr': '>f8', 'fortran_order': False, 'shape': (3,), }\n",
        "{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }\n",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (-3,), }\n"}) {
    const std::string text = header;
    all.push_back(std::string("\x93NUMPY\1\0", 8) + static_cast<char>(text.size()) + '\0' + text +
                  std::string(48, 'x'));
  }
  return all;
}

const Registration npy{{.name = "npy", .one_input = read_array, .corpus = arrays}};

}  // namespace
}  // namespace uotbench::fuzz
