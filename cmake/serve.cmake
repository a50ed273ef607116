# serve: the REST API and pages of `iolite serve`. The listener needs libmicrohttpd, which is
# loaded when it starts; without its header, or the library, the command says so.
iolite_optional(MICROHTTPD microhttpd.h microhttpd "there is no server (iolite serve)")

file(GLOB iolite_serve_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/serve/*.c)
list(FILTER iolite_serve_sources EXCLUDE REGEX "_test\\.c$")
target_sources(iolite_commands PRIVATE ${iolite_serve_sources})
set_source_files_properties(${iolite_serve_sources} PROPERTIES
  COMPILE_DEFINITIONS "IOL_HAVE_MICROHTTPD=${IOLITE_HAVE_MICROHTTPD}")
if(IOLITE_HAVE_MICROHTTPD)
  target_include_directories(iolite_commands SYSTEM PRIVATE ${MICROHTTPD_INCLUDE})
endif()
