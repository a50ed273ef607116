# Unit tests of the runtime. Its sources define libc's names, which must not happen to a test program: only the parts
# behind the wrapped functions are linked, with stand-ins for the life of the process. Shared parts (schema, record)
# come with the log library, which also reads back what the store holds.
set(iolite_runtime_parts
  apmpi/apmpi
  core/clock core/common core/evict core/expression core/files core/filter core/guard core/handles core/heatmap
  core/job_record core/store core/sys core/there core/trace core/trust core/tuples
  custom/custom_write
  finalize/blocks finalize/combined finalize/exchange finalize/finalize finalize/gather finalize/joblog
  finalize/jobtrailer finalize/lists finalize/made_up finalize/memory finalize/pile finalize/platform finalize/report
  finalize/shared finalize/survey finalize/unique_records
  hdf5/ask hdf5/h5d hdf5/h5f hdf5/handles hdf5/wrappers
  lazy/apart lazy/loader lazy/next lazy/sites lazy/spaces
  lustre/layout lustre/lustre lustre/totals
  mpiio/hints mpiio/mpiio mpiio/operations
  output/explain output/logfile output/places output/sections
  pack/cheapest pack/deflate pack/huffman pack/layout pack/names pack/pack pack/quick pack/rows pack/spread
  pack/tokens pack/values
  posix/descriptors posix/late posix/operations posix/pages posix/peek posix/pending posix/posix posix/ring
  posix/trace
  stdio/stdio where/step)
set(iolite_runtime_words IOL_STATIC=0 IOL_BOUND=0 IOL_FAULTS=0)
if(IOLITE_SANITIZE) # the library itself has no sanitizer in it, its parts in tests have
  list(TRANSFORM iolite_runtime_parts PREPEND ${PROJECT_SOURCE_DIR}/runtime/)
  list(TRANSFORM iolite_runtime_parts APPEND .c)
else()
  list(JOIN iolite_runtime_parts "|" parts)
  set(iolite_runtime_parts ${PROJECT_SOURCE_DIR}/runtime/lazy/next.c)
  foreach(target iolite_runtime_same iolite_runtime_calling)
    list(APPEND iolite_runtime_parts "$<FILTER:$<TARGET_OBJECTS:${target}>,INCLUDE,/runtime/(${parts})\\.c>")
  endforeach()
endif()
add_library(iolite_runtime_parts STATIC ${iolite_runtime_parts} ${PROJECT_SOURCE_DIR}/tests/support/runtime_stubs.c
  ${PROJECT_SOURCE_DIR}/tests/support/quiet.c ${PROJECT_SOURCE_DIR}/tests/support/ranks.c)
iolite_test_code(iolite_runtime_parts)
target_compile_definitions(iolite_runtime_parts PRIVATE IOLITE_VERSION="${PROJECT_VERSION}" ${iolite_runtime_compression}
  PUBLIC ${iolite_runtime_words})
target_include_directories(iolite_runtime_parts SYSTEM PRIVATE ${iolite_compression_includes})
target_link_libraries(iolite_runtime_parts PUBLIC iolite_unit_support ${iolite_runtime_archive})

file(GLOB iolite_runtime_unit_tests CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} runtime/*/*_test.c)
foreach(source IN LISTS iolite_runtime_unit_tests)
  string(REGEX REPLACE "_test\\.c$" "" name ${source})
  string(REPLACE "/" "_" target ${name}_test)
  add_executable(${target} ${PROJECT_SOURCE_DIR}/${source})
  iolite_unit_test(${target})
  target_link_libraries(${target} PRIVATE iolite_runtime_parts)
  iolite_register(${name} unit ${target})
endforeach()
# The block size of a file is what the test says.
target_link_options(runtime_posix_posix_test PRIVATE -Wl,--wrap=iol__mount_of,--wrap=iol__mount_block)

# The runtime is built by one compiler, usually gcc; clang has to like it too. Inline functions of libc's
# headers would be in the way of our own definitions.
find_program(IOLITE_CLANG clang)
mark_as_advanced(IOLITE_CLANG)
if(IOLITE_CLANG)
  set(iolite_clang_definitions ${iolite_runtime_compression} ${iolite_runtime_words})
  list(TRANSFORM iolite_clang_definitions PREPEND -D)
  iolite_register(runtime/clang unit ${IOLITE_CLANG} -fsyntax-only -std=gnu11 -O2 -Wall -Wextra -Wshadow -Wconversion
    -Wenum-float-conversion -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla -Werror
    -D__NO_INLINE__ -U_FORTIFY_SOURCE -D_GNU_SOURCE -DIOLITE_VERSION="${PROJECT_VERSION}" ${iolite_clang_definitions}
    -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/include ${iolite_runtime_sources})
endif()
