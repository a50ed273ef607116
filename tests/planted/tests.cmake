# The planted programs: each tests/planted/X.c, X.py or X.sh has one sin of I/O, or none, and is one test: what does
# `iolite diagnose` say of it? judge.sh runs it and describes the lines of its first comment.
set(iolite_planted ${PROJECT_SOURCE_DIR}/tests/planted)
set(iolite_planted_programs ${CMAKE_BINARY_DIR}/tests/planted)

# What follows LIBRARY: a header, and names that its library may have. Sets both results to nothing without them.
function(iolite_planted_library source include_result library_result)
  file(STRINGS ${source} line LIMIT_COUNT 20 REGEX "^   LIBRARY ")
  string(REGEX REPLACE "   LIBRARY +|\\*/" "" words "${line}")
  separate_arguments(words UNIX_COMMAND "${words}")
  list(POP_FRONT words header)
  string(MAKE_C_IDENTIFIER "IOLITE_PLANTED_${header}" cache)
  find_path(${cache}_INCLUDE ${header} PATH_SUFFIXES hdf5/serial)
  find_library(${cache}_LIBRARY NAMES ${words})
  mark_as_advanced(${cache}_INCLUDE ${cache}_LIBRARY)
  set(${include_result} ${${cache}_INCLUDE} PARENT_SCOPE)
  set(${library_result} ${${cache}_LIBRARY} PARENT_SCOPE)
endfunction()

# A program whose library is not here is not built, and its test says "skipped".
function(iolite_planted_build source name)
  file(STRINGS ${source} line LIMIT_COUNT 20 REGEX "^   LIBRARY ")
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  if(line)
    iolite_planted_library(${source} include library)
    if(NOT include OR NOT library)
      return()
    endif()
  endif()
  add_executable(planted-${name} ${source})
  iolite_hazard_code(planted-${name})
  set_target_properties(planted-${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${iolite_planted_programs})
  target_include_directories(planted-${name} SYSTEM PRIVATE ${include})
  target_link_libraries(planted-${name} PRIVATE ${library})
endfunction()

file(GLOB iolite_planted_sources CONFIGURE_DEPENDS
  ${iolite_planted}/*.c ${iolite_planted}/*.py ${iolite_planted}/*.sh)
list(REMOVE_ITEM iolite_planted_sources ${iolite_planted}/judge.sh)
foreach(source IN LISTS iolite_planted_sources)
  get_filename_component(name ${source} NAME_WE)
  set(program ${source})
  if(source MATCHES "\\.c$")
    set(program ${iolite_planted_programs}/${name})
    iolite_planted_build(${source} ${name})
  endif()
  iolite_register(planted/${name} planted ${iolite_planted}/judge.sh ${program} ${source})
endforeach()
