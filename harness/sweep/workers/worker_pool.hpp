// The workers of a run: which there are, what they hold, and one running process of each for everything
// but timing.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/protocol/messages.hpp"
#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/worker_process.hpp"

namespace uotbench {

// Which variants there are, whatever was built of them: files are called as their variants.

struct KernelFile {
  std::string variant;  ///< FAMILY/NAME
  std::string sources;  ///< its ending: cpp, cu or py
  /// Patterns of workers' names, from its line "// workers: PATTERN...": no others hold it. Empty: those of
  /// its ending.
  std::vector<std::string> workers = {};

  /// Whether a worker that is made of such sources holds it.
  bool is_for(const std::string& worker, const std::string& its_sources) const;
};

/// Those of every kernels/FAMILY/NAME.cpp, .cu or .py but problem.*, and of kernels/FAMILY/KIND/NAME.*, where
/// KIND is not shared, timed, parts, oracle or tests; by name. Empty where there is no such folder.
std::vector<KernelFile> kernel_files(const std::filesystem::path& kernels);

/// The same from a list that a build wrote ([{"variant": "uot/x", "sources": "cu", "workers": []}, …]). Empty
/// where there is no such file. Throws UsageError naming a file that is no such list.
std::vector<KernelFile> read_kernel_files(const std::filesystem::path& list);

// The workers themselves.

/// What the oracle may take for one request: ten double-precision iterations on the largest matrix that fits
/// a workstation (40,000 squared) take about two minutes on two cores.
constexpr double oracle_seconds = 600;

/// What a worker holds; or why it cannot be asked, which is the end of all its cases, not of the run. One
/// that can be asked and still can run nothing (no GPU) has both.
struct WorkerInfo {
  std::map<std::string, VariantInfo> variants;
  Document build = {};                   ///< facts of its build; null where it cannot be asked
  Document device = {};                  ///< what its kernels run on, where that is not this machine's CPUs
  std::optional<WorkerFailure> failure;  ///< skipped: cannot run here; crashed, failed, timeout: it is broken
};

class WorkerPool {
 public:
  /// Nothing is started yet. `context` is referred to. Adapters are left out: they are no workers.
  WorkerPool(std::vector<Manifest> manifests, const RunContext& context);
  WorkerPool(std::vector<Manifest> manifests, RunContext&& context) = delete;

  const std::vector<Manifest>& manifests() const { return manifests_; }
  /// Throws UsageError naming the nearest.
  const Manifest& manifest(const std::string& name) const;
  /// The kernels' files that there are: what workers may hold that cannot be asked here.
  void know(std::vector<KernelFile> files) { known_ = std::move(files); }
  /// The name of the worker that judges.
  const std::string& judge() const { return judge_; }
  /// The worker that runs a variant, or a pattern of variants, that is named without one: of those that can
  /// run here and hold it, or hold a match, the most preferred; where there is none, the most preferred of
  /// those that cannot run here and whose manifests say that they hold it; else empty. A worker that is
  /// broken and may hold it is the one: another that took its place would hide that. Throws UsageError where
  /// no worker can run here at all.
  std::string default_worker(const std::string& variant);
  /// Those that default_worker chooses from and that can run here, the most preferred first.
  std::vector<std::string> preferred();

  /// The worker's process for cases of such settings, started if it is not there (any more): one for every
  /// number of processes that it launches. What it prints from now on goes to `on_text`, where that is given.
  /// Throws WorkerFailure, Interrupted.
  WorkerProcess& process(const std::string& worker, const Settings& settings = {},
                         const OnText& on_text = {});
  WorkerProcess& oracle() { return process(judge_); }
  /// Ends the worker's processes: the next case gets a fresh one.
  void dismiss(const std::string& worker) { processes_.erase(worker); }
  /// Likewise of all workers but the judge.
  void dismiss_all() {
    std::erase_if(processes_, [&](const auto& entry) { return entry.first != judge_; });
  }

  /// By name: the oracle's, and those that the workers asked so far describe as their own. Asks once. Throws
  /// UsageError where the oracle does not answer: nothing can be done then.
  const std::map<std::string, FamilyInfo>& families();
  /// Takes a family that a worker describes as its own. False: the oracle has one of that name.
  bool take_own(const FamilyInfo& family);
  /// Asks once. A worker whose description cannot be true fails as a whole: nobody knows what its cases are.
  /// Throws UsageError for an unknown name.
  const WorkerInfo& worker_info(const std::string& worker);
  /// What it holds; of one that cannot be asked what there is elsewhere and its manifest says it holds: known
  /// files, and what other workers hold. Empty: not known.
  std::set<std::string> variants_of(const std::string& worker);
  /// False where it is known that the worker does not hold the variant.
  bool may_hold(const std::string& worker, const std::string& variant);
  /// As any worker that can be asked describes it; null where none does.
  const VariantInfo* described(const std::string& variant);

  const RunContext& context() const { return context_; }

 private:
  /// Workers that run cases and are preferred at all, the most preferred first.
  std::vector<const Manifest*> candidates() const;
  void ask_for_families();
  /// Null where nobody knows it, or the oracle does not answer, which whoever needs it says.
  const FamilyInfo* family_of(const VariantInfo& variant);
  /// What it says it holds. Throws WorkerFailure, Interrupted.
  std::map<std::string, VariantInfo> described_by(const std::string& worker);
  /// As its manifest tells of one that cannot be asked, and of a variant that there is.
  bool is_told_of(const Manifest& worker, const std::string& variant);

  std::vector<Manifest> manifests_;
  const RunContext& context_;
  std::string judge_;
  std::vector<KernelFile> known_;
  /// By worker, and by what it was launched with.
  std::map<std::string, std::map<std::vector<std::string>, std::unique_ptr<WorkerProcess>>> processes_;
  std::map<std::string, FamilyInfo> families_;
  std::string no_families_;  ///< why there are none
  std::map<std::string, WorkerInfo> worker_infos_;
};

}  // namespace uotbench
