# The planted programs: each tests/planted/X.c, X.py or X.sh has one sin of I/O, or none, and is one test: what does
# `iolite diagnose` say of it? Those of tests/planted/repaired also do the same without it. judge.sh runs them and describes the
# lines of their first comment.
set(iolite_planted ${PROJECT_SOURCE_DIR}/tests/planted)
set(iolite_planted_programs ${CMAKE_BINARY_DIR}/tests/planted)

find_program(IOLITE_FORTRAN NAMES gfortran)
mark_as_advanced(IOLITE_FORTRAN)

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

# A program whose library or compiler is not here is not built, and its test says "skipped".
function(iolite_planted_build source name)
  file(STRINGS ${source} line LIMIT_COUNT 20 REGEX "^   LIBRARY ")
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  if(line)
    iolite_planted_library(${source} include library)
    if(NOT include OR NOT library)
      return()
    endif()
  endif()
  # Fortran is compiled by a command: CMake would demand a compiler for all of the project.
  if(source MATCHES "\\.f90$")
    if(IOLITE_FORTRAN)
      add_custom_command(OUTPUT ${iolite_planted_programs}/${name} DEPENDS ${source} VERBATIM
        COMMAND ${CMAKE_COMMAND} -E make_directory ${iolite_planted_programs}
        COMMAND ${IOLITE_FORTRAN} -O2 -g -o ${iolite_planted_programs}/${name} ${source})
      add_custom_target(planted-${name} ALL DEPENDS ${iolite_planted_programs}/${name})
    endif()
    return()
  endif()
  if(source MATCHES "\\.cpp$" AND NOT CMAKE_CXX_COMPILER)
    return()
  endif()
  add_executable(planted-${name} ${source})
  iolite_hazard_code(planted-${name})
  target_compile_options(planted-${name} PRIVATE -O2 -g) # as users build, and without frame pointers
  set_target_properties(planted-${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${iolite_planted_programs})
  target_include_directories(planted-${name} SYSTEM PRIVATE ${include})
  target_link_libraries(planted-${name} PRIVATE ${library})
endfunction()

# iolite_planted_test(FOLDER SOURCE [built]): FOLDER/NAME; "built": the program is only built.
function(iolite_planted_test folder source)
  get_filename_component(name ${source} NAME_WE)
  set(program ${source})
  if(source MATCHES "\\.(c|cpp|f90)$")
    set(program ${iolite_planted_programs}/${name})
    iolite_planted_build(${source} ${name})
  endif()
  if(NOT ARGN)
    iolite_register(${folder}/${name} planted ${iolite_planted}/judge.sh ${program} ${source})
  endif()
endfunction()

file(GLOB iolite_planted_sources CONFIGURE_DEPENDS
  ${iolite_planted}/*.c ${iolite_planted}/*.py ${iolite_planted}/*.sh)
list(REMOVE_ITEM iolite_planted_sources ${iolite_planted}/judge.sh)
foreach(source IN LISTS iolite_planted_sources)
  iolite_planted_test(planted ${source})
endforeach()

# Programs that are judged with their fault and without it. One or two of each language each time, all with the long tests.
set(iolite_repaired_each_time table_row_by_row.py interpreter_for_each.py copy_in_small_pieces.c settings_by_ifstream.cpp
  opened_for_each_line.f90 sums_one_by_one.sh)
file(GLOB iolite_repaired_sources CONFIGURE_DEPENDS ${iolite_planted}/repaired/*.*)
foreach(source IN LISTS iolite_repaired_sources)
  get_filename_component(name ${source} NAME)
  set(only)
  if(NOT IOLITE_LONG_TESTS AND NOT name IN_LIST iolite_repaired_each_time)
    set(only built)
  endif()
  iolite_planted_test(repaired ${source} ${only})
endforeach()
