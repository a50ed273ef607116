# Programs of an MPI that are linked with all of it, and the runtime as it is on processors without stubs. Like the
# others here they have no sanitizer in them.
foreach(test static static_mpi static_libraries bound)
  set_property(TEST e2e/${test} APPEND PROPERTY LABELS static)
endforeach()
foreach(abi IN LISTS IOLITE_MPIS)
  foreach(test static_mpi static_libraries bound)
    set_property(TEST e2e/${test} APPEND PROPERTY ENVIRONMENT ${IOLITE_MPI_ENVIRONMENT}
      MPICC_${abi}=${IOLITE_MPICC_${abi}} MPIRUN_${abi}=${IOLITE_MPIRUN_${abi}})
  endforeach()
endforeach()
if(IOLITE_STUBS)
  iolite_runtime(iolite-bound IOL_BOUND)
  set(iolite_bound_libraries ${CMAKE_BINARY_DIR}/tests/bound)
  set_target_properties(iolite-bound PROPERTIES OUTPUT_NAME iolite LIBRARY_OUTPUT_DIRECTORY ${iolite_bound_libraries})
  foreach(abi IN LISTS IOLITE_MPIS)
    iolite_mpi_bound(iolite-mpi-${abi}-bound ${abi} iolite-bound)
    set_target_properties(iolite-mpi-${abi}-bound PROPERTIES
      OUTPUT_NAME iolite-mpi-${abi} LIBRARY_OUTPUT_DIRECTORY ${iolite_bound_libraries})
  endforeach()
  set_property(TEST e2e/bound APPEND PROPERTY ENVIRONMENT BOUND=${iolite_bound_libraries})
endif()

# The hazard programs once more, linked with libiolite.a instead of being preloaded: the same expectations. A few by
# default, all of them with the long tests. To be included after those of tests/hazards/.
if(NOT iolite_libc)
  return()
endif()

# What is about shared libraries, the one that takes away the variable that keeps its twin from being recorded, and the one
# in whose memory a static program has room where others have none.
set(iolite_static_hazards ${iolite_hazard_sources})
list(FILTER iolite_static_hazards EXCLUDE REGEX "\\.sh$|/(allocator_.*|another_preload|environment_(cleared|copied)|symbol_clash)\\.c$")
list(FILTER iolite_static_hazards EXCLUDE REGEX "/(computing_interposed|library_.*|own_names_of_.*|rlimit_as_small)\\.c$")
list(FILTER iolite_static_hazards EXCLUDE REGEX "/(constructor_io|destructor_io|dlopen_dlclose_library_io)\\.c$")
# Static programs of some C libraries (glibc 2.41) die at the first wide character that they write.
include(CheckCSourceRuns)
set(CMAKE_REQUIRED_LINK_OPTIONS -static)
check_c_source_runs("#include <stdio.h>
  #include <wchar.h>
  int main(void) { FILE *f = tmpfile(); return !f || fputws(L\"x\", f) < 0; }" IOLITE_STATIC_WIDE)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(NOT IOLITE_STATIC_WIDE)
  list(FILTER iolite_static_hazards EXCLUDE REGEX "/wide_[a-z]*\\.c$")
endif()
if(NOT IOLITE_LONG_TESTS)
  list(FILTER iolite_static_hazards INCLUDE REGEX
    "/(atexit_io|block_stdio|cancel_unwinds|character_stdio|daemon_function|exec_family|fork_child_threads_first|fortified|\
getline_counts|kill9_leaves_records|metadata_storm|popen_and_system|ring_copy|signal_handler_io|unlocked_inline|\
vfork_exec|wide_stdio|worker_pool)\\.cc?$")
endif()

function(iolite_static_hazard source)
  get_filename_component(name ${source} NAME_WE)
  if(NOT TARGET hazard-${name})
    return()
  endif()
  iolite_hazard_words(${source} FLAGS flags)
  iolite_hazard_words(${source} LINK link)
  add_executable(static-${name} ${source})
  iolite_hazard_code(static-${name} ${flags})
  set_target_properties(static-${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${iolite_hazard_programs}/static
    LINK_DEPENDS "${iolite_static};${iolite_options}/wrap.opts")
  add_dependencies(static-${name} iolite-static)
  target_link_options(static-${name} PRIVATE -static)
  target_link_libraries(static-${name} PRIVATE ${iolite_static} -Wl,@${iolite_options}/wrap.opts)
  if("${link}" MATCHES "uring|aio") # they have to stand behind
    target_link_libraries(static-${name} PRIVATE -Wl,@${iolite_options}/wrap-queues.opts)
  endif()
  target_link_libraries(static-${name} PRIVATE ${link})
  iolite_register(static/${name} static hazard-driver --linked ${iolite_hazard_programs}/static/${name} ${source})
endfunction()

foreach(source IN LISTS iolite_static_hazards)
  iolite_static_hazard(${source})
endforeach()
