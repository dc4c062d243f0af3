// The lines of a run file as JSON: the first line, a case's, and what the schema says of them. The one place
// that knows the keys of the first line.
#pragma once

#include <string>
#include <vector>

#include "results/base/json_fwd.hpp"
#include "results/record/record.hpp"
#include "results/record/run_header.hpp"

namespace uotbench {

/// The first place of a first line, or of a line {"kind": "resume"}, that is of another type than the header
/// has, as line_violation() says it; empty: header_from() reads it.
std::string header_violation(const Json& line);

/// Null counts as absent. Throws Json::Exception where header_violation() is not empty.
RunHeader header_from(const Json& line);
/// Known fields in one order, then what this version does not know, as it was read.
Json to_json(const RunHeader& header);

Json to_json(const HeaderOptions& options);
Json to_json(const Named<WorkerBuild>& workers);
Json to_json(const Named<std::string>& texts);

/// What a line {"kind": "resume"} says about its start.
LaterStart later_start_from(const Json& line);
/// Replaces the fields that belong to the plan (plan, sweep, options, …) by those in the line; null removes
/// one.
void replace_parts(RunHeader& header, const Json& line);
/// The line of a later start: when and where it was, and what belongs to the plan and differs from `before`.
Json resume_line(const RunHeader& now, const RunHeader& before);

/// The line of a start that changed only the plan.
Json resume_line(const std::string& started, const std::vector<std::string>& plan);

struct OptionDifference {
  std::string name, a, b;  ///< values as JSON
};
/// Options of `a` that `b` lacks or has with another value.
std::vector<OptionDifference> differing(const std::optional<HeaderOptions>& a,
                                        const std::optional<HeaderOptions>& b);

// What the lines of a run file must look like: configs/run.schema.json, whose definitions they are.

const Json& line_schema();

/// The deepest place of a line, or of a part of one, that is not as the definition says: "/time/inner:
/// expected an integer, got "x"", "/shard/order: missing; expected a list of integers". Empty: it agrees.
std::string line_violation(const std::string& definition, const Json& line);

// A case's line of a run file, read.

/// Unknown keys are ignored. Throws Error naming the place that is missing or of the wrong type.
Record record_from(Json json);

}  // namespace uotbench
