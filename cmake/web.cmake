# The web application inside the report. web/dist is built by Node and committed; here it is only compressed and turned
# into C, by CMake itself, so that neither Node nor a tool for the machine that builds is needed.
set(iolite_web_dist ${PROJECT_SOURCE_DIR}/web/dist)
set(iolite_web_source ${CMAKE_BINARY_DIR}/generated/web.c)
add_custom_command(OUTPUT ${iolite_web_source}
  COMMAND ${CMAKE_COMMAND} -DOUT=${iolite_web_source} -DDIST=${iolite_web_dist}
          -P ${PROJECT_SOURCE_DIR}/cmake/web_embed.cmake
  DEPENDS ${iolite_web_dist}/report.js ${iolite_web_dist}/report.css ${iolite_web_dist}/portal.js
          ${iolite_web_dist}/portal.css ${PROJECT_SOURCE_DIR}/cmake/web_embed.cmake
  VERBATIM)
add_library(iolite_web STATIC ${iolite_web_source})
target_link_libraries(iolite_web PUBLIC iolite_flags)
