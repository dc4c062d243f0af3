#include "harness/sweep/gate/arms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <utility>

#include "harness/host/process/program.hpp"
#include "results/base/error.hpp"

namespace uotbench {
namespace {

/// The same everywhere for the same seed, unlike std::shuffle (Fisher and Yates, as Knuth 3.4.2 has it). The
/// remainder's bias is below 1e-15 for lists that fit in memory.
template <class T>
void shuffle(std::vector<T>& list, std::mt19937_64& random) {
  for (std::size_t left = list.size(); left > 1; --left) std::swap(list[left - 1], list[random() % left]);
}

std::vector<AbTurn> block_of(const AbRequest& request, std::size_t first, std::mt19937_64& random) {
  std::vector<int> arms{0, 1};
  if (request.control) arms.push_back(2);
  shuffle(arms, random);
  std::vector<AbTurn> block;
  for (const int arm : arms) block.push_back({request.which, arm, first});
  if (first + 1 < request.pairs)
    for (auto arm = arms.rbegin(); arm != arms.rend(); ++arm)
      block.push_back({request.which, *arm, first + 1});
  return block;
}

}  // namespace

namespace fs = std::filesystem;

namespace {

/// As execvp finds it; empty: it does not.
fs::path program_of(const Manifest& manifest) {
  const std::string& name = manifest.command.front();
  return name.find('/') == std::string::npos ? program_in_path(name) : fs::path(name);
}

bool is_elf(const fs::path& file) {
  std::array<char, 4> magic{};
  std::ifstream(file, std::ios::binary).read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) ==
         "\x7f"
         "ELF";
}

/// An interpreter (python3 worker.py) or a wrapper (numactl ./worker): an argument names what is run.
bool launches_another(const Manifest& manifest) {
  std::error_code none;
  return std::any_of(manifest.command.begin() + 1, manifest.command.end(),
                     [&](const std::string& word) { return fs::is_regular_file(word, none); });
}

constexpr std::string_view padding = "UOTBENCH_PADDING=";

}  // namespace

// Not in shared memory: containers often mount that without the right to execute.
StagedPrograms::StagedPrograms() : folder_(temporary_root(), "uotbench-programs") {
  if (!folder_) throw Error(fmt::format("no folder can be made in {}", temporary_root().string()));
}

std::vector<Manifest> StagedPrograms::copies(const std::vector<Manifest>& manifests,
                                             std::map<std::string, std::string>& not_copied) const {
  std::vector<Manifest> copied = manifests;
  for (auto& manifest : copied) {
    if (!manifest.does(step::time) || !manifest.obstacle().empty()) continue;
    const fs::path program = program_of(manifest);
    if (program.empty() || !is_elf(program) || launches_another(manifest)) {
      not_copied[manifest.name] = fmt::format("worker {}: {} is launched again as the control, not copied",
                                              manifest.name, fmt::join(manifest.command, " "));
      continue;
    }
    const fs::path place = folder_.path() / manifest.name;
    std::error_code failed;
    fs::create_directories(place, failed);
    const std::string beside = program.filename().string() + ".";
    fs::copy_file(program, place / program.filename(), fs::copy_options::overwrite_existing, failed);
    for (const auto& entry : fs::directory_iterator(program.has_parent_path() ? program.parent_path() : "."))
      if (entry.path().filename().string().starts_with(beside) && entry.is_regular_file() && !failed)
        fs::copy_file(entry.path(), place / entry.path().filename(), fs::copy_options::overwrite_existing,
                      failed);
    if (failed)
      throw Error(
          fmt::format("{} cannot be copied to {}: {}", program.string(), place.string(), failed.message()));
    manifest.command.front() = (place / program.filename()).string();
  }
  return copied;
}

std::size_t stack_bytes(const Manifest& manifest) {
  std::size_t bytes = program_of(manifest).string().size() + 1;
  for (const auto& word : manifest.command) bytes += word.size() + 1;
  for (const auto& setting : manifest.environment) bytes += setting.size() + 1;
  return bytes;
}

void make_equally_long(const std::vector<Arm*>& arms) {
  for (const auto& like : arms.front()->manifests) {
    std::vector<Manifest*> same;
    for (auto* arm : arms)
      if (const auto its = std::ranges::find(arm->manifests, like.name, &Manifest::name);
          its != arm->manifests.end())
        same.push_back(&*its);
    std::size_t longest = 0;
    for (const auto* manifest : same) longest = std::max(longest, stack_bytes(*manifest));
    for (auto* manifest : same)
      manifest->environment.push_back(std::string(padding) +
                                      std::string(longest - stack_bytes(*manifest), 'x'));
  }
}

std::vector<AbTurn> ab_order(const std::vector<AbRequest>& wanted, std::mt19937_64& random) {
  std::vector<std::vector<AbTurn>> blocks;
  for (const auto& request : wanted)
    for (std::size_t pair = 0; pair < request.pairs; pair += 2)
      blocks.push_back(block_of(request, pair, random));
  shuffle(blocks, random);
  std::vector<AbTurn> order;
  for (const auto& block : blocks) order.insert(order.end(), block.begin(), block.end());
  return order;
}

std::vector<std::vector<const Group*>> AbInputs::batches(const std::vector<const Group*>& groups) const {
  std::vector<std::vector<const Group*>> batches;
  double bytes = 0;
  for (const auto* group : groups) {
    bytes += group->input_bytes;
    if (batches.empty() || bytes > memory_) {
      batches.emplace_back();
      bytes = group->input_bytes;
    }
    batches.back().push_back(group);
  }
  return batches;
}

void AbInputs::hold(const std::vector<const Group*>& groups) {
  const auto is_wanted = [&](const Group* group) { return std::ranges::find(groups, group) != groups.end(); };
  double bytes = 0;
  for (const auto* group : groups) bytes += group->input_bytes;
  for (const auto& [group, held] : held_)
    if (!is_wanted(group)) bytes += group->input_bytes;
  if (bytes > memory_) std::erase_if(held_, [&](const auto& entry) { return !is_wanted(entry.first); });
  for (const auto* group : groups) {
    if (held_.contains(group)) continue;
    auto workspace = std::make_unique<Workspace>();
    const auto place = [group, folder = workspace.get()] { return folder->fresh(group->input_bytes); };
    auto files = std::make_unique<ProblemFiles>(judge_, group->family, group->problem, place);
    held_[group] = {std::move(workspace), std::move(files)};
  }
}

}  // namespace uotbench
