#include "bench/command_line.h"

int main(int argc, char** argv) {
  return mgbench::run_command_line(argc, argv);
}
