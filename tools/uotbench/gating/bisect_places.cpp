// The functions and lines whose instructions changed with a commit.
#include <filesystem>
#include <fstream>
#include <map>

#include "harness/host/process/files.hpp"
#include "results/gate/gate.hpp"
#include "results/record/counters.hpp"
#include "tools/uotbench/gating/bisect.hpp"
#include "tools/uotbench/gating/run.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

PlaceName function_name(const std::string& at) { return {.key = at, .shown = at}; }

/// A build's source lines, with what they say.
class SourceLines {
 public:
  explicit SourceLines(fs::path checkout) : checkout_(std::move(checkout)) {}

  PlaceName name(const std::string& at) {
    const auto colon = at.rfind(':');
    const std::string file = in_checkout(at.substr(0, colon));
    const std::string shown = file + at.substr(colon), text = text_at(file, at.substr(colon + 1));
    return {.key = text.empty() ? shown : file + ":" + text, .shown = shown, .text = text};
  }

 private:
  /// Its place in the checkout, where it has one. Debug information of a mapped path may begin with the
  /// folder of the build: build/release/kernels/uot/map_uot.cpp.
  std::string in_checkout(const std::string& file) const {
    if (const std::string top = checkout_.string() + "/"; file.starts_with(top))
      return file.substr(top.size());
    std::error_code none;
    if (file.starts_with('/') && fs::exists(file, none)) return file;  // the compiler's, say
    for (auto at = file.find('/', file.starts_with('/')); at != std::string::npos;
         at = file.find('/', at + 1))
      if (fs::is_regular_file(checkout_ / file.substr(at + 1), none)) return file.substr(at + 1);
    return file;
  }

  std::string text_at(const std::string& file, const std::string& number) {
    auto [found, fresh] = files_.try_emplace(file);
    if (fresh) {
      std::ifstream in(checkout_ / file);
      for (std::string line; std::getline(in, line);) found->second.push_back(trimmed(line));
    }
    const auto line = static_cast<std::size_t>(std::atoll(number.c_str()));
    return line > 0 && line <= found->second.size() ? found->second[line - 1] : "";
  }

  fs::path checkout_;
  std::map<std::string, std::vector<std::string>> files_;
};

}  // namespace

void Bisect::keep_places(const GateRun& run, const GateSetup& setup, const std::string& id) {
  changed_part_ = explained_change(run.file().header(), run.file().record(id, setup.baseline()),
                                   run.file().record(id, setup.candidate()));
  const auto counter = [&](const Arm& arm, const char* name) {
    const Record* const record = run.file().record(id, arm);
    return record ? counter_or_why(*record, name) : Counter{.reason = "it was not counted"};
  };
  const auto compared = [&](const char* name, const NamePlace& before, const NamePlace& after,
                            std::string& why_none) {
    const Counter a = counter(setup.baseline(), name), b = counter(setup.candidate(), name);
    if (a.value && b.value && !a.lines.empty() && !b.lines.empty())
      return compare_places(a, before, b, after);
    const Counter& lacking = !a.value || (b.value && a.lines.empty()) ? a : b;
    why_none = lacking.value ? "the source reports none" : lacking.reason;
    return std::vector<PlaceChange>();
  };
  SourceLines before(setup.checkout(0)), after(setup.checkout(1));
  report_.functions =
      compared("instructions.by_function", function_name, function_name, report_.no_functions);
  report_.lines = compared(
      "instructions.by_line", [&](const std::string& at) { return before.name(at); },
      [&](const std::string& at) { return after.name(at); }, report_.no_lines);
}

}  // namespace uotbench
