// Answers of workers: what validation accepts can be read by the code after it.
#include "harness/protocol/messages.hpp"
#include "harness/sweep/tests/scripted_worker.hpp"
#include "harness/sweep/workers/validation.hpp"
#include "results/base/error.hpp"
#include "results/base/json.hpp"
#include "results/tests/fuzz/target.hpp"

namespace uotbench::fuzz {
namespace {

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

void read(std::string_view input) {
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

const Registration target{{.name = "answers", .one_input = read, .corpus = answers, .share = 3}};

}  // namespace
}  // namespace uotbench::fuzz
