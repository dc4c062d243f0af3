// What all commands ask of a flag's value.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "results/base/document.hpp"
#include "results/record/run_file/run_file.hpp"
#include "results/view/view.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace uotbench {

/// An unset variable of a job script must not mean "no limit".
extern const CLI::Validator not_empty;

/// A flag's quantity; the error names the flag. Throws UsageError.
double flag_value(const char* flag, double (*parse)(const std::string&), const std::string& text);

/// What a flag's VARIANT[@WORKER][,AXIS=VALUE] names, as a sweep's speedup_over; the error names the flag.
/// Throws UsageError.
Document over_value(const char* flag, const std::string& text);
/// Likewise of a stored run, which has cases of that variant and that worker; null where the flag is not
/// given.
Document over_value(const char* flag, const std::string& text, const Run& run);

/// Leaves the cases whose ids match --filter. Throws UsageError where none does.
void keep_matching(RunView& view, const std::string& filter);

/// --format must be one of these. Throws UsageError.
void require_format(const std::string& format, const std::vector<std::string>& known);
/// --mcpu, for CodeAnalyser. `of`: before its help, what of the command it concerns.
void add_mcpu_flag(CLI::App& command, std::string& mcpu, const std::string& of = "");

/// What writes --format. Throws UsageError where nothing does.
template <class Writer>
Writer writer_for(const std::string& format, const std::map<std::string, Writer>& writers) {
  std::vector<std::string> known;
  for (const auto& [name, writer] : writers) known.push_back(name);
  require_format(format, known);
  return writers.at(format);
}

}  // namespace uotbench
