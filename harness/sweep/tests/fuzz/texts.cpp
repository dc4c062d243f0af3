// Files that people write, and answers of workers: what validation accepts can be read by the code after it.
#include <cmath>

#include "harness/protocol/messages.hpp"
#include "harness/sweep/counting/counter_groups.hpp"
#include "harness/sweep/language/sweep_file.hpp"
#include "harness/sweep/revisions/project.hpp"
#include "harness/sweep/tests/planned.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"
#include "harness/sweep/workers/manifest.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/base/units.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

// Sweeps, in files and on command lines: read, and written into a run file, they are the same sweep.

void read_sweep(std::string_view input) {
  const Sweep sweep = sweep_of(std::string(input));
  const Sweep again =
      sweep_from(parse_strictly(to_line(sweep.document.json()), "again.json"), schema(), "again.json");
  require_same(sweep.document.json(), again.document.json(), "a sweep, read and written");
  if (sweep.cases.empty()) throw Broken("a sweep without cases");
}

/// Conditions, over values of every kind.
void read_condition(std::string_view input) {
  const Condition condition(std::string(input), "s.json: /cases/0/where/0");
  for (const Value& value : {Value(0), Value(7), Value(-2.5), Value(1e308), Value("f32"), Value("")}) {
    const std::vector<const Value*> all(condition.axes().size(), &value);
    try {
      condition.holds(all);
    } catch (const UsageError& error) {
      require_readable(error.what(), input.size());
    }
  }
}

/// What stands behind -a and other flags.
void read_words(std::string_view input) {
  const std::string text(input);
  const auto give = [&](const auto& reader) {
    try {
      reader(text);
    } catch (const Error& error) {
      require_readable(error.what(), input.size());
    }
  };
  give(parse_axis_override);
  for (double (*const reader)(const std::string&) : {parse_duration, parse_percent, parse_bytes})
    give([&](const std::string& quantity) {
      if (const double amount = reader(quantity); !(amount >= 0 && std::isfinite(amount)))
        throw Broken(quantity + " is read as no amount");
    });
}

std::vector<std::string> conditions() {
  return {"Tx*Ty <= 1024 && M % rows == 0", "dtype == 'f32' || (N > 2 && N != M)", "M / 0 > 1",
          "-M + 3 - -N * 2.5e3 >= 1", "((((M)))) < 2"};
}
std::vector<std::string> words() {
  return {"M,N=4096,4096;512,512",
          "threads=1,2",
          "N={\"pow2\":[9,12]}",
          "path=[\"a,b\"]",
          "500ms",
          "1.5m",
          "2%",
          "512MiB",
          "4GiB",
          "N={\"from\":1,\"to\":9,\"step\":2}"};
}

const Registration sweep_file{{.name = "sweep_file", .one_input = read_sweep, .corpus = [] {
                                 return files_of({"configs", "kernels/uot", "kernels/match"}, ".json");
                               }}};
const Registration condition{{.name = "condition", .one_input = read_condition, .corpus = conditions}};
const Registration flags{{.name = "flags", .one_input = read_words, .corpus = words}};

// Files that describe workers, counters and projects: each in a folder of its own, where the program looks.

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

/// The code after validation relies on it: an Error is refused data, anything else a defect.
void read_description(const Json& message) {
  for (const auto& entry : described_reply_from(message).variants)
    if (const auto wrong = validate_description(entry.variant, std::set<std::string>{})) {
      require_readable(wrong->found);
      require_readable(wrong->expected);
    }
}

/// As if it had been asked for: the steps are those whose answers it holds.
Json request_of(const Json& message) {
  Json request{{"type", "run"}, {"steps", Json::array()}, {"points", Json::array()}};
  for (const auto& [step, key] :
       {std::pair{"verify", "outputs"}, {"time", "time"}, {"count", "counts"}, {"prove", "proved"}})
    if (message.contains(key)) request["steps"].push_back(step);
  if (message.contains("case")) request["case"] = message["case"];
  if (const Json points = value_in(message, "points"); points.is_array()) request["points"] = points;
  return request;
}

void read_answer(std::string_view input) {
  const Json message = parse_shallow(input).value_or(nullptr);
  if (!message.is_object()) return;  // which no message is
  const std::string type = text_in(message, "type");
  const bool judges = message.contains("families");
  const auto wrong =
      type == "hello" ? validate_hello(message) : validate_answer(message, request_of(message), type, judges);
  if (wrong) throw Violated(*wrong);
  if (type == "described" && judges) families_from(message);
  if (type == "described" && !judges) read_description(message);
  if (type == "hello") hello_from(message);
  if (type == "planned") planned_from(message);
  if (type == "sources") to_json(sources_reply_from(message));
  if (type == "record") to_json(run_reply_from(message));
  if (type == "judged") to_json(judged_reply_from(message));
  if (type == "prepared") to_json(prepared_reply_from(message));
  if (type == "hashed") to_json(hashed_reply_from(message));
}

std::vector<std::string> answers() {
  std::vector<std::string> all;
  for (const auto& [name, message] : sound_answers()) all.push_back(to_line(message));
  for (const auto& conversation : files_of({"harness/sweep/tests/answers"}, ".txt"))
    for (std::size_t begin = 0, end; (end = conversation.find('\n', begin)) != std::string::npos;
         begin = end + 1)
      if (conversation.compare(begin, 2, "< ") == 0 && end - begin < 4000)
        all.push_back(conversation.substr(begin + 2, end - begin - 2));
  return all;
}

const Registration answer{{.name = "answers", .one_input = read_answer, .corpus = answers, .share = 3}};

}  // namespace
}  // namespace uotbench::fuzz
