# Run at build time: writes OUTPUT with the commit of SOURCE_DIR, touching it only when the commit has changed.
set(commit "$Format:%h$")  # git archive puts the commit here (.gitattributes): a tarball has no history
if(commit MATCHES "Format")
  execute_process(COMMAND git -C "${SOURCE_DIR}" describe --always --dirty --exclude=*
                  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    set(commit "unknown")
  endif()
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
#include "bench/build_info.h"

namespace mgbench {
const char* const kCommit = "@commit@";
}  // namespace mgbench
]] @ONLY)
