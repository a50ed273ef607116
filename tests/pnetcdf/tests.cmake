# Tests of what is recorded of PnetCDF, with the PnetCDF and the MPI that it was built for. A process alone, and ranks.
add_library(pnetcdf_without_mpi SHARED ${PROJECT_SOURCE_DIR}/tests/pnetcdf/without_mpi.c)
add_executable(pnetcdf_without_mpi_main ${PROJECT_SOURCE_DIR}/tests/pnetcdf/without_mpi_main.c)
target_compile_options(pnetcdf_without_mpi PRIVATE -fvisibility=default)
target_link_libraries(pnetcdf_without_mpi_main PRIVATE pnetcdf_without_mpi)
iolite_hazard_code(pnetcdf_without_mpi)
iolite_hazard_code(pnetcdf_without_mpi_main)
set_target_properties(pnetcdf_without_mpi pnetcdf_without_mpi_main PROPERTIES OUTPUT_NAME without_mpi
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/pnetcdf LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/pnetcdf)

find_path(IOLITE_PNETCDF_INCLUDE pnetcdf.h)
find_library(IOLITE_PNETCDF_LIBRARY pnetcdf)
mark_as_advanced(IOLITE_PNETCDF_INCLUDE IOLITE_PNETCDF_LIBRARY)
if(NOT IOLITE_PNETCDF_INCLUDE OR NOT IOLITE_PNETCDF_LIBRARY OR NOT IOLITE_MPI_LIBRARY_openmpi)
  list(APPEND IOLITE_LEFT_OUT "PnetCDF and Open MPI: no test of what is recorded of PnetCDF")
  return()
endif()

foreach(program forms files)
  add_executable(pnetcdf_${program}
    ${PROJECT_SOURCE_DIR}/tests/pnetcdf/${program}.c ${PROJECT_SOURCE_DIR}/tests/pnetcdf/expect.c)
  iolite_hazard_code(pnetcdf_${program})
  target_include_directories(pnetcdf_${program} SYSTEM PRIVATE ${IOLITE_PNETCDF_INCLUDE} ${IOLITE_MPI_FOLDERS_openmpi})
  target_link_libraries(pnetcdf_${program} PRIVATE ${IOLITE_PNETCDF_LIBRARY} ${IOLITE_MPI_LIBRARY_openmpi})
  set_target_properties(pnetcdf_${program} PROPERTIES OUTPUT_NAME ${program}
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/pnetcdf)
endforeach()
foreach(ranks 1 2)
  iolite_register(pnetcdf/${ranks} mpi
    ${PROJECT_SOURCE_DIR}/tests/pnetcdf/pnetcdf.sh ${ranks} "${IOLITE_MPIRUN_openmpi}")
  set_tests_properties(pnetcdf/${ranks} PROPERTIES FIXTURES_REQUIRED seeds
    ENVIRONMENT "${iolite_test_environment};${IOLITE_MPI_ENVIRONMENT}")
endforeach()
