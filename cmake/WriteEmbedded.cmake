# Run at build time: writes OUTPUT with the text of INPUT as VARIABLE, which HEADER declares (Embed.cmake).
set(text "")
if(INPUT)
  file(READ "${INPUT}" text)
endif()
string(FIND "${text}" ")embedded\"" end)
if(NOT end EQUAL -1)
  message(FATAL_ERROR "${INPUT} holds what ends a raw string of C++ here")
endif()
file(WRITE "${OUTPUT}" "#include \"${HEADER}\"

namespace mgbench {
namespace {
constexpr char kText[] = R\"embedded(${text})embedded\";
}  // namespace
const std::string_view ${VARIABLE}(kText, sizeof(kText) - 1);
}  // namespace mgbench
")
