// A GPU module that was left behind by another version of the program.
extern "C" {
extern const char* const mgbench_gpu_module_version;
const char* const mgbench_gpu_module_version = "0.0.1";
}
