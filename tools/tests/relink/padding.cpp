// Linked into a worker, this moves all of its code without changing any of it: what a change somewhere else
// does to a kernel. 16 bytes more than whole cache lines, so that loops lie on them differently; in the
// section that the linker puts before all other code, whatever the order of objects.
asm(".pushsection .text.unlikely,\"ax\",@progbits\n.skip 1040, 0x90\n.popsection");
