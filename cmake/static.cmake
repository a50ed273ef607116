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

# Without what looks for functions and libraries in a running program.
set(iolite_not_static "/runtime/((custom/custom_load|process/carried)\\.c|lazy/|mpi/load)")
set(iolite_static_sources ${iolite_runtime_formed} ${iolite_runtime_linked})
list(FILTER iolite_static_sources EXCLUDE REGEX ${iolite_not_static})
foreach(part static/real static/lazy)
  list(APPEND iolite_static_sources ${PROJECT_SOURCE_DIR}/runtime/${part}.c)
endforeach()
add_library(iolite_static_objects OBJECT ${iolite_static_sources})
iolite_runtime_form(iolite_static_objects IOL_STATIC)
set(iolite_static_objects $<TARGET_OBJECTS:iolite_static_objects> $<TARGET_OBJECTS:iolite_runtime_entries>)
foreach(target iolite_runtime_same iolite_runtime_calling)
  list(APPEND iolite_static_objects "$<FILTER:$<TARGET_OBJECTS:${target}>,EXCLUDE,${iolite_not_static}>")
endforeach()

set(iolite_options ${CMAKE_BINARY_DIR}/share/iolite)
set(iolite_static ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libiolite.a)
file(MAKE_DIRECTORY ${iolite_options})
set(iolite_static_compression ${iolite_runtime_archive})
if(NOT iolite_static_compression)
  set(iolite_static_compression -)
endif()
set(iolite_static_parts archive.sh asked.awk members.awk options.awk needs.h dlsym.c)
set(iolite_static_lists wrap.opts wrap-queues.opts wrap-hdf5.opts wrap-pnetcdf.opts)
list(TRANSFORM iolite_static_parts PREPEND ${PROJECT_SOURCE_DIR}/runtime/static/)
list(TRANSFORM iolite_static_lists PREPEND ${iolite_options}/)
add_custom_command(OUTPUT ${iolite_static} ${iolite_static_lists}
  COMMAND ${CMAKE_COMMAND} -E env CC=${CMAKE_C_COMPILER} LD=${CMAKE_LINKER} OBJCOPY=${CMAKE_OBJCOPY}
    READELF=${CMAKE_READELF} NM=${CMAKE_NM} AR=${CMAKE_AR}
    ${PROJECT_SOURCE_DIR}/runtime/static/archive.sh ${iolite_static} ${iolite_options} ${CMAKE_BINARY_DIR}/static
    ${iolite_static_compression} ${iolite_static_objects}
  DEPENDS ${iolite_static_objects} ${iolite_static_parts}
  COMMENT "Making libiolite.a" COMMAND_EXPAND_LISTS VERBATIM)
add_custom_target(iolite-static ALL DEPENDS ${iolite_static})
# Makefiles know of files in other targets only that these targets come first.
add_dependencies(iolite-static iolite_static_objects iolite_runtime_entries iolite_runtime_same iolite_runtime_calling)
add_dependencies(product iolite-static)

iolite_put(development ${CMAKE_INSTALL_LIBDIR} FILES ${iolite_static})
iolite_put(development ${CMAKE_INSTALL_DATADIR}/iolite FILES ${iolite_static_lists})

# libiolite-mpi-<abi>.a, for static programs of that MPI. Only Open MPI's handles are reached in another way there
# (runtime/abi/abi.h); the other objects are those of the plugin.
foreach(abi IN LISTS IOLITE_MPIS)
  set(objects iolite-mpi-${abi}-objects)
  if(abi STREQUAL openmpi OR NOT TARGET ${objects})
    set(objects iolite-mpi-${abi}-static-objects)
    iolite_mpi_objects(${objects} ${abi} IOL_STATIC)
  endif()
  add_library(iolite_static_${abi} OBJECT ${PROJECT_SOURCE_DIR}/runtime/static/mpi.c
    ${PROJECT_SOURCE_DIR}/runtime/static/mpi.S)
  iolite_runtime_form(iolite_static_${abi} IOL_STATIC)
  target_include_directories(iolite_static_${abi} SYSTEM PRIVATE ${IOLITE_MPI_FOLDERS_${abi}})
  set(library ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}/libiolite-mpi-${abi}.a)
  set(list ${iolite_options}/wrap-mpi-${abi}.opts)
  add_custom_command(OUTPUT ${library} ${list}
    COMMAND ${CMAKE_COMMAND} -E env LD=${CMAKE_LINKER} OBJCOPY=${CMAKE_OBJCOPY} READELF=${CMAKE_READELF} AR=${CMAKE_AR}
      ${PROJECT_SOURCE_DIR}/runtime/static/plugin.sh ${library} ${list} ${CMAKE_BINARY_DIR}/static/${abi}
      $<TARGET_OBJECTS:iolite_static_${abi}> $<TARGET_OBJECTS:${objects}>
    DEPENDS iolite_static_${abi} $<TARGET_OBJECTS:iolite_static_${abi}> $<TARGET_OBJECTS:${objects}>
      ${PROJECT_SOURCE_DIR}/runtime/static/plugin.sh
    COMMENT "Making libiolite-mpi-${abi}.a" COMMAND_EXPAND_LISTS VERBATIM)
  add_custom_target(iolite-static-${abi} ALL DEPENDS ${library})
  add_dependencies(iolite-static-${abi} iolite_static_${abi} ${objects})
  add_dependencies(iolite-static iolite-static-${abi})
  iolite_put(development ${CMAKE_INSTALL_LIBDIR} FILES ${library})
  iolite_put(development ${CMAKE_INSTALL_DATADIR}/iolite FILES ${list})
endforeach()
