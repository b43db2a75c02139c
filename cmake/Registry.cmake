# mgbench_registry(<target> <table> KIND <word> ENTRY <type> HEADER <header> [FOLDER <folder>] NAMES <name>...)
#
# Adds <folder>/<name>.cpp for each name (hyphens become underscores) to <target> and generates the function
#   Registry<type>& mgbench::<table>();
# which <header> declares. Each file defines  type mgbench::<table>_entries::<name>().
# So registering an implementation takes one file and one line.
function(mgbench_registry target table)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "KIND;ENTRY;HEADER;FOLDER" "NAMES")
  set(declarations "")
  set(calls "")
  foreach(name IN LISTS arg_NAMES)
    string(REPLACE "-" "_" identifier "${name}")
    target_sources(${target} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/${arg_FOLDER}/${identifier}.cpp")
    string(APPEND declarations "${arg_ENTRY} ${identifier}();\n")
    list(APPEND calls "${table}_entries::${identifier}()")
  endforeach()
  list(JOIN calls ",\n      " calls)
  file(CONFIGURE OUTPUT "${table}_registry.cpp" CONTENT [[
#include "@arg_HEADER@"

namespace mgbench {
namespace @table@_entries {
@declarations@}
Registry<@arg_ENTRY@>& @table@() {
  static Registry<@arg_ENTRY@> registry("@arg_KIND@", {
      @calls@});
  return registry;
}
}  // namespace mgbench
]] @ONLY)
  target_sources(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/${table}_registry.cpp")
endfunction()
