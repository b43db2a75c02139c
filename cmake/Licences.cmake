# Installs the licences of what is compiled into the program (packaging/licences/README.md): what came with Apache ECharts, and of
# header-only libraries what this machine's packages say.
set(licences ${CMAKE_INSTALL_DOCDIR}/licences)
install(FILES ${PROJECT_SOURCE_DIR}/packaging/licences/README.md DESTINATION ${licences})
if(MGBENCH_ECHARTS_FOLDER)
  file(GLOB texts ${MGBENCH_ECHARTS_FOLDER}/LICENSE* ${MGBENCH_ECHARTS_FOLDER}/NOTICE)
  install(FILES ${texts} DESTINATION ${licences}/echarts)
endif()
foreach(package libcli11-dev nlohmann-json3-dev libeigen3-dev libboost-dev libfmt-dev)
  install(FILES /usr/share/doc/${package}/copyright DESTINATION ${licences} RENAME ${package} OPTIONAL)
endforeach()
