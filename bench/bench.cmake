# Programs of bench/runtime.sh, also used by tests: what they measure are the calls of an ordinary program, so they are
# optimised, without sanitizers, and link to nothing of ours.
add_library(iolite_ordinary INTERFACE)
get_target_property(iolite_warnings iolite_flags INTERFACE_COMPILE_OPTIONS)
list(FILTER iolite_warnings INCLUDE REGEX "^-W")
target_compile_options(iolite_ordinary INTERFACE ${iolite_warnings} -O2)
target_compile_definitions(iolite_ordinary INTERFACE _GNU_SOURCE)
target_include_directories(iolite_ordinary INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
find_package(Threads REQUIRED)
target_link_libraries(iolite_ordinary INTERFACE Threads::Threads)

function(iolite_ordinary_program name source)
  add_executable(${name} ${PROJECT_SOURCE_DIR}/${source})
  target_link_libraries(${name} PRIVATE iolite_ordinary)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endfunction()

iolite_ordinary_program(io-loop bench/io_loop.c)
iolite_ordinary_program(interleave bench/interleave.c)
iolite_ordinary_program(forks bench/forks.c)
iolite_ordinary_program(holders bench/holders.c)
iolite_ordinary_program(pairs-serial bench/pairs.c)
add_library(empty MODULE ${PROJECT_SOURCE_DIR}/bench/empty.c)
set_target_properties(empty PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)

# What the runtime's own compression is worth beside libdeflate's.
if(IOLITE_HAVE_LIBDEFLATE AND IOLITE_STATIC_DEFLATE)
  add_executable(packing ${PROJECT_SOURCE_DIR}/bench/packing.c)
  target_include_directories(packing SYSTEM PRIVATE ${LIBDEFLATE_INCLUDE})
  iolite_test_code(packing)
  target_link_libraries(packing PRIVATE iolite_runtime_parts)
endif()

# The end of a job with very many ranks.
add_executable(simulate ${PROJECT_SOURCE_DIR}/bench/simulate.c)
iolite_test_code(simulate)
target_link_libraries(simulate PRIVATE iolite_runtime_parts)
