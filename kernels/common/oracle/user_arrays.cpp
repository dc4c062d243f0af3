#include "kernels/common/oracle/user_arrays.hpp"

#include <fmt/ranges.h>

#include "harness/worker/oracle/input_files.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

/// (40, 50), (40,): as NumPy prints it.
std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

fs::path user_folder(const fs::path& path, const std::string& holds) {
  if (path.empty()) throw Error("data=npy needs path: the folder that holds " + holds);
  if (!fs::is_directory(path)) throw Error(fmt::format("path: {} is not a folder", path.string()));
  return path;
}

UserArray::UserArray(const fs::path& folder, const std::string& name, const std::vector<std::size_t>& shape,
                     const std::string& sizes)
    : name_(name), file_((folder / (name + ".npy")).string()), array_(NpyArray::open(file_)) {
  InputFiles::note(file_);
  if (array_.type() != "<f4" && array_.type() != "<f8")
    throw Error(
        fmt::format("{}: elements of type {}; f32 (<f4) or f64 (<f8) would be right", file_, array_.type()));
  if (array_.shape() != shape)
    throw Error(fmt::format("{}: shape {}; {} would be right for {}", file_, shape_text(array_.shape()),
                            shape_text(shape), sizes));
}

std::string UserArray::cell(std::size_t index) const {
  std::string text;
  for (std::size_t axis = array_.shape().size(); axis-- > 0; index /= array_.shape()[axis])
    text = fmt::format("{}{}", index % array_.shape()[axis], text.empty() ? "" : "," + text);
  return fmt::format("{}[{}]", name_, text);
}

void UserArray::refuse(std::size_t index, const std::string& why) const {
  const double value = (*this)[index];
  const std::string text = std::isnan(value) ? "nan" : fmt::format("{}", value);
  throw Error(fmt::format("{}: {} is {}{}", file_, cell(index), text, why));
}

}  // namespace uotbench
