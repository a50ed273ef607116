# MPI-IO, and files under MPI: programs that know what they did, built with every MPI that is here. io.sh runs one of
# them on so many ranks and compares. Fortran and C++ are tested where that MPI has compilers for them.
set(iolite_mpi_warnings -Wall -Wextra -Wshadow -Wconversion ${iolite_strict} -O0)

# iolite_mpi_program(abi name compiler source flags...)
function(iolite_mpi_program abi name compiler source)
  set(program ${CMAKE_BINARY_DIR}/tests/mpi-${abi}/${name})
  file(GLOB parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/mpi/*.h ${PROJECT_SOURCE_DIR}/tests/mpi/*.inc)
  add_custom_command(OUTPUT ${program}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/tests/mpi-${abi}
    COMMAND ${compiler} ${ARGN} -I${PROJECT_SOURCE_DIR} -o ${program} ${source}
    DEPENDS ${source} ${parts}
    COMMENT "Building ${name} with ${abi}" VERBATIM)
  add_custom_target(mpi-${abi}-${name} ALL DEPENDS ${program})
endfunction()

# An MPI's compiler is a script that may be there without the compiler that it calls.
function(iolite_works result compiler)
  execute_process(COMMAND ${compiler} --version RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  set(${result} OFF PARENT_SCOPE)
  if(status EQUAL 0)
    set(${result} ON PARENT_SCOPE)
  endif()
endfunction()

# iolite_mpi_test(abi program ranks [test name])
function(iolite_mpi_test abi name ranks)
  set(test mpi/${name}-${abi}-${ranks})
  if(ARGN)
    set(test mpi/${ARGN}-${abi})
  endif()
  separate_arguments(launcher UNIX_COMMAND "${IOLITE_MPIRUN_${abi}}")
  iolite_register(${test} mpi ${PROJECT_SOURCE_DIR}/tests/mpi/io.sh
    ${CMAKE_BINARY_DIR}/tests/mpi-${abi}/${name} ${ranks} ${launcher})
  set_tests_properties(${test} PROPERTIES FIXTURES_REQUIRED seeds)
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${IOLITE_MPI_ENVIRONMENT})
endfunction()

foreach(abi IN LISTS IOLITE_MPIS)
  foreach(name io_sweep io_large io_odd io_threads job stdio_shared access_sizes aborts deaths names_only)
    iolite_mpi_program(${abi} ${name} ${IOLITE_MPICC_${abi}} ${PROJECT_SOURCE_DIR}/tests/mpi/${name}.c
      -std=gnu11 ${iolite_mpi_warnings} -Wno-stringop-overflow -pthread)
  endforeach()
  foreach(ranks 1 2 5)
    iolite_mpi_test(${abi} io_sweep ${ranks})
  endforeach()
  if(IOLITE_LONG_TESTS)
    iolite_mpi_test(${abi} io_sweep 32)
    set_tests_properties(mpi/io_sweep-${abi}-32 PROPERTIES TIMEOUT 1200)
  endif()
  iolite_mpi_test(${abi} io_large 2 bytes_beyond_2_gib)
  foreach(name io_odd io_threads stdio_shared access_sizes)
    iolite_mpi_test(${abi} ${name} 4)
  endforeach()

  separate_arguments(launcher UNIX_COMMAND "${IOLITE_MPIRUN_${abi}}")
  foreach(name job aborts deaths names_only)
    iolite_register(mpi/${name}-${abi} mpi ${PROJECT_SOURCE_DIR}/tests/mpi/${name}.sh
      ${CMAKE_BINARY_DIR}/tests/mpi-${abi}/${name} ${launcher})
    set_tests_properties(mpi/${name}-${abi} PROPERTIES FIXTURES_REQUIRED seeds)
    set_property(TEST mpi/${name}-${abi} APPEND PROPERTY ENVIRONMENT ${IOLITE_MPI_ENVIRONMENT})
  endforeach()

  get_filename_component(bin ${IOLITE_MPICC_${abi}} DIRECTORY)
  find_program(IOLITE_MPICXX_${abi} NAMES mpicxx.${abi} HINTS ${bin})
  find_program(IOLITE_MPIFORT_${abi} NAMES mpif90.${abi} HINTS ${bin})
  mark_as_advanced(IOLITE_MPICXX_${abi} IOLITE_MPIFORT_${abi})
  iolite_works(cxx ${IOLITE_MPICXX_${abi}})
  iolite_works(fortran ${IOLITE_MPIFORT_${abi}})
  if(cxx)
    foreach(name io_cxx io_throws no_io)
      iolite_mpi_program(${abi} ${name} ${IOLITE_MPICXX_${abi}} ${PROJECT_SOURCE_DIR}/tests/mpi/${name}.cc
        -std=c++14 -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX ${iolite_mpi_warnings})
      iolite_mpi_test(${abi} ${name} 4)
    endforeach()
  endif()
  if(fortran)
    foreach(source io_fortran77.f io_fortran90.f90 io_fortran08.f90)
      get_filename_component(name ${source} NAME_WE)
      iolite_mpi_program(${abi} ${name} ${IOLITE_MPIFORT_${abi}} ${PROJECT_SOURCE_DIR}/tests/mpi/${source} -O0)
      iolite_mpi_test(${abi} ${name} 4)
    endforeach()
  else()
    list(APPEND IOLITE_LEFT_OUT "mpif90.${abi}: MPI-IO from Fortran is not tested with it")
  endif()
endforeach()
