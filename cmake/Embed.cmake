# mgbench_embed(<target> <header> <variable> <file>)
#
# Compiles the text of <file> into <target> as  const std::string_view mgbench::<variable>,  which <header> declares; an
# empty text where <file> is empty.
function(mgbench_embed target header variable file)
  set(script ${PROJECT_SOURCE_DIR}/cmake/WriteEmbedded.cmake)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded/${variable}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DHEADER=${header} -DVARIABLE=${variable} -DINPUT=${file} -DOUTPUT=${output} -P ${script}
    DEPENDS ${file} ${script}
    COMMENT "Embedding ${variable}"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
