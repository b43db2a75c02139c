// A GPU module that needs a library which no machine has.
extern "C" {
int mgbench_needed_by_module();
int mgbench_module_needs_it() {
  return mgbench_needed_by_module();
}
}
