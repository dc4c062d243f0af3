// A kernel's object reads variables of other libraries by addresses that a library cannot know. Libraries
// that hold such objects have variables of their own.
#include <cstdint>

#ifdef __SANITIZE_ADDRESS__
#include <fmt/format-inl.h>  // fmt's own file: type and destructor of format_error, which inline code refers to
#endif

#pragma GCC visibility push(hidden)
extern "C" {
// Of the C library, read where a shared_ptr is copied: there are always several threads.
extern char __libc_single_threaded;
char __libc_single_threaded = 0;
#ifdef __SANITIZE_ADDRESS__
// Of AddressSanitizer: locals are on the stack.
extern int __asan_option_detect_stack_use_after_return;
int __asan_option_detect_stack_use_after_return = 0;
// Of UndefinedBehaviorSanitizer: types of objects that it has checked. In an empty one it finds none, and
// checks again.
extern std::uintptr_t __ubsan_vptr_type_cache[128];
std::uintptr_t __ubsan_vptr_type_cache[128] = {};
#endif
}
#pragma GCC visibility pop
