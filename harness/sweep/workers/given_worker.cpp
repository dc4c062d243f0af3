// Workers that somebody gives: --worker NAME=CMD, or a project's command.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <string_view>

#include "harness/sweep/workers/manifest.hpp"
#include "results/base/error.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace fs = std::filesystem;

namespace {

// Bytes of an argument that an error quotes.
constexpr std::size_t longest_word = 300;
// Ends the name of the manifest beside a program: the program's name, and this.
constexpr const char* beside = ".worker.json";

/// Null: the word names none.
const Manifest* adapter_of(const std::string& word, const std::vector<Manifest>& known) {
  const auto colon = word.find(':');
  if (colon == std::string::npos) return nullptr;
  const auto found = std::ranges::find_if(known, [&](const Manifest& manifest) {
    return manifest.adapter && word.compare(0, colon, manifest.name) == 0;
  });
  return found == known.end() ? nullptr : &*found;
}

}  // namespace

std::vector<Manifest> counter_sources_of(const std::vector<Manifest>& manifests) {
  std::vector<Manifest> sources;
  for (const auto& manifest : manifests) {
    if (manifest.counts.empty()) continue;
    sources.push_back(manifest);
    sources.back().steps = {step::count};
    sources.back().counters.clear();
    sources.back().counted_by.clear();
  }
  return sources;
}

std::vector<std::string> without_adapter(std::vector<std::string> command,
                                         const std::vector<Manifest>& known) {
  if (command.empty() || !adapter_of(command.front(), known)) return command;
  command.front().erase(0, command.front().find(':') + 1);
  if (command.front().empty()) command.erase(command.begin());
  return command;
}

Manifest given_worker(const std::string& name, std::vector<std::string> command,
                      const std::vector<Manifest>& known) {
  std::vector<std::string> steps = Manifest{}.steps;
  if (const Manifest* const adapter = command.empty() ? nullptr : adapter_of(command.front(), known)) {
    const auto adapted = without_adapter(command, known);
    if (adapted.empty())
      throw UsageError(fmt::format("worker {}: nothing after {}; expected {}:COMMAND ({})", name,
                                   command.front(), adapter->name, adapter->about));
    steps = adapter->steps;
    command = adapter->command;
    command.insert(command.end(), adapted.begin(), adapted.end());
  }
  Manifest manifest{
      .name = name, .about = {}, .command = command, .environment = {}, .isa = {}, .given = true};
  manifest.steps = steps;
  for (const auto& word : command) {
    const fs::path file = word + beside;
    std::error_code none;
    if (!fs::is_regular_file(file, none)) continue;
    const Manifest its =
        read_manifest(file, fs::absolute(file).lexically_normal().parent_path(), file.string());
    if (its.judge || !its.runs_cases())
      throw UsageError(fmt::format("{}: expected a worker with cases, got one that {}", file.string(),
                                   its.judge ? "judges" : "only counts"));
    manifest = its;
    manifest.name = name;
    manifest.command = command;
    manifest.prefer = 0;
    manifest.given = true;
    break;
  }
  return manifest;
}

Manifest manifest_from_argument(const std::string& argument, const std::vector<Manifest>& known) {
  const auto equals = argument.find('=');
  if (equals == std::string::npos) {
    std::vector<std::string> names;
    for (const auto& manifest : known) {
      if (manifest.name == argument && manifest.adapter)
        throw UsageError(fmt::format("--worker {}: an adapter needs a command; expected NAME={}:COMMAND ({})",
                                     argument, argument, manifest.about));
      if (manifest.name == argument) return manifest;
      if (!manifest.adapter) names.push_back(manifest.name);
    }
    const std::string shown = cut(argument, longest_word);
    throw UsageError(fmt::format("no worker \"{}\"{}; known: {}; or give its command: --worker {}=CMD", shown,
                                 did_you_mean(argument, names), fmt::join(names, ", "), shown));
  }
  const Manifest manifest =
      given_worker(argument.substr(0, equals), split_command(argument.substr(equals + 1), "--worker"), known);
  // The name ends every id of its cases: uot/map_uot/M:4/N:4@mine.
  const bool nameable = std::all_of(manifest.name.begin(), manifest.name.end(), [](unsigned char c) {
    return (c < 128 && std::isalnum(c)) ||
           std::string_view("_.+-").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (manifest.name.empty() || !nameable || manifest.command.empty())
    throw UsageError(fmt::format(
        "--worker {}: write NAME=CMD, for example mine=\"python3 my_worker.py\"; a name is letters, digits, "
        "'_', '.', '+' and '-'",
        cut(argument, longest_word)));
  const auto& program = manifest.command.front();
  if (program.find('/') != std::string::npos && ::access(program.c_str(), X_OK) != 0)
    throw UsageError(fmt::format("--worker {}: {}: {}", cut(argument, longest_word),
                                 cut(program, longest_word), std::strerror(errno)));
  return manifest;
}

std::vector<Manifest> with_workers(std::vector<Manifest> manifests,
                                   const std::vector<std::string>& arguments) {
  for (const auto& argument : arguments) {
    const Manifest given = manifest_from_argument(argument, manifests);
    std::erase_if(manifests, [&](const Manifest& known) { return known.name == given.name; });
    manifests.push_back(given);
  }
  return manifests;
}

}  // namespace uotbench
