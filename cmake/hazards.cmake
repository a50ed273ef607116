# The hazard programs: each tests/hazards/X.c, X.cc or X.sh is one test, run by the driver beside them. What a source
# needs to be built stands in its first comment (FLAGS, LINK, PART); driver.c describes these lines.
include(CheckLanguage)
check_language(CXX)
if(CMAKE_CXX_COMPILER)
  enable_language(CXX)
endif()
set(iolite_hazards ${PROJECT_SOURCE_DIR}/tests/hazards)
set(iolite_hazard_programs ${CMAKE_BINARY_DIR}/tests/hazards)

file(GLOB iolite_driver_sources CONFIGURE_DEPENDS ${iolite_hazards}/driver*.c)
add_executable(hazard-driver ${iolite_driver_sources})
iolite_test_code(hazard-driver)
target_link_libraries(hazard-driver PRIVATE iolite-log-static)

# Programs are built alike in every build type and never sanitized: they stand for a user's program. Inlining and
# fortification change which functions are called, so a source that wants them says so.
function(iolite_hazard_code target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion -Wpointer-arith -Wundef -Wvla -Werror
    $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes;-Wmissing-prototypes> -O0 -U_FORTIFY_SOURCE ${ARGN})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
endfunction()

# Words behind a directive in the first lines of a source.
function(iolite_hazard_words source directive result)
  file(STRINGS ${source} lines LIMIT_COUNT 40 REGEX "^   ${directive} ")
  string(REGEX REPLACE "   ${directive} +|\\*/" "" words "${lines}")
  separate_arguments(words UNIX_COMMAND "${words}")
  set(${result} ${words} PARENT_SCOPE)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
endfunction()

# Libraries that the programs are linked with, load, or are preloaded with.
file(GLOB iolite_hazard_parts CONFIGURE_DEPENDS ${iolite_hazards}/parts/*.c)
foreach(source IN LISTS iolite_hazard_parts)
  cmake_path(GET source STEM name)
  add_library(hazard-part-${name} SHARED ${source})
  iolite_hazard_code(hazard-part-${name} -fvisibility=default)
  set_target_properties(hazard-part-${name} PROPERTIES
    OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${iolite_hazard_programs}/parts)
endforeach()

function(iolite_hazard source)
  cmake_path(GET source STEM name)
  if(source MATCHES "\\.sh$")
    set(program ${source})
  else()
    iolite_hazard_words(${source} FLAGS flags)
    iolite_hazard_words(${source} LINK link)
    iolite_hazard_words(${source} PART part)
    add_executable(hazard-${name} ${source})
    iolite_hazard_code(hazard-${name} ${flags})
    set_target_properties(hazard-${name} PROPERTIES
      OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${iolite_hazard_programs})
    target_link_libraries(hazard-${name} PRIVATE ${link})
    foreach(library IN LISTS part)
      target_link_libraries(hazard-${name} PRIVATE hazard-part-${library})
    endforeach()
    set(program ${iolite_hazard_programs}/${name})
  endif()
  iolite_register(hazards/${name} hazards hazard-driver ${program} ${source})
  if(IOLITE_SANITIZE) # one of them puts another library into our commands
    set_property(TEST hazards/${name} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=verify_asan_link_order=0)
  endif()
endfunction()

file(GLOB iolite_hazard_sources CONFIGURE_DEPENDS ${iolite_hazards}/*.c ${iolite_hazards}/*.sh)
list(FILTER iolite_hazard_sources EXCLUDE REGEX "/driver[^/]*$")
if(CMAKE_CXX_COMPILER)
  file(GLOB iolite_hazard_cxx CONFIGURE_DEPENDS ${iolite_hazards}/*.cc)
  list(APPEND iolite_hazard_sources ${iolite_hazard_cxx})
endif()
foreach(source IN LISTS iolite_hazard_sources)
  iolite_hazard(${source})
endforeach()
