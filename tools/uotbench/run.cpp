// uotbench run: a sweep, from its JSON to judged, timed, durable records.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <memory>
#include <set>

#include "harness/host/cpus.hpp"
#include "harness/host/machine.hpp"
#include "harness/host/memory.hpp"
#include "harness/sweep/crew.hpp"
#include "harness/sweep/plan.hpp"
#include "harness/sweep/quantity.hpp"
#include "harness/sweep/runner.hpp"
#include "harness/sweep/strict_json.hpp"
#include "results/error.hpp"
#include "results/run_file.hpp"
#include "results/units.hpp"
#include "tools/uotbench/command.hpp"
#include "tools/uotbench/locations.hpp"
#include "tools/uotbench/run_view.hpp"

namespace uotbench {
namespace {

// A signal handler can reach nothing but a global.
volatile sig_atomic_t stop_asked = 0;

struct Options {
  std::vector<std::string> variants;
  std::string sweep, output, cpu_affinity, memory, max_noise, max_time, case_timeout, save_arrays;
  std::vector<std::string> axes, workers;
  Selection selection;
  std::optional<int> rounds, min_samples;
  std::optional<std::int64_t> seed;
  bool force = false, resume = false, dry_run = false, verify_only = false, quiet = false;
};

/// The sweep of the file or of the command line, with the flags written into it: the run file holds what
/// was done.
Sweep read_sweep(const Options& options) {
  if (options.sweep.empty() == options.variants.empty())
    throw UsageError(
        "run: give either --sweep FILE or variants, for example: uotbench run uot/map_uot -a M,N=4096,4096");
  std::vector<AxisOverride> axes;
  for (const auto& text : options.axes) axes.push_back(parse_axis_override(text));
  if (options.seed) axes.push_back(parse_axis_override(fmt::format("seed={}", *options.seed)));
  const Json schema = read_strictly(configs_folder() / "sweep.schema.json");
  Json json;
  std::string source = "command line";
  if (options.sweep.empty()) {
    json = sweep_json(options.variants, axes);
  } else {
    const auto path = find_sweep(options.sweep);
    source = path.filename();
    json = read_strictly(path);
    sweep_from(json, schema, source);  // the file's own errors first
    override_axes(json, axes);
  }
  const auto set = [&](const char* key, const auto& value) {
    if (!json.contains("measure")) json["measure"] = Json::object();
    json["measure"][key] = value;
  };
  if (options.rounds) set("rounds", *options.rounds);
  if (options.min_samples) set("min_samples", *options.min_samples);
  if (!options.max_noise.empty()) set("max_noise", options.max_noise);
  if (!options.max_time.empty()) set("max_time", options.max_time);
  if (!options.case_timeout.empty()) set("case_timeout", options.case_timeout);
  std::vector<std::string> names;
  for (const auto& worker : options.workers) names.push_back(worker.substr(0, worker.find('=')));
  if (!names.empty()) {
    json["workers"] = names;
    for (auto& entry : json["cases"]) entry.erase("workers");
  }
  return sweep_from(json, schema, source);
}

std::vector<int> cpus_for(const Options& options) {
  const auto usable = usable_cpus();
  if (options.cpu_affinity.empty()) return usable;
  std::vector<int> wanted;
  try {
    wanted = parse_cpu_list(options.cpu_affinity);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("--cpu-affinity {}: {}", options.cpu_affinity, error.what()));
  }
  for (const int cpu : wanted)
    if (std::find(usable.begin(), usable.end(), cpu) == usable.end())
      throw UsageError(fmt::format("--cpu-affinity {}: CPU {} may not be used here; these may: {}",
                                   options.cpu_affinity, cpu, fmt::join(usable, ",")));
  return wanted;
}

std::string utc(const char* format) {
  const std::time_t now = std::time(nullptr);
  return fmt::format(fmt::runtime(format), fmt::gmtime(now));
}

/// Where --resume goes on: the file named, else the sweep's newest; where there is none, it starts.
std::filesystem::path output_path(const Options& options, const Sweep& sweep) {
  if (!options.output.empty()) return options.output;
  if (options.resume) try {
      return find_run(sweep.name);
    } catch (const UsageError&) {
    }
  return fmt::format("results/runs/{}-{}.jsonl", sweep.name, utc("{:%Y%m%dT%H%M%SZ}"));
}

Json header(const Sweep& sweep, const Options& options, const std::vector<int>& cpus, Crew& crew,
            const Plan& plan) {
  Json workers = Json::object(), problem_axes = Json::object();
  std::set<std::string> names{"oracle"};
  for (const auto& group : plan.groups) {
    for (const auto& member : group.cases) names.insert(member.worker);
    Json axes = Json::array();
    for (const auto& axis : crew.families().at(group.family).axes) axes.push_back(axis.name);
    problem_axes[group.family] = axes;
  }
  for (const auto& name : names) {
    const auto* failure = name == "oracle"            ? nullptr
                          : crew.roster(name).failure ? &*crew.roster(name).failure
                                                      : nullptr;
    workers[name] = failure            ? Json{{"unavailable", failure->reason}}
                    : name == "oracle" ? crew.oracle().build()
                                       : crew.process(name).build();
  }
  return {{"kind", "run"},
          {"schema", run_schema},
          {"uotbench", UOTBENCH_VERSION},
          {"started", utc("{:%Y-%m-%dT%H:%M:%SZ}")},
          {"sweep", sweep.json},
          {"options",
           {{"rounds", sweep.measure.rounds},
            {"min_samples", sweep.measure.min_samples},
            {"max_noise", sweep.measure.max_noise},
            {"max_time", sweep.measure.max_time},
            {"case_timeout", sweep.measure.case_timeout},
            {"verify_only", options.verify_only},
            {"cpus", cpus}}},
          {"machine", machine_facts()},
          {"ceilings", nullptr},
          {"workers", workers},
          {"problem_axes", problem_axes},
          {"plan", plan.ids()}};
}

/// What must not have changed between a run and its continuation. Throws UsageError naming it.
void require_same(const Run& before, const Json& now) {
  const auto differs = [&](const std::string& what) {
    throw UsageError(fmt::format(
        "{}: --resume is refused: {}; start a new file with --output, or insist with --resume --force",
        before.path.string(), what));
  };
  if (before.header.at("plan") != now.at("plan")) differs("it was made from another plan");
  if (before.header.at("options") != now.at("options")) differs("it was measured with other options");
  if (before.header.at("machine").at("fingerprint") != now.at("machine").at("fingerprint"))
    differs("it was made on another machine");
  for (const auto& [name, build] : now.at("workers").items())
    if (before.header.at("workers").value(name, Json::object()).value("hash", Json()) !=
        build.value("hash", Json()))
      differs(fmt::format("worker {} was built anew since", name));
}

void print_plan(const Plan& plan) {
  std::string text;
  for (const auto& group : plan.groups)
    for (const auto& member : group.cases)
      text += member.decided ? fmt::format("{}  {}: {}\n", member.id, name_of(member.decided->status),
                                           member.decided->reason)
                             : member.id + '\n';
  fmt::print("{}", text);
}

int run(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  ::signal(SIGINT, [](int) { stop_asked = 1; });
  ::signal(SIGTERM, [](int) { stop_asked = 1; });

  const Sweep sweep = read_sweep(options);
  const auto cpus = cpus_for(options);
  Memory memory = available_memory();
  if (!options.memory.empty()) memory = {parse_bytes(options.memory), "--memory"};

  auto manifests = read_manifests(configs_folder() / "workers", bin_folder());
  for (const auto& argument : options.workers) {
    const Manifest given = manifest_from_argument(argument, manifests);
    std::erase_if(manifests, [&](const Manifest& known) { return known.name == given.name; });
    manifests.push_back(given);
  }
  const Supervision supervision{.cpus = cpus,
                                .memory = memory.bytes,
                                .memory_limited_by = memory.limited_by,
                                .stop = &stop_asked,
                                .on_text = {}};
  Crew crew(std::move(manifests), supervision, sweep.measure.case_timeout);
  const Plan plan = make_plan(sweep, crew, options.selection, {cpus.size(), memory.bytes, memory.limited_by});
  if (options.dry_run) {
    print_plan(plan);
    fmt::print(stderr, "{} cases in {} groups, planned in {}; nothing was run\n", plan.size(),
               plan.groups.size(), format_seconds(elapsed()));
    return exit_ok;
  }

  const Json first_line = header(sweep, options, cpus, crew, plan);
  RunFile file(output_path(options, sweep), options.resume  ? RunFile::Mode::continue_
                                            : options.force ? RunFile::Mode::replace
                                                            : RunFile::Mode::create);
  std::set<std::string> done;
  if (options.resume && std::filesystem::file_size(file.path()) > 0) {
    const Run before = read_run(file.path());
    if (!options.force) require_same(before, first_line);
    for (const auto& record : before.records)
      if (is_final(record.status)) done.insert(record.id);
    file.append({{"kind", "resume"},
                 {"started", first_line.at("started")},
                 {"machine", first_line.at("machine")},
                 {"workers", first_line.at("workers")}});
  } else {
    file.append(first_line);
  }

  const std::size_t to_do = plan.size() - done.size();
  Progress progress(stderr, Progress::style_for(stderr, options.quiet), to_do,
                    static_cast<double>(to_do) * (1 + (options.verify_only ? 0 : sweep.measure.rounds)));
  bool interrupted = false;
  try {
    Runner runner(crew,
                  {.measure = sweep.measure,
                   .verify_only = options.verify_only,
                   .cpus = cpus,
                   .save_arrays = options.save_arrays.empty()
                                      ? std::nullopt
                                      : std::optional<std::filesystem::path>(options.save_arrays)},
                  progress, [&](const std::vector<Record>& records) {
                    std::vector<Json> lines;
                    for (const auto& record : records) lines.push_back(to_json(record));
                    file.append_all(lines);
                  });
    runner.run(plan, done);
  } catch (const Interrupted&) {
    interrupted = true;
  }
  progress.close();
  file.append({{"kind", "end"},
               {"finished", utc("{:%Y-%m-%dT%H:%M:%SZ}")},
               {"elapsed", elapsed()},
               {"status", interrupted ? "interrupted" : "complete"}});

  const Run result = read_run(file.path());
  const bool bad = std::any_of(result.records.begin(), result.records.end(),
                               [](const Record& r) { return is_bad(r.status); });
  if (!options.quiet)
    fmt::print("{}\n{} cases in {}\nrun file: {}\nnext:     uotbench show {}\n", table_of(view_of(result)),
               to_do, format_wait(elapsed()), file.path().string(), file.path().string());
  return interrupted ? exit_interrupted : bad ? exit_failed : exit_ok;
}

}  // namespace

void add_run(CLI::App& program, Action& chosen) {
  auto o = std::make_shared<Options>();
  auto* command =
      program.add_subcommand("run", "run a sweep: judge every result, time what is right, keep the records");
  command->add_option("VARIANT", o->variants,
                      "variants to run without a sweep file, e.g. uot/map_uot or 'uot/*'");
  command->add_option("--sweep", o->sweep, "a sweep file, from here or from configs/")->type_name("FILE");
  command
      ->add_option("-a,--axis", o->axes, "values of an axis: threads=1,2; tied axes: M,N=512,512;4096,4096")
      ->type_name("AXIS=VALUES")
      ->expected(1)
      ->take_all();
  command->add_option("--worker", o->workers, "run on this worker; with a command, one of your own")
      ->type_name("NAME[=CMD]")
      ->expected(1)
      ->take_all();
  command->add_option("--filter", o->selection.filter, "only cases whose id matches")->type_name("REGEX");
  command->add_option("--exclude", o->selection.exclude, "leave out cases whose id matches")
      ->type_name("REGEX");
  command->add_option("--case", o->selection.cases, "only this case")
      ->type_name("ID")
      ->expected(1)
      ->take_all();
  command->add_option("--output", o->output, "the run file (default: results/runs/NAME-UTC.jsonl)")
      ->type_name("FILE");
  command->add_flag("--force", o->force,
                    "overwrite the run file; with --resume: go on although something changed");
  command->add_flag("--resume", o->resume, "go on with the run file (default: the sweep's newest)");
  command->add_flag("--dry-run", o->dry_run, "print the cases and stop");
  command->add_flag("--verify-only", o->verify_only, "judge, do not time");
  command->add_option("--seed", o->seed, "the problems' random seed, as -a seed=N");
  command->add_option("--rounds", o->rounds, "fresh processes a case is timed in (3)");
  command->add_option("--min-samples", o->min_samples, "samples a case has at least, over its rounds (5)");
  command->add_option("--max-noise", o->max_noise, "stop sampling when the median is known this well (2%)")
      ->type_name("PERCENT");
  command->add_option("--max-time", o->max_time, "stop sampling a case after this long (2s)")
      ->type_name("TIME");
  command->add_option("--case-timeout", o->case_timeout, "kill a process after this long (60s)")
      ->type_name("TIME");
  command->add_option("--cpu-affinity", o->cpu_affinity, "use these CPUs, in this order")->type_name("LIST");
  command->add_option("--memory", o->memory, "the memory a case may take (default: what is available)")
      ->type_name("SIZE");
  command
      ->add_option("--save-arrays", o->save_arrays,
                   "keep inputs and outputs of every right case in this folder, as .npy")
      ->type_name("DIR");
  command->add_flag("--quiet", o->quiet, "print nothing but errors");
  command->footer(
      "Examples:\n"
      "  uotbench run uot/map_uot uot/one_read -a M,N=4096,4096 -a threads=1,2\n"
      "  uotbench run --sweep quickstart.json --filter one_read");
  command->callback([o, &chosen] { chosen = [o] { return run(*o); }; });
}

}  // namespace uotbench
