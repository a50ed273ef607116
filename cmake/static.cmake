# libiolite.a: the runtime for programs that are linked statically, and the options that put it into them. Only where
# there is a static C library to link with, on processors that the assembler's part knows.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libc.a
  OUTPUT_VARIABLE iolite_libc OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT IS_ABSOLUTE "${iolite_libc}")
  list(APPEND IOLITE_LEFT_OUT "libc.a: no libiolite.a, so that static programs cannot be recorded")
  set(iolite_libc "")
elseif(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
  list(APPEND IOLITE_LEFT_OUT "libiolite.a: not for this processor, so that static programs cannot be recorded")
  set(iolite_libc "")
endif()
if(NOT iolite_libc)
  add_custom_target(iolite-static)
  return()
endif()

set(iolite_static_sources ${iolite_runtime_sources} ${PROJECT_SOURCE_DIR}/runtime/static/real.c)
list(FILTER iolite_static_sources EXCLUDE REGEX "/runtime/(core/real|core/added_load|posix/late)\\.c$")
add_library(iolite_static_objects OBJECT ${iolite_static_sources})
iolite_runtime_code(iolite_static_objects IOL_STATIC)

set(iolite_options ${CMAKE_BINARY_DIR}/share/iolite)
set(iolite_static ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libiolite.a)
file(MAKE_DIRECTORY ${iolite_options})
set(iolite_static_compression ${iolite_runtime_archive})
if(NOT iolite_static_compression)
  set(iolite_static_compression -)
endif()
set(iolite_static_parts archive.sh members.awk options.awk needs.h dlsym.c)
list(TRANSFORM iolite_static_parts PREPEND ${PROJECT_SOURCE_DIR}/runtime/static/)
add_custom_command(OUTPUT ${iolite_static} ${iolite_options}/wrap.opts ${iolite_options}/wrap-queues.opts
  COMMAND ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER} LD=${CMAKE_LINKER} OBJCOPY=${CMAKE_OBJCOPY}
    READELF=${CMAKE_READELF} NM=${CMAKE_NM} AR=${CMAKE_AR}
    ${PROJECT_SOURCE_DIR}/runtime/static/archive.sh ${iolite_static} ${iolite_options} ${CMAKE_BINARY_DIR}/static
    ${iolite_static_compression} $<TARGET_OBJECTS:iolite_static_objects>
  DEPENDS iolite_static_objects $<TARGET_OBJECTS:iolite_static_objects> ${iolite_static_parts}
  COMMENT "Making libiolite.a" COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(iolite-static ALL DEPENDS ${iolite_static})

install(FILES ${iolite_static} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${iolite_options}/wrap.opts ${iolite_options}/wrap-queues.opts
  DESTINATION ${CMAKE_INSTALL_DATADIR}/iolite)
