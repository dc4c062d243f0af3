#include "tools/uotbench/running/machine_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <limits>
#include <utility>

#include "harness/host/facts/machine.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/record/run_file/run_file.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/last_level.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

fs::path machines_folder() { return cache_folder("ceilings") / "machines"; }

/// Null where the file is no run.
MachineFacts machine_in(const fs::path& run) {
  const auto header = first_line_of(run);
  return header ? header->machine : MachineFacts();
}

std::string words_for(const std::string& key) {
  for (const auto& [name, words] :
       {std::pair{"logical_cpus", "usable CPUs"}, std::pair{"physical_cores", "cores"},
        std::pair{"numa_nodes", "NUMA nodes"}})
    if (key == name) return words;
  return key;
}

/// The first of the facts that a fingerprint stands for and that differ.
std::string what_differs(const Json& was, const Json& is) {
  for (const auto& [key, value] : is.items()) {
    const Json before = was.value(key, Json());
    if (before == value) continue;
    const auto text = [](const Json& fact) {
      return fact.is_string() ? fact.get<std::string>() : to_line(fact);
    };
    return value.is_structured() || before.is_structured()
               ? fmt::format("{} differ", words_for(key))
               : fmt::format("{}: {} then, {} now", words_for(key), text(before), text(value));
  }
  return "its facts are written in another way";
}

/// Of the stored machines the one that most likely is this one with another setting: the newest of the same
/// name, else the newest.
MachineFacts nearest_machine(const fs::path& folder, const MachineFacts& machine) {
  MachineFacts nearest;
  std::pair<bool, fs::file_time_type> best{};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".jsonl" || file.stem().has_extension() || !entry.is_regular_file(none)) continue;
    const MachineFacts other = machine_in(entry.path());
    if (other.hashed().empty()) continue;
    const auto host = [](const MachineFacts& one) { return one.recorded().value("hostname", Json()); };
    const std::pair rank{host(other) == host(machine), entry.last_write_time(none)};
    if (nearest.is_null() || best < rank) best = rank, nearest = other;
  }
  return nearest;
}

/// What the probe found whose records are kept; null where none are.
Json stored_probe(const MachineFacts& machine) {
  const fs::path path = stored_probe_path(machine.fingerprint());
  std::error_code missing;
  if (!fs::is_regular_file(path, missing)) return nullptr;
  const auto probe = cache_probe(machine, std::numeric_limits<double>::infinity(), true, false);
  return probe ? Json::array({probed_cache(*probe, read_run(path))}) : Json(nullptr);
}

}  // namespace

fs::path stored_ceilings_path(const std::string& fingerprint) {
  return machines_folder() / (fingerprint + ".jsonl");
}

fs::path stored_probe_path(const std::string& fingerprint) {
  return machines_folder() / (fingerprint + ".caches.jsonl");
}

ReplacementFile::ReplacementFile(fs::path place) : place_(std::move(place)), path_(place_) {
  path_.replace_extension(fmt::format("{}.part", ::getpid()));
}
ReplacementFile::~ReplacementFile() {
  std::error_code gone;
  fs::remove(path_, gone);
}
void ReplacementFile::take_place() { fs::rename(path_, place_); }

StoredCeilings stored_ceilings(const MachineFacts& machine) try {
  const fs::path path = stored_ceilings_path(machine.fingerprint());
  StoredCeilings stored{.ceilings = {}, .probed_caches = stored_probe(machine), .obstacle = ""};
  std::error_code missing;
  if (fs::exists(path, missing)) {
    if (!fs::is_regular_file(path, missing)) throw Error(path.string() + " is no file");
    stored.ceilings = read_ceilings(path);
    if (stored.ceilings->fingerprint != machine.fingerprint())
      throw Error(fmt::format("{} is of the machine {}", path.string(), stored.ceilings->fingerprint));
    if (Json probed = machine_in(path).probed_caches(); !probed.is_null())
      stored.probed_caches = std::move(probed);
    return stored;
  }
  const MachineFacts other = nearest_machine(path.parent_path(), machine);
  stored.obstacle = other.is_null()
                        ? "ceilings: none measured on this machine"
                        : fmt::format("the stored ceilings are of another machine or setting ({})",
                                      what_differs(other.hashed(), machine.hashed()));
  return stored;
} catch (const Error& error) {
  return {.ceilings = {}, .obstacle = fmt::format("the stored ceilings cannot be used: {}", error.what())};
}

std::string setting_changes(const fs::path& path, const MachineFacts& machine) {
  const MachineFacts stored = machine_in(path);
  const Json &was = stored.recorded(), &is = machine.recorded();
  std::string changes;
  for (const char* key : {"governor", "turbo", "huge_pages", "kernel"})
    if (const Json before = was.value(key, Json()), now = is.value(key, Json()); before != now)
      changes +=
          fmt::format("{}{} was {}, is {}", changes.empty() ? "" : "; ", key, to_line(before), to_line(now));
  return changes.empty() ? "it fits this machine as it is" : "measured with other settings: " + changes;
}

}  // namespace uotbench
