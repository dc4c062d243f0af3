// Files that describe workers, counters and projects: each in a folder of its own, where the program looks.
#include "harness/sweep/counting/counter_groups.hpp"
#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/workers/manifest.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

void read_manifest(std::string_view input) {
  const auto folder = as_file(input, "workers/x.json").parent_path();
  for (const auto& manifest : read_manifests(folder, "/bin")) {
    if (manifest.command.empty() || manifest.name.empty())
      throw Broken("a worker without a name or a command");
    manifest.launched({});
    require_printable(manifest.obstacle() + manifest.unbuilt());
  }
}

void read_command(std::string_view input) {
  const Manifest manifest = manifest_from_argument(std::string(input), {});
  if (manifest.command.empty()) throw Broken("a worker without a command");
}

void read_group(std::string_view input) {
  const auto folder = as_file(input, "counters/x.json").parent_path();
  for (const auto& [name, group] : read_counter_groups({folder}))
    if (name.empty() || group.counters.empty()) throw Broken("a group without a name or a counter");
}

void read_project_file(std::string_view input) {
  const Project project = read_project(as_file(input, "uotbench.project.json"));
  if (project.worker.has_value() == project.bin.has_value())
    throw Broken("a project of no worker, or of two kinds");
}

std::vector<std::string> projects() {
  auto all = files_of({"uotbench.project.json"});
  all.push_back(
      R"({"build": "make -C {checkout} DESTDIR={prefix}", "worker": "{prefix}/w --fast", "name": "mine"})");
  return all;
}

const Registration manifest{{.name = "manifest", .one_input = read_manifest, .corpus = [] {
                               return files_of({"configs/workers"}, ".json");
                             }}};
const Registration command{{.name = "command",
                            .one_input = read_command,
                            .corpus =
                                [] {
                                  return std::vector<std::string>{"mine=python3 'a b.py' \"c\\\"d\" e\\ f",
                                                                  "mine=mpirun -np {ranks} ./w", "x"};
                                },
                            .share = 0.5}};
const Registration counter_group{{.name = "counter_group", .one_input = read_group, .corpus = [] {
                                    return files_of({"configs/counters"}, ".json");
                                  }}};
const Registration project{{.name = "project", .one_input = read_project_file, .corpus = projects}};

}  // namespace
}  // namespace uotbench::fuzz
