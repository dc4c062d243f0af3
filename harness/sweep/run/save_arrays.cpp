#include "harness/sweep/run/save_arrays.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "results/base/error.hpp"
#include "results/base/json.hpp"

namespace uotbench {
namespace fs = std::filesystem;

void save_arrays(const fs::path& folder, const Record& record, int iterations, const fs::path& arrays,
                 const std::vector<std::string>& outputs) {
  std::string name = record.id;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '/' || c == ':'; }, '_');
  const fs::path place = folder / name;
  try {
    fs::create_directories(place);
    const auto copy = [&](const fs::path& file) {
      fs::copy_file(file, place / file.filename(), fs::copy_options::overwrite_existing);
    };
    for (const auto& entry : fs::directory_iterator(arrays / "in")) copy(entry.path());
    for (const auto& output : outputs) copy(arrays / "out" / (output + ".npy"));
    std::ofstream facts(place / "case.json");
    facts << Json{{"id", record.id}, {"point", record.point.json()}, {"iterations", iterations}}.dump(2)
          << '\n';
    if (!facts.flush()) throw Error(fmt::format("{}: cannot be written", (place / "case.json").string()));
  } catch (const fs::filesystem_error& error) {
    throw Error(fmt::format("{}: arrays cannot be saved: {}", place.string(), error.code().message()));
  }
}

}  // namespace uotbench
