// Arrays of users and of workers: a header that lies is refused before anybody reads past the file's end.
#include "harness/protocol/npy.hpp"

#include <unistd.h>

#include <fstream>
#include <numeric>

#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

void read(std::string_view input) {
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

const Registration target{{.name = "npy", .one_input = read, .corpus = arrays}};

}  // namespace
}  // namespace uotbench::fuzz
