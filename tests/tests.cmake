# Tests: unit tests beside the code they test, hostile input, end-to-end scripts.
# Exit status 77 means skipped: what the test needs is not on this machine.
option(IOLITE_LONG_TESTS "Register the long campaigns too (label: long)" OFF)

find_path(CMOCKA_INCLUDE cmocka.h REQUIRED)
find_library(CMOCKA_LIBRARY cmocka REQUIRED)
mark_as_advanced(CMOCKA_INCLUDE CMOCKA_LIBRARY)

# The logs of real runs are not part of the project; tests that want them look here and skip without.
if(DEFINED ENV{IOLITE_CORPUS})
  set(iolite_corpus $ENV{IOLITE_CORPUS})
else()
  get_filename_component(iolite_corpus ${PROJECT_SOURCE_DIR}/../shared/corpus ABSOLUTE)
endif()
set(iolite_seeds ${CMAKE_BINARY_DIR}/seeds)
set(iolite_test_environment
  IOLITE_CORPUS=${iolite_corpus} IOLITE_SEEDS=${iolite_seeds} IOLITE_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
  IOLITE_TOOLS=${CMAKE_BINARY_DIR}/tests)

# Test code keeps its assertions in every build type.
function(iolite_test_code target)
  target_compile_options(${target} PRIVATE -UNDEBUG)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endfunction()

# Unit tests are compiled more often than they run.
# There are more than a hundred, and each is linked with most of the product: a linker that is quick at it halves that.
find_program(IOLITE_QUICK_LINKER NAMES ld.lld ld.gold)
mark_as_advanced(IOLITE_QUICK_LINKER)
function(iolite_unit_test target)
  iolite_test_code(${target})
  if(IOLITE_SANITIZE)
    return()
  endif()
  target_compile_options(${target} PRIVATE -O0)
  if(IOLITE_QUICK_LINKER AND NOT CMAKE_CROSSCOMPILING) # it is this processor's
    get_filename_component(linker ${IOLITE_QUICK_LINKER} NAME)
    string(REPLACE "ld." "" linker ${linker})
    target_link_options(${target} PRIVATE -fuse-ld=${linker})
  endif()
endfunction()

# Every test comes through here: no test may hang, and none may meet another in the directory for temporary files.
set(iolite_limit 900) # seconds, enough on a machine that has much else to do; checked code takes longer
if(IOLITE_SANITIZE)
  set(iolite_limit 1800)
endif()
function(iolite_register name label command)
  if(TARGET ${command})
    set(command $<TARGET_FILE:${command}>)
  endif()
  add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/support/private_tmp.sh ${command} ${ARGN})
  set_tests_properties(${name} PROPERTIES
    LABELS ${label} SKIP_RETURN_CODE 77 TIMEOUT ${iolite_limit} ENVIRONMENT "${iolite_test_environment}")
endfunction()

# What tests are made of: synthetic logs, and a reader of everything in them.
set(iolite_support_sources)
foreach(part custommaker dialectmaker oldmaker runmaker demo seeds frame read_all generate checklist load scratch)
  list(APPEND iolite_support_sources ${PROJECT_SOURCE_DIR}/tests/support/${part}.c)
endforeach()
add_library(iolite_test_support STATIC ${iolite_support_sources})
iolite_test_code(iolite_test_support)
target_link_libraries(iolite_test_support PUBLIC iolite_log_maker)
set_target_properties(make-centre PROPERTIES EXCLUDE_FROM_ALL OFF)

add_executable(make-seeds ${PROJECT_SOURCE_DIR}/tests/support/make_seeds.c ${PROJECT_SOURCE_DIR}/tests/lustre/blobs.c)
iolite_test_code(make-seeds)
target_link_libraries(make-seeds PRIVATE iolite_test_support)
iolite_register(seeds unit make-seeds ${iolite_seeds})
set_tests_properties(seeds PROPERTIES FIXTURES_SETUP seeds)

# Tools of the scripts: a generator of logs and a stop-watch, for measurements too; a checker of what was written; a
# searcher for what should not be there any more.
add_executable(genlog ${PROJECT_SOURCE_DIR}/bench/genlog.c)
add_executable(measure ${PROJECT_SOURCE_DIR}/bench/measure.c)
add_executable(checklist ${PROJECT_SOURCE_DIR}/tests/support/checklist_main.c)
add_executable(leaks ${PROJECT_SOURCE_DIR}/tests/support/leaks.c)
add_executable(make-runs ${PROJECT_SOURCE_DIR}/tests/support/make_runs.c)
add_executable(make-old ${PROJECT_SOURCE_DIR}/tests/support/make_old.c)
add_executable(make-workflow ${PROJECT_SOURCE_DIR}/tests/support/make_workflow.c)
add_executable(make-series ${PROJECT_SOURCE_DIR}/tests/support/make_series.c)
add_library(killer MODULE ${PROJECT_SOURCE_DIR}/tests/support/killer.c)
set_target_properties(killer PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_compile_options(killer PRIVATE -fvisibility=default)
foreach(tool genlog measure checklist leaks make-runs make-old make-workflow make-series)
  iolite_test_code(${tool})
  target_link_libraries(${tool} PRIVATE iolite_test_support)
endforeach()
target_link_libraries(make-series PRIVATE iolite_site iolite_commands m)

add_library(iolite_unit_support STATIC
  ${PROJECT_SOURCE_DIR}/tests/support/opened.c ${PROJECT_SOURCE_DIR}/tests/support/merging.c
  ${PROJECT_SOURCE_DIR}/tests/support/plainlog.c)
iolite_test_code(iolite_unit_support)
target_include_directories(iolite_unit_support SYSTEM PUBLIC ${CMOCKA_INCLUDE})
target_link_libraries(iolite_unit_support PUBLIC iolite_test_support ${CMOCKA_LIBRARY})

# One program for each x_test.c beside x.c. Tests of the commands may call them.
set(iolite_tested_parts base schema text record log insight report site mcp live serve cmds)
list(TRANSFORM iolite_tested_parts APPEND /*_test.c)
file(GLOB_RECURSE iolite_unit_tests CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR} ${iolite_tested_parts})
foreach(source IN LISTS iolite_unit_tests)
  string(REGEX REPLACE "_test\\.c$" "" name ${source})
  string(REPLACE "/" "_" target ${name}_test)
  add_executable(${target} ${PROJECT_SOURCE_DIR}/${source})
  iolite_unit_test(${target})
  target_link_libraries(${target} PRIVATE iolite_unit_support)
  if(source MATCHES "^insight/")
    target_link_libraries(${target} PRIVATE iolite_insight)
  endif()
  if(source MATCHES "^site/")
    target_link_libraries(${target} PRIVATE iolite_site)
  endif()
  if(source MATCHES "^(text|report|serve|cmds|live|site/connect|site/series|site/analyze)/")
    target_link_libraries(${target} PRIVATE iolite_commands)
  endif()
  iolite_register(${name} unit ${target})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED seeds)
endforeach()

# Damaged and malicious logs, and a machine without memory to read them.
foreach(name mutate memory allocation)
  add_executable(${name}_test ${PROJECT_SOURCE_DIR}/tests/hostile/${name}_test.c)
  iolite_test_code(${name}_test)
  target_link_libraries(${name}_test PRIVATE iolite_test_support)
  iolite_register(hostile/${name} hostile ${name}_test)
endforeach()
target_link_options(allocation_test PRIVATE -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup)
set_target_properties(allocation_test PROPERTIES IOLITE_SHARED_LIBRARIES ON)
if(IOLITE_LONG_TESTS)
  iolite_register(hostile/mutate-long long mutate_test --long)
  set_tests_properties(hostile/mutate-long PROPERTIES TIMEOUT 14400)
endif()

# Whole programs, driven by scripts.
file(GLOB iolite_scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/e2e/*.sh)
foreach(script IN LISTS iolite_scripts)
  get_filename_component(name ${script} NAME_WE)
  iolite_register(e2e/${name} e2e ${script})
  set_tests_properties(e2e/${name} PROPERTIES FIXTURES_REQUIRED seeds WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endforeach()

# Each line of SECURITY.md, as two ordinary users.
file(GLOB iolite_security CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/security/*.sh)
foreach(script IN LISTS iolite_security)
  get_filename_component(name ${script} NAME_WE)
  iolite_register(security/${name} security ${script})
  set_tests_properties(security/${name} PROPERTIES FIXTURES_REQUIRED seeds)
endforeach()
# Other libraries and tools that wrap the same calls.
file(GLOB iolite_neighbours CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/neighbours/*.sh)
foreach(script IN LISTS iolite_neighbours)
  cmake_path(GET script STEM name)
  iolite_register(neighbours/${name} neighbours ${script})
  set_tests_properties(neighbours/${name} PROPERTIES FIXTURES_REQUIRED seeds)
endforeach()
if(IOLITE_LONG_TESTS)
  iolite_register(e2e/bundle-kills long ${CMAKE_COMMAND} -E env IOLITE_KILLS=50 IOLITE_DAMAGES=100
    ${PROJECT_SOURCE_DIR}/tests/e2e/bundles.sh)
  set_tests_properties(e2e/bundle-kills PROPERTIES FIXTURES_REQUIRED seeds TIMEOUT 1800)
  iolite_register(e2e/index-kills long ${CMAKE_COMMAND} -E env IOLITE_KILLS=50 ${PROJECT_SOURCE_DIR}/tests/e2e/index_faults.sh)
  set_tests_properties(e2e/index-kills PROPERTIES FIXTURES_REQUIRED seeds TIMEOUT 1800)
  foreach(server postgresql clickhouse)
    iolite_register(e2e/stores-${server}-kills long ${CMAKE_COMMAND} -E env IOLITE_KILLS=50 IOLITE_SERVER_KILLS=10
      IOLITE_STORE_LOGS=2000 IOLITE_STORE_SECONDS=4 ${PROJECT_SOURCE_DIR}/tests/e2e/stores_${server}.sh)
    set_tests_properties(e2e/stores-${server}-kills PROPERTIES FIXTURES_REQUIRED seeds TIMEOUT 3600)
    iolite_register(e2e/stores-${server}-centre long ${CMAKE_COMMAND} -E env IOLITE_KILLS=0 IOLITE_SERVER_KILLS=0
      IOLITE_STORE_LOGS=20000 ${PROJECT_SOURCE_DIR}/tests/e2e/stores_${server}.sh)
    set_tests_properties(e2e/stores-${server}-centre PROPERTIES FIXTURES_REQUIRED seeds TIMEOUT 3600)
  endforeach()
endif()

# Real logs against the reference's text.
add_executable(golden_test ${PROJECT_SOURCE_DIR}/tests/golden/golden_test.c)
iolite_test_code(golden_test)
target_link_libraries(golden_test PRIVATE iolite_flags ZLIB::ZLIB)
iolite_register(golden golden golden_test ${CMAKE_RUNTIME_OUTPUT_DIRECTORY} ${iolite_corpus})
