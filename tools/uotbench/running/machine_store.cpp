#include "tools/uotbench/running/machine_store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <limits>
#include <utility>

#include "harness/host/facts/machine.hpp"
#include "results/base/error.hpp"
#include "tools/uotbench/flags/locations.hpp"
#include "tools/uotbench/running/cache_probe.hpp"

namespace uotbench {
namespace {

namespace fs = std::filesystem;

fs::path machines_folder() { return cache_folder("ceilings") / "machines"; }

/// The "machine" of a run's first line; null where there is none.
Json machine_in(const fs::path& run) {
  std::ifstream in(run);
  std::string line;
  std::getline(in, line);
  const Json header = parse_shallow(line);
  return header.is_object() ? header.value("machine", Json()) : Json();
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
Json nearest_machine(const fs::path& folder, const Json& machine) {
  Json nearest;
  std::pair<bool, fs::file_time_type> best{};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".jsonl" || file.stem().has_extension() || !entry.is_regular_file(none)) continue;
    const Json other = machine_in(entry.path());
    if (!other.is_object() || !other.value("hashed", Json()).is_object()) continue;
    const auto host = [](const Json& one) {
      const Json recorded = one.value("recorded", Json());
      return recorded.is_object() ? recorded.value("hostname", Json()) : Json();
    };
    const std::pair rank{host(other) == host(machine), entry.last_write_time(none)};
    if (nearest.is_null() || best < rank) best = rank, nearest = other;
  }
  return nearest;
}

/// What the probe found whose records are kept; null where none are.
Json stored_probe(const Json& machine) {
  const fs::path path = stored_probe_path(machine.at("fingerprint"));
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

Beside::Beside(fs::path place) : place_(std::move(place)), path_(place_) {
  path_.replace_extension(fmt::format("{}.part", ::getpid()));
}
Beside::~Beside() {
  std::error_code gone;
  fs::remove(path_, gone);
}
void Beside::take_place() { fs::rename(path_, place_); }

StoredCeilings stored_ceilings(const Json& machine) try {
  const fs::path path = stored_ceilings_path(machine.at("fingerprint"));
  StoredCeilings stored{.ceilings = {}, .probed_caches = stored_probe(machine), .obstacle = ""};
  std::error_code missing;
  if (fs::exists(path, missing)) {
    if (!fs::is_regular_file(path, missing)) throw Error(path.string() + " is no file");
    stored.ceilings = read_ceilings(path);
    if (stored.ceilings->fingerprint != machine.at("fingerprint").get<std::string>())
      throw Error(fmt::format("{} is of the machine {}", path.string(), stored.ceilings->fingerprint));
    if (Json probed = machine_in(path).value("probed_caches", Json()); !probed.is_null())
      stored.probed_caches = std::move(probed);
    return stored;
  }
  const Json other = nearest_machine(path.parent_path(), machine);
  stored.obstacle = other.is_null()
                        ? "ceilings: none measured on this machine"
                        : fmt::format("the stored ceilings are of another machine or setting ({})",
                                      what_differs(other.at("hashed"), machine.at("hashed")));
  return stored;
} catch (const Error& error) {
  return {.ceilings = {}, .obstacle = fmt::format("the stored ceilings cannot be used: {}", error.what())};
} catch (const Json::exception& error) {
  return {.ceilings = {}, .obstacle = fmt::format("the stored ceilings cannot be used: {}", error.what())};
}

std::string setting_changes(const fs::path& path, const Json& machine) {
  const Json stored = machine_in(path), is = machine.at("recorded");
  const Json told = stored.is_object() ? stored.value("recorded", Json()) : Json();
  const Json was = told.is_object() ? told : Json::object();
  std::string changes;
  for (const char* key : {"governor", "turbo", "huge_pages", "kernel"})
    if (const Json before = was.value(key, Json()), now = is.value(key, Json()); before != now)
      changes +=
          fmt::format("{}{} was {}, is {}", changes.empty() ? "" : "; ", key, to_line(before), to_line(now));
  return changes.empty() ? "it fits this machine as it is" : "measured with other settings: " + changes;
}

}  // namespace uotbench
