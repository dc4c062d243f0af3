#include "harness/trace/base/source_lines.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>

namespace uotbench::trace {
namespace {

struct Close {
  void operator()(std::FILE* pipe) const { ::pclose(pipe); }
};

std::string hexadecimal(std::uint64_t number) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(number));
  return text;
}

/// Offset in this program's file, as its debug information counts; `name` becomes its file name.
std::uint64_t offset_of(std::uint64_t address, std::string& name) {
  Dl_info info{};
  if (!::dladdr(reinterpret_cast<void*>(address), &info)) return address;
  name = info.dli_fname;
  name.erase(0, name.rfind('/') + 1);
  // A program that is not position-independent has its addresses in the file.
  const auto* const header = static_cast<const unsigned char*>(info.dli_fbase);
  constexpr int type = 16, executable = 2;  // e_type and ET_EXEC of the ELF header
  return header[type] == executable ? address : address - reinterpret_cast<std::uintptr_t>(info.dli_fbase);
}

bool known(const std::string& line) {
  return !line.empty() && !line.starts_with("??") && !line.ends_with(":?") && !line.ends_with(":0");
}

/// Of a header that came with the compiler or the system, or of those that stand for CUDA's.
bool in_header_of_language(const std::string& line) {
  if (line.starts_with("/usr/")) return true;
  const std::string shim = "harness/simt/";
  const auto at = line.find(shim);
  if (at == line.npos || (at > 0 && line[at - 1] != '/')) return false;
  const auto name = line.substr(at + shim.size());
  return !name.starts_with("tests/") && name.find(".hpp:") != name.npos;
}

/// Of a call chain, the innermost line that is not the language's.
class Chain {
 public:
  void add(std::string line) {
    if (const auto note = line.find(" (discriminator"); note != line.npos) line.erase(note);
    if (!known(line)) return;
    line = std::filesystem::path(line).lexically_normal().string();
    if (innermost_.empty()) innermost_ = line;
    if (ours_.empty() && !in_header_of_language(line)) ours_ = line;
  }
  const std::string& best() const { return ours_.empty() ? innermost_ : ours_; }

 private:
  std::string innermost_, ours_;
};

/// What addr2line says; shorter than `offsets` where it cannot be run.
std::vector<Chain> ask(const std::vector<std::uint64_t>& offsets) {
  std::string command = "addr2line -a -i -e /proc/" + std::to_string(::getpid()) + "/exe";
  for (const auto offset : offsets) command += " " + hexadecimal(offset);
  command += " 2>/dev/null";
  std::vector<Chain> chains;
  const std::unique_ptr<std::FILE, Close> pipe(::popen(command.c_str(), "r"));
  if (!pipe) return chains;
  std::string line;
  for (int c; (c = std::fgetc(pipe.get())) != EOF;) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    if (line.starts_with("0x"))
      chains.emplace_back();
    else if (!chains.empty())
      chains.back().add(line);
    line.clear();
  }
  return chains;
}

}  // namespace

std::vector<std::string> source_lines(const std::vector<std::uint64_t>& addresses) {
  if (addresses.empty()) return {};
  std::vector<std::uint64_t> offsets;
  std::vector<std::string> lines;
  for (const auto address : addresses) {
    if (address == 0) {
      offsets.push_back(0);
      lines.push_back("elsewhere");
      continue;
    }
    std::string name = "program";
    offsets.push_back(offset_of(address, name));
    lines.push_back(name + "+" + hexadecimal(offsets.back()));
  }
  const auto chains = ask(offsets);
  for (std::size_t i = 0; i < chains.size() && i < lines.size(); ++i)
    if (!chains[i].best().empty()) lines[i] = chains[i].best();
  return lines;
}

}  // namespace uotbench::trace
