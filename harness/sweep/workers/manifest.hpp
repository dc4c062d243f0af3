// Manifests: how a worker is launched, as data. One JSON file a worker, or several that differ in a few keys.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/protocol/point.hpp"
#include "results/record/axes/settings.hpp"

namespace uotbench {

/// What a worker does with a case. A result that was not judged right is neither timed nor counted.
namespace step {
inline constexpr const char* verify = "verify";
inline constexpr const char* time = "time";
inline constexpr const char* count = "count";
/// What was timed is judged, in its process; of workers whose hello says that they can.
inline constexpr const char* prove = "prove";
/// A solve is stopped, to be judged on its way; of workers whose hello says that they can.
inline constexpr const char* state = "state";
/// Neither judged nor timed: of a worker that was started by hand.
inline constexpr const char* once = "once";
}  // namespace step

struct Manifest {
  std::string name;
  std::string about;
  std::vector<std::string> command;      ///< {bin} has been replaced by the programs' folder
  std::vector<std::string> environment;  ///< NAME=VALUE, added to this program's own
  std::string isa;                       ///< instruction set it needs, e.g. x86-64-v4; empty: any
  bool judge = false;                    ///< makes inputs and judges; holds no variants
  bool given = false;                    ///< on the command line: nobody else knows its command
  /// Its command, followed by that of a program that speaks no protocol, is a worker: NAME=ADAPTER:CMD. By
  /// itself it is none.
  bool adapter = false;
  /// The counter source that it is, for cases of workers that name their build for it (counted_by); where
  /// the command says {worker}, that is where the build goes.
  std::string counts = {};
  /// Of a source: the command that counts from outside a worker, {worker}, that names no build for it.
  std::vector<std::string> outside = {};
  /// By source: the command of the build of this worker that counts for it.
  std::map<std::string, std::vector<std::string>> counted_by = {};
  /// Of its own cases. Without verify it has none, and only counts for others.
  std::vector<std::string> steps{step::verify, step::time, step::count};
  std::vector<std::string> counters = {};  ///< groups counted of its cases where a run asks for none
  /// What the word auto stands for, of its cases; empty: `counters`, and where these are empty, too, the
  /// groups of CPUs.
  std::vector<std::string> automatic = {};
  /// The command that tells, in a line, what a person should know before trusting its times; empty: none.
  std::vector<std::string> examine = {};
  /// What it is made of, by the ending (cu): it holds the variants of those files. For machines where it
  /// cannot be asked; empty: not known.
  std::string sources = {};
  /// Patterns of what it holds ("*/cuda_*"), as manifests said before they said `sources`.
  std::vector<std::string> variants = {};
  /// What its command starts for a case: "{ranks}", as many processes as the case has ranks; or a number.
  /// Empty: it is one, unless command or environment names {ranks}.
  std::string processes = {};
  int prefer = 0;  ///< among workers that could run a case, the highest is the default; 0: never
  /// Somebody started it: there is one process, which also times.
  bool by_hand = false;

  bool does(std::string_view step) const;
  /// It says what it holds, asked or not.
  bool tells_variants() const { return !sources.empty() || !variants.empty(); }
  /// Cases may name it.
  bool runs_cases() const { return !judge && !adapter && does(step::verify); }
  /// With {NAME} in commands, environment and `about` replaced by the value of NAME.
  Manifest with(const std::map<std::string, std::string>& values) const;
  /// Starts as many processes as a case has ranks.
  bool launches_ranks() const;
  /// Starts processes: its cases have the axis `ranks`.
  bool launches() const { return !processes.empty() || launches_ranks(); }
  /// The axis `ranks` as its cases have it, or would have it.
  Axis ranks_axis() const;
  /// Why it cannot be launched for a case of such settings; empty: it can.
  std::string refusal(const Settings& settings) const;
  /// As it is launched for a case of such settings: {ranks} and {threads} replaced.
  Manifest launched(const Settings& settings) const;
  /// Why it cannot be started here, in one line; empty: it can.
  std::string obstacle() const;
  /// Whether the obstacle is that it is not built, and the build it belongs to can make it.
  bool is_unbuilt() const;
  /// That obstacle where the build it belongs to can make it; else empty.
  std::string unbuilt() const;
  /// The command that makes it then; else empty.
  std::string build_command() const;
};

/// One manifest, its first worker; {bin} in it is `bin`, errors call it `name`. Throws UsageError.
Manifest read_manifest(const std::filesystem::path& file, const std::filesystem::path& bin,
                       const std::string& name);

/// All of a folder's manifests, by name. Throws UsageError naming the file and what is wrong.
std::vector<Manifest> read_manifests(const std::filesystem::path& folder, const std::filesystem::path& bin);

/// Words separated by blanks; quotes and backslashes as in a shell, without expansions. `flag` is for the
/// error. Throws UsageError.
std::vector<std::string> split_command(const std::string& text, const std::string& flag);

/// Those that are counter sources, without cases of their own.
std::vector<Manifest> counter_sources_of(const std::vector<Manifest>& manifests);

/// A worker whose command the user gives. Where its first word is ADAPTER:PROGRAM, or ADAPTER:, and an
/// adapter of `known` has that name, the adapter's command is put in front. What else is to be known of it
/// says the manifest next to it, where there is one: FILE.worker.json, FILE being the first word of the
/// command that has one. Its {bin} is the folder that it is in; its name and command are not those of this
/// worker. Throws UsageError.
Manifest given_worker(const std::string& name, std::vector<std::string> command,
                      const std::vector<Manifest>& known);

/// The words without the name of an adapter in front.
std::vector<std::string> without_adapter(std::vector<std::string> command,
                                         const std::vector<Manifest>& known);

/// `--worker NAME=CMD` (split like a shell does, without expansions) or `--worker NAME`. Throws UsageError.
Manifest manifest_from_argument(const std::string& argument, const std::vector<Manifest>& known);

/// `manifests` with those that `--worker` arguments give, in place of any of the same name. Throws
/// UsageError.
std::vector<Manifest> with_workers(std::vector<Manifest> manifests,
                                   const std::vector<std::string>& arguments);

}  // namespace uotbench
