#include "tools/uotbench/flags/command.hpp"

int main(int argc, char** argv) { return uotbench::run_program(argc, argv); }
