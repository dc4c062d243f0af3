#include "tools/uotbench/running/under.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "harness/sweep/run/session.hpp"
#include "results/base/error.hpp"
#include "results/record/axes/settings_json.hpp"

namespace uotbench {
namespace {

void stay_on(const std::vector<int>& cpus) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int cpu : cpus) CPU_SET(static_cast<std::size_t>(cpu), &mask);
  ::sched_setaffinity(0, sizeof mask, &mask);
}

const Case& only_case(const Plan& plan) {
  const auto ids = plan.ids();
  if (ids.size() != 1)
    throw UsageError(fmt::format("--under runs one case, these are {}; choose with --case, the first is {}",
                                 ids.size(), ids.empty() ? "none" : ids.front()));
  const Case& member = plan.groups.front().cases.front();
  if (member.decided) throw UsageError(fmt::format("--under: {}: {}", member.id, member.decided->reason));
  return member;
}

}  // namespace

void run_under(const std::string& command, bool once, const Plan& plan, WorkerPool& pool) {
  const Case& member = only_case(plan);
  std::vector<std::string> words = split_command(command, "--under");
  if (words.empty())
    throw UsageError("--under: expected a command such as \"perf stat\" or \"gdb --args\", got \"\"");
  const Manifest worker = pool.manifest(member.worker).launched(settings_of(member.point));
  words.insert(words.end(), worker.command.begin(), worker.command.end());
  words.insert(words.end(), {"--case", member.id});
  if (once) words.emplace_back("--once");

  stay_on(cpus_for(member, pool.context()));
  for (const auto& variable : worker.environment) ::putenv(::strdup(variable.c_str()));
  // It asks this program for inputs, wherever it stands itself.
  ::setenv("UOTBENCH_PROGRAM", std::filesystem::read_symlink("/proc/self/exe").c_str(), 1);
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  throw UsageError(fmt::format("--under: {}: {}", words.front(), std::strerror(errno)));
}

}  // namespace uotbench
