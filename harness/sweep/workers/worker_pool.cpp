#include "harness/sweep/workers/worker_pool.hpp"

#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "harness/sweep/language/schema.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/text.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> workers_named_in(const fs::path& file) {
  const std::string mark = file.extension() == ".py" ? "# workers:" : "// workers:";
  std::vector<std::string> workers;
  std::ifstream text(file);
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with(mark)) continue;
    std::istringstream words(line.substr(mark.size()));
    for (std::string word; words >> word;) workers.push_back(word);
  }
  return workers;
}

/// Folders of a family that hold no variants. parts/ is what families had before shared/ and timed/.
const std::set<std::string> without_variants{"shared", "timed", "parts", "oracle", "tests"};

/// Adds the variants in a folder, and in those below it that hold a kind each (uotbench_variant_files of
/// CMake).
void add_files(const std::string& family, const fs::path& folder, bool below,
               std::vector<KernelFile>& files) {
  std::error_code missing;
  for (const auto& file : fs::directory_iterator(folder, missing)) {
    const fs::path& path = file.path();
    const std::string name = path.filename(), ending = path.extension();
    if (below && file.is_directory(missing) && !without_variants.contains(name))
      add_files(family, path, false, files);
    if ((ending != ".cpp" && ending != ".cu" && ending != ".py") || path.stem() == "problem") continue;
    files.push_back({.variant = family + "/" + path.stem().string(),
                     .sources = ending.substr(1),
                     .workers = workers_named_in(path)});
  }
}

constexpr std::size_t longest_obstacle = 300;

}  // namespace

bool KernelFile::is_for(const std::string& worker, const std::string& its_sources) const {
  if (workers.empty()) return sources == its_sources;
  return std::ranges::any_of(workers, [&](const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), worker.c_str(), 0) == 0;
  });
}

std::vector<KernelFile> kernel_files(const fs::path& kernels) {
  std::vector<KernelFile> files;
  std::error_code missing;
  for (const auto& family : fs::directory_iterator(kernels, missing))
    add_files(family.path().filename(), family.path(), true, files);
  std::ranges::sort(files, {}, &KernelFile::variant);
  return files;
}

std::vector<KernelFile> read_kernel_files(const fs::path& list) {
  std::error_code missing;
  if (!fs::exists(list, missing)) return {};
  try {
    std::vector<KernelFile> files;
    for (const Json& file : read_strictly(list))
      files.push_back({.variant = file.at("variant"),
                       .sources = file.at("sources"),
                       .workers = file.at("workers").get<std::vector<std::string>>()});
    return files;
  } catch (const Json::Exception& error) {
    throw UsageError(fmt::format("{}: no list of variants: {}", list.string(), error.what()));
  }
}

WorkerPool::WorkerPool(std::vector<Manifest> manifests, const RunContext& context)
    : manifests_(std::move(manifests)), context_(context) {
  std::erase_if(manifests_, [](const Manifest& manifest) { return manifest.adapter; });
  for (const auto& manifest : manifests_) {
    if (!manifest.judge) continue;
    if (!judge_.empty())
      throw UsageError(
          fmt::format("workers {} and {} both judge; expected \"judge\": true in one manifest: remove the "
                      "other from configs/workers",
                      judge_, manifest.name));
    judge_ = manifest.name;
  }
  if (judge_.empty()) throw UsageError("no worker manifest says \"judge\": true: nothing could be verified");
}

const Manifest& WorkerPool::manifest(const std::string& name) const {
  std::vector<std::string> names;
  for (const auto& manifest : manifests_) {
    if (manifest.name == name) return manifest;
    names.push_back(manifest.name);
  }
  throw UsageError(
      fmt::format("no worker \"{}\"{}; known: {}", name, did_you_mean(name, names), fmt::join(names, ", ")));
}

std::vector<const Manifest*> WorkerPool::candidates() const {
  std::vector<const Manifest*> all;
  for (const auto& manifest : manifests_)
    if (manifest.prefer > 0 && manifest.runs_cases()) all.push_back(&manifest);
  std::ranges::stable_sort(all, [](const auto* a, const auto* b) { return a->prefer > b->prefer; });
  return all;
}

std::vector<std::string> WorkerPool::preferred() {
  std::vector<std::string> names;
  for (const auto* manifest : candidates())
    if (!worker_info(manifest->name).failure) names.push_back(manifest->name);
  return names;
}

std::string WorkerPool::default_worker(const std::string& variant) {
  std::string absent, obstacles;
  bool any = false;
  const auto fits = [&](const std::string& name) { return ::fnmatch(variant.c_str(), name.c_str(), 0) == 0; };
  for (const auto* manifest : candidates()) {
    const WorkerInfo& its = worker_info(manifest->name);
    if (!its.failure) {
      any = true;
      if (std::ranges::any_of(its.variants, fits, [](const auto& held) { return held.first; }))
        return manifest->name;
      continue;
    }
    // What is wanted may be a pattern: only what is known tells whether it has a match.
    const bool may =
        std::ranges::any_of(variants_of(manifest->name), fits) || may_hold(manifest->name, variant);
    if (its.failure->status == Status::skipped) {
      obstacles += (obstacles.empty() ? "" : "; ") + its.failure->reason;
      if (absent.empty() && manifest->tells_variants() && may) absent = manifest->name;
      continue;
    }
    any = true;
    if (may) return manifest->name;
  }
  if (!any) throw UsageError(fmt::format("no worker can run here: {}", obstacles));
  return absent;
}

bool WorkerPool::is_told_of(const Manifest& worker, const std::string& variant) {
  if (worker.sources.empty())
    return worker.variants.empty() || std::ranges::any_of(worker.variants, [&](const std::string& pattern) {
             return ::fnmatch(pattern.c_str(), variant.c_str(), 0) == 0;
           });
  bool known = false;
  for (const auto& file : known_) {
    if (file.variant != variant) continue;
    if (file.is_for(worker.name, worker.sources)) return true;
    known = true;
  }
  if (known) return false;
  // Its file is nobody's here; another build of the same sources may hold it.
  return std::ranges::any_of(manifests_, [&](const Manifest& other) {
    return other.sources == worker.sources && other.name != worker.name && other.runs_cases() &&
           worker_info(other.name).variants.contains(variant);
  });
}

std::set<std::string> WorkerPool::variants_of(const std::string& worker) {
  std::set<std::string> names;
  for (const auto& [name, info] : worker_info(worker).variants) names.insert(name);
  const Manifest& its = manifest(worker);
  if (!names.empty() || !worker_info(worker).failure || !its.tells_variants()) return names;
  const auto add = [&](const std::string& name) {
    if (is_told_of(its, name)) names.insert(name);
  };
  for (const auto& file : known_) add(file.variant);
  for (const auto& other : manifests_)
    if (other.runs_cases() && other.name != worker)
      for (const auto& [name, info] : worker_info(other.name).variants) add(name);
  return names;
}

bool WorkerPool::may_hold(const std::string& worker, const std::string& variant) {
  const WorkerInfo& its = worker_info(worker);
  if (!its.failure || !its.variants.empty()) return its.variants.contains(variant);
  const Manifest& told = manifest(worker);
  if (!told.tells_variants()) return true;
  if (told.sources.empty() && !is_told_of(told, variant)) return false;
  // Where its files are at hand they are all there is.
  const auto of_it = [&](const KernelFile& file) { return is_told_of(told, file.variant); };
  return std::ranges::none_of(known_, of_it) || variants_of(worker).contains(variant);
}

const VariantInfo* WorkerPool::described(const std::string& variant) {
  for (const auto& manifest : manifests_) {
    if (!manifest.runs_cases()) continue;
    const WorkerInfo& its = worker_info(manifest.name);
    if (const auto found = its.variants.find(variant); found != its.variants.end()) return &found->second;
  }
  return nullptr;
}

WorkerProcess& WorkerPool::process(const std::string& worker, const Settings& settings,
                                   const OnText& on_text) {
  const Manifest launched = manifest(worker).launched(settings);
  std::vector<std::string> with = launched.command;
  with.insert(with.end(), launched.environment.begin(), launched.environment.end());
  auto& process = processes_[worker][with];
  if (!process || !process->alive()) {
    process.reset();
    process = std::make_unique<WorkerProcess>(launched, context_, context_.cpus, on_text);
  } else if (on_text) {
    process->on_text(on_text);
  }
  return *process;
}

const std::map<std::string, FamilyInfo>& WorkerPool::families() {
  if (families_.empty() && no_families_.empty()) ask_for_families();
  if (!no_families_.empty()) throw UsageError(no_families_);
  return families_;
}

void WorkerPool::ask_for_families() try {
  no_families_ = manifest(judge_).obstacle();
  if (!no_families_.empty()) return;
  for (auto& family : oracle().ask_for_families(context_.timeout)) families_[family.name] = std::move(family);
} catch (const WorkerFailure& failure) {
  no_families_ = fmt::format("worker {}: {}", judge_, failure.reason);
} catch (const Error& error) {
  no_families_ = fmt::format("worker {} describes itself wrongly: {}", judge_, error.what());
}

const FamilyInfo* WorkerPool::family_of(const VariantInfo& variant) try {
  const auto found = families().find(variant.family());
  return found == families().end() ? nullptr : &found->second;
} catch (const UsageError&) {
  return nullptr;
}

bool WorkerPool::take_own(const FamilyInfo& family) {
  try {
    families();  // the oracle's come first
  } catch (const UsageError&) {
  }
  const auto [known, fresh] = families_.emplace(family.name, family);
  return fresh || !known->second.oracle;
}

std::map<std::string, VariantInfo> WorkerPool::described_by(const std::string& worker) {
  std::map<std::string, VariantInfo> variants;
  std::set<std::string> names;
  const auto wrong = [&](const std::string& why) {
    return WorkerFailure{Status::failed, fmt::format("worker {} describes itself wrongly: {}", worker, why)};
  };
  DescribedReply described = process(worker).ask_to_describe(context_.timeout);
  for (const auto& own : described.families)
    if (!take_own(own))
      throw wrong(
          fmt::format("its own family {}; expected a name that no family of the oracle has", own.name));
  for (auto& entry : described.variants) try {
      if (!entry.contradiction.empty()) throw wrong(entry.contradiction);
      VariantInfo& variant = entry.variant;
      const FamilyInfo* const family = family_of(variant);
      auto found = validate_description(variant, names);
      if (!found && family) found = validate_description(variant, *family);
      if (found) throw wrong(fmt::format("{}: {}", variant.name, found->text));
      if (family)
        if (const auto loose = loose_tolerance(variant, *family)) variant.obstacle = loose->text;
      // How it is launched it need not know.
      const Manifest& its = manifest(worker);
      if (its.launches() &&
          std::ranges::find(variant.axes, setting_axis::ranks, &Axis::name) == variant.axes.end())
        variant.axes.push_back(its.ranks_axis());
      names.insert(variant.name);
      variants[variant.name] = std::move(variant);
    } catch (const WorkerFailure&) {
      throw;
    } catch (const Error& error) {
      throw wrong(error.what());
    }
  return variants;
}

const WorkerInfo& WorkerPool::worker_info(const std::string& worker) {
  if (const auto found = worker_infos_.find(worker); found != worker_infos_.end()) return found->second;
  WorkerInfo worker_info;
  try {
    if (const auto obstacle = manifest(worker).obstacle(); !obstacle.empty())
      throw WorkerFailure{Status::skipped, obstacle};
    const Hello hello = process(worker).hello();
    worker_info.build = hello.build;
    worker_info.device = hello.device;
    if (!hello.obstacle.empty())
      worker_info.failure =
          WorkerFailure{Status::skipped, on_one_line(fmt::format("worker {} cannot run here: {}", worker,
                                                                 cut(hello.obstacle, longest_obstacle)))};
    worker_info.variants = described_by(worker);
  } catch (const WorkerFailure& failure) {
    const auto before = worker_info.failure;  // what it said of itself
    worker_info = {.variants = {}, .build = {}, .device = {}, .failure = before ? *before : failure};
  }
  return worker_infos_[worker] = std::move(worker_info);
}

}  // namespace uotbench
