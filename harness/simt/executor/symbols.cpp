#include "harness/simt/executor/symbols.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>

namespace uotbench::simt {
namespace {

/// A file, mapped to be read; empty where it cannot be.
class Mapped {
 public:
  explicit Mapped(const char* path) {
    const int file = ::open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return;
    struct stat status {};
    if (::fstat(file, &status) == 0 && status.st_size > 0) {
      size_ = static_cast<std::size_t>(status.st_size);
      memory_ = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file, 0);
      if (memory_ == MAP_FAILED) memory_ = nullptr;
    }
    ::close(file);
  }
  ~Mapped() {
    if (memory_) ::munmap(memory_, size_);
  }
  Mapped(const Mapped&) = delete;
  Mapped& operator=(const Mapped&) = delete;

  /// `count` of T at `offset`, null where the file ends before.
  template <class T>
  const T* at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (!memory_ || offset > size_ || count > (size_ - offset) / sizeof(T)) return nullptr;
    return reinterpret_cast<const T*>(static_cast<const char*>(memory_) + offset);
  }

 private:
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

std::uint64_t load_address() {
  std::uint64_t address = 0;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        *static_cast<std::uint64_t*>(result) = info->dlpi_addr;
        return 1;
      },
      &address);
  return address;
}

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                         std::free);
  return status == 0 && text ? text.get() : name;
}

/// From the program's table of symbols, which also has those of unnamed namespaces.
Symbol found(const void* function) {
  const auto address = reinterpret_cast<std::uint64_t>(function);
  const Symbol unknown{fmt::format("{:#x}", address), {}};
  const Mapped file("/proc/self/exe");
  const auto* const header = file.at<ElfW(Ehdr)>(0);
  if (!header) return unknown;
  const auto* const sections = file.at<ElfW(Shdr)>(header->e_shoff, header->e_shnum);
  if (!sections) return unknown;
  const std::uint64_t wanted = address - load_address();
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto& section = sections[i];
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= header->e_shnum) continue;
    const std::uint64_t count = section.sh_size / sizeof(ElfW(Sym));
    const auto* const symbols = file.at<ElfW(Sym)>(section.sh_offset, count);
    const auto& names = sections[section.sh_link];
    if (!symbols || !file.at<char>(names.sh_offset, names.sh_size)) continue;
    for (std::uint64_t s = 0; s < count; ++s) {
      const auto& symbol = symbols[s];
      if (symbol.st_value != wanted || (symbol.st_info & 0xf) != STT_FUNC || symbol.st_name >= names.sh_size)
        continue;
      return {short_name(demangled(file.at<char>(names.sh_offset + symbol.st_name))),
              {address, address + symbol.st_size}};
    }
  }
  return unknown;
}

}  // namespace

std::string short_name(const std::string& signature) {
  std::string text = signature;
  const std::string unnamed = "(anonymous namespace)::";
  for (std::size_t at; (at = text.find(unnamed)) != text.npos;) text.erase(at, unnamed.size());
  // What stands in no brackets of templates: the last name there, up to the parameters.
  std::size_t begin = 0, end = text.size();
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (depth > 0) continue;
    if (text[i] == '(') {
      end = i;
      break;
    }
    if (text[i] == ' ' || text[i] == ':') begin = i + 1;
  }
  return text.substr(begin, end - begin);
}

const Symbol& symbol_of(const void* address) {
  static std::map<const void*, Symbol> known;
  const auto at = known.find(address);
  return at != known.end() ? at->second : known.emplace(address, found(address)).first->second;
}

}  // namespace uotbench::simt

// The linker's names for the section of all __constant__ variables.
extern "C" {
extern const char __start_uotbench_constant[] __attribute__((weak, visibility("hidden")));
extern const char __stop_uotbench_constant[] __attribute__((weak, visibility("hidden")));
}

namespace uotbench::simt {
namespace {

template <class Each>
void of_this_program(Each each) {
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* each) {
        // The first is the program itself; kernels live nowhere else.
        for (int i = 0; i < info->dlpi_phnum; ++i) (*static_cast<Each*>(each))(*info, info->dlpi_phdr[i]);
        return 1;
      },
      &each);
}

}  // namespace

std::vector<trace::Span> thread_local_variables() {
  std::vector<trace::Span> spans;
  of_this_program([&](const dl_phdr_info& info, const ElfW(Phdr) & header) {
    if (header.p_type != PT_TLS || !info.dlpi_tls_data) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(info.dlpi_tls_data);
    spans.push_back({begin, begin + header.p_memsz});
  });
  return spans;
}

trace::Span constants() {
  return {reinterpret_cast<std::uintptr_t>(__start_uotbench_constant),
          reinterpret_cast<std::uintptr_t>(__stop_uotbench_constant)};
}

std::vector<trace::Span> variables() {
  std::vector<trace::Span> spans;
  const trace::Span constant = constants();
  of_this_program([&](const dl_phdr_info& info, const ElfW(Phdr) & header) {
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_W)) return;
    const trace::Span all{info.dlpi_addr + header.p_vaddr, info.dlpi_addr + header.p_vaddr + header.p_memsz};
    if (constant.begin == constant.end || !all.holds(constant.begin)) {
      spans.push_back(all);
      return;
    }
    spans.push_back({all.begin, constant.begin});
    spans.push_back({constant.end, all.end});
  });
  std::erase_if(spans, [](const trace::Span& span) { return span.begin == span.end; });
  return spans;
}

}  // namespace uotbench::simt
