#include "tools/uotbench/commands/program.hpp"

int main(int argc, char** argv) { return uotbench::run_program(argc, argv); }
