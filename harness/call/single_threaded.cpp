// A kernel's object reads this flag of the C library where it copies a shared_ptr, by an address that a
// library cannot know. Libraries that hold such objects have a flag of their own, which always says that
// there are several threads.
extern "C" {
extern char __libc_single_threaded;
__attribute__((visibility("hidden"))) char __libc_single_threaded = 0;
}
