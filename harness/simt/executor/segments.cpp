#include "harness/simt/executor/segments.hpp"

#include <link.h>

#include <algorithm>

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
