// What all commands ask of a flag's value.
#pragma once

#include <string>

namespace CLI {
class Validator;
}

namespace uotbench {

/// An unset variable of a job script must not mean "no limit".
extern const CLI::Validator not_empty;

/// A flag's quantity; the error names the flag. Throws UsageError.
double flag_value(const char* flag, double (*parse)(const std::string&), const std::string& text);

}  // namespace uotbench
