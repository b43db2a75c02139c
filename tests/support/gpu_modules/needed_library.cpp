// A library that is there when a module is linked, and not when it is loaded.
extern "C" int mgbench_needed_by_module() {
  return 0;
}
