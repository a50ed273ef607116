# MPI's own statistics (APMPI): programs that know what they did, built with every MPI that is here, and one script that
# runs them all and compares.
set(iolite_apmpi_programs apmpi_operations apmpi_threads apmpi_killed)
foreach(abi IN LISTS IOLITE_MPIS)
  set(folder ${CMAKE_BINARY_DIR}/tests/mpi-${abi})
  set(made)
  foreach(name IN LISTS iolite_apmpi_programs)
    set(source ${PROJECT_SOURCE_DIR}/tests/mpi/${name}.c)
    add_custom_command(OUTPUT ${folder}/${name}
      COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
      COMMAND ${IOLITE_MPICC_${abi}} -std=gnu11 -Wall -Wextra -Wshadow -Wconversion ${iolite_strict} -O1 -pthread
        -I${PROJECT_SOURCE_DIR} -o ${folder}/${name} ${source}
      DEPENDS ${source} ${PROJECT_SOURCE_DIR}/schema/apmpi_operations.def
      COMMENT "Building ${name} with ${abi}" VERBATIM)
    list(APPEND made ${folder}/${name})
  endforeach()
  add_custom_target(apmpi-${abi} ALL DEPENDS ${made})
  separate_arguments(launcher UNIX_COMMAND "${IOLITE_MPIRUN_${abi}}")
  foreach(ranks 1 2 5)
    iolite_register(mpi/apmpi-${abi}-${ranks} mpi ${PROJECT_SOURCE_DIR}/tests/mpi/apmpi.sh ${ranks} ${folder}
      ${launcher})
    set_tests_properties(mpi/apmpi-${abi}-${ranks} PROPERTIES FIXTURES_REQUIRED seeds)
    set_property(TEST mpi/apmpi-${abi}-${ranks} APPEND PROPERTY ENVIRONMENT ${IOLITE_MPI_ENVIRONMENT})
  endforeach()
endforeach()
