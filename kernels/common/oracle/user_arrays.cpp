#include "kernels/common/oracle/user_arrays.hpp"

#include <fmt/ranges.h>

#include <charconv>
#include <fstream>
#include <string_view>

#include "harness/protocol/memory_folder.hpp"
#include "harness/worker/oracle/input_files.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";  // what spreadsheets begin a CSV file with

/// (40, 50), (40,): as NumPy prints it.
std::string shape_text(const std::vector<std::size_t>& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line)
    if (c == ',')
      cells.emplace_back();
    else if (c != ' ' && c != '\t' && c != '\r' && c != '"')
      cells.back() += c;
  return cells;
}

std::optional<double> number_in(std::string_view cell) {
  double value = 0;
  if (cell.starts_with('+')) cell.remove_prefix(1);
  const auto [rest, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || rest != cell.data() + cell.size()) return std::nullopt;
  return value;
}

/// memory:3/NAME.npy. As a text, which a call asks for many times: a path takes longer to make.
std::string npy_in_memory(const fs::path& folder, const std::string& name) {
  return folder.native() + '/' + name + ".npy";
}

/// DIR/NAME.npy, or DIR/NAME.csv where there is only that.
std::string file_of(const fs::path& folder, const std::string& name) {
  if (is_in_memory(folder.native())) return npy_in_memory(folder, name);
  const fs::path npy = folder / (name + ".npy"), csv = folder / (name + ".csv");
  if (!fs::exists(csv)) return npy.string();
  if (fs::exists(npy))
    throw Error(
        fmt::format("{}: holds both {}.npy and {}.csv; expected one of them", folder.string(), name, name));
  return csv.string();
}

}  // namespace

NumberTable read_number_table(const std::string& path) {
  InputFiles::note(path);
  std::error_code none;  // opening a pipe would wait for a writer
  if (fs::exists(path, none) && !fs::is_regular_file(path, none))
    throw Error(path + ": expected a regular file of numbers");
  std::ifstream file(path);
  if (!file) throw Error(path + ": cannot be read");
  NumberTable table;
  std::size_t number = 0;
  bool titles = true;
  for (std::string line; std::getline(file, line);) {
    if (++number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (line.find_first_not_of(" \t\r,") == std::string::npos) continue;
    const auto cells = cells_of(line);
    const bool may_be_titles = std::exchange(titles, false);
    if (may_be_titles &&
        std::ranges::none_of(cells, [](const auto& cell) { return number_in(cell).has_value(); }))
      continue;
    for (const auto& cell : cells) {
      const auto value = number_in(cell);
      if (!value) throw Error(fmt::format("{}, line {}: expected a number, got \"{}\"", path, number, cell));
      table.values.push_back(*value);
    }
    if (table.rows == 0) table.columns = cells.size();
    if (cells.size() != table.columns)
      throw Error(fmt::format("{}, line {}: expected {} numbers as in the first line, got {}", path, number,
                              table.columns, cells.size()));
    ++table.rows;
  }
  if (table.rows == 0) throw Error(path + ": holds no numbers");
  return table;
}

fs::path user_folder(const fs::path& path, const std::string& holds) {
  if (path.empty()) throw Error("data=npy needs path: the folder that holds " + holds);
  if (!has_folder(path)) throw Error(fmt::format("path: {} is not a folder", path.string()));
  return path;
}

bool has_user_array(const fs::path& folder, const std::string& name) {
  if (is_in_memory(folder.native())) return has_array(npy_in_memory(folder, name));
  return has_array(folder / (name + ".npy")) || fs::exists(folder / (name + ".csv"));
}

UserArray::UserArray(const fs::path& folder, const std::string& name)
    : name_(name), file_(file_of(folder, name)) {
  InputFiles::note(file_);
  if (file_.ends_with(".csv")) {
    NumberTable table = read_number_table(file_);
    shape_ = table.columns == 1 ? std::vector{table.rows} : std::vector{table.rows, table.columns};
    table_ = std::move(table.values);
  } else {
    array_ = AnyNpy::open(file_);
    shape_ = array_->shape();
  }
}

UserArray::UserArray(const fs::path& folder, const std::string& name, const std::vector<std::size_t>& shape,
                     const std::string& sizes)
    : UserArray(folder, name) {
  // One row of masses is a vector, and a vector one row of them, or points on a line.
  const bool as_vector = shape.size() == 1 && shape_.size() == 2 && shape_[0] == 1 && shape_[1] == shape[0];
  const bool as_row = shape.size() == 2 && shape[0] == 1 && shape_.size() == 1 && shape_[0] == shape[1];
  const bool as_column = shape.size() == 2 && shape[1] == 1 && shape_.size() == 1 && shape_[0] == shape[0];
  if (as_vector || as_row || as_column) shape_ = shape;
  if (shape_ != shape)
    throw Error(
        fmt::format("{}: shape {}; expected {} for {}", file_, shape_text(shape_), shape_text(shape), sizes));
}

std::size_t coordinates_of(const UserArray& points) {
  if (points.shape().size() != 2) return 1;
  if (points.shape()[1] == 0)
    throw Error(fmt::format("{}: points of no coordinates; expected some", points.file()));
  return points.shape()[1];
}

bool gives_matrix(const fs::path& folder) {
  return (has_user_array(folder, "C") || has_user_array(folder, "K")) && !has_user_array(folder, "X");
}

Point sizes_of_masses(const Point& point) {
  Point sizes;
  for (const auto& [axis, masses] : {std::pair("M", "a"), {"N", "b"}}) {
    if (point.has(axis)) continue;
    if (point.text("data") != "npy")
      throw Error(fmt::format("{} must be given: sizes are read from files with data=npy only", axis));
    const UserArray array(user_folder(point.text("path"), "a.npy and b.npy"), masses);
    sizes.set(axis, static_cast<std::int64_t>(array.size()));
  }
  return sizes;
}

void UserArray::read(std::size_t first, std::span<double> to) const {
  if (array_)
    array_->read(first, to);
  else
    std::copy_n(table_.begin() + static_cast<std::ptrdiff_t>(first), to.size(), to.begin());
}

std::string UserArray::cell(std::size_t index) const {
  std::string text;
  for (std::size_t axis = shape_.size(); axis-- > 0; index /= shape_[axis])
    text = fmt::format("{}{}", index % shape_[axis], text.empty() ? "" : "," + text);
  return fmt::format("{}[{}]", name_, text);
}

void UserArray::refuse(std::size_t index, const std::string& why) const {
  const double value = (*this)[index];
  const std::string text = std::isnan(value) ? "nan" : fmt::format("{}", value);
  throw Error(fmt::format("{}: {} is {}{}", file_, cell(index), text, why));
}

bool has_forbidden(const UserArray& costs) {
  bool any = false;
  const std::size_t count = costs.size();
#pragma omp parallel for schedule(static) reduction(|| : any) if (count >= worth_a_team)
  for (std::size_t first = 0; first < count; first += 512) {
    double block[512];
    const std::span<double> values(block, std::min<std::size_t>(512, count - first));
    costs.read(first, values);
    any = any || std::ranges::find(values, std::numeric_limits<double>::infinity()) != values.end();
  }
  return any;
}

}  // namespace uotbench
