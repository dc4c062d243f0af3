// What --help prints.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace uotbench {

/// Lays help out in the terminal's width, 80 columns where it has none: names in one column, descriptions
/// wrapped beside them. Commands inherit it from a program that has it before they are added.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace uotbench
