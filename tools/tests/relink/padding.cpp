// Linked before a worker's objects, this moves all of their code without changing any of it: what a change
// somewhere else does to a kernel. 16 bytes more than whole cache lines, so that loops lie on them
// differently.
asm(".pushsection .text\n.skip 1040, 0x90\n.popsection");
