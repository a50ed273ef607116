# Tests of the HDF5 modules. The unit test has a model of HDF5 and needs none; each program of tests/hdf5/programs is
# linked with the serial one and run by the driver of the hazards, whose directives stand in its first comment; scripts
# run what others have made with HDF5.
target_sources(runtime_hdf5_hdf5_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/hdf5/model.c)

set(iolite_hdf5 ${PROJECT_SOURCE_DIR}/tests/hdf5)
set(iolite_hdf5_programs ${CMAKE_BINARY_DIR}/tests/hdf5)
if(PkgConfig_FOUND AND NOT CMAKE_CROSSCOMPILING) # what it finds is this processor's
  foreach(build serial openmpi mpich)
    pkg_check_modules(IOLITE_HDF5_${build} QUIET IMPORTED_TARGET hdf5-${build})
  endforeach()
endif()

file(GLOB iolite_hdf5_parts CONFIGURE_DEPENDS ${iolite_hdf5}/parts/*.c)
foreach(source IN LISTS iolite_hdf5_parts)
  get_filename_component(name ${source} NAME_WE)
  add_library(hdf5-part-${name} SHARED ${source})
  iolite_hazard_code(hdf5-part-${name} -fvisibility=default)
  set_target_properties(hdf5-part-${name} PROPERTIES
    OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY ${iolite_hdf5_programs}/parts)
endforeach()

# With a library of parts/ instead of HDF5 (PART), or with none, where the program loads it by itself.
function(iolite_hdf5_program source)
  get_filename_component(name ${source} NAME_WE)
  iolite_hazard_words(${source} LINK link)
  iolite_hazard_words(${source} PART part)
  iolite_hazard_words(${source} FLAGS flags)
  if(NOT part AND NOT IOLITE_HDF5_serial_FOUND)
    return()
  endif()
  add_executable(hdf5-${name} ${source})
  iolite_hazard_code(hdf5-${name} ${flags})
  set_target_properties(hdf5-${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${iolite_hdf5_programs})
  target_link_libraries(hdf5-${name} PRIVATE ${link})
  if(part)
    target_link_libraries(hdf5-${name} PRIVATE hdf5-part-${part})
  elseif(NOT flags MATCHES HDF5_IS_LOADED)
    target_link_libraries(hdf5-${name} PRIVATE PkgConfig::IOLITE_HDF5_serial)
  else()
    target_include_directories(hdf5-${name} PRIVATE ${IOLITE_HDF5_serial_INCLUDE_DIRS})
  endif()
  target_compile_definitions(hdf5-${name} PRIVATE H5_USE_110_API HDF5_LIBRARY="${iolite_hdf5_library}")
  iolite_register(hdf5/${name} hdf5 hazard-driver ${iolite_hdf5_programs}/${name} ${source})
endfunction()

if(IOLITE_HDF5_serial_FOUND)
  list(GET IOLITE_HDF5_serial_LINK_LIBRARIES 0 iolite_hdf5_library)
else()
  list(APPEND IOLITE_LEFT_OUT "HDF5 (hdf5-serial): the HDF5 modules are not tested with it")
endif()
file(GLOB iolite_hdf5_sources CONFIGURE_DEPENDS ${iolite_hdf5}/programs/*.c)
foreach(source IN LISTS iolite_hdf5_sources)
  iolite_hdf5_program(${source})
endforeach()

foreach(script python tools)
  iolite_register(hdf5/${script} hdf5 ${iolite_hdf5}/${script}.sh)
  set_tests_properties(hdf5/${script} PROPERTIES FIXTURES_REQUIRED seeds WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
endforeach()

# Parallel HDF5, with each MPI that it was built for and that is here.
function(iolite_hdf5_parallel abi source)
  get_filename_component(name ${source} NAME_WE)
  set(target hdf5-${abi}-${name})
  add_executable(${target} ${source})
  iolite_hazard_code(${target})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${iolite_hdf5_programs}/${abi})
  target_link_libraries(${target} PRIVATE PkgConfig::IOLITE_HDF5_${abi})
  iolite_register(hdf5/${abi}/${name} mpi hazard-driver --launcher=${IOLITE_MPIRUN_${abi}}
    ${iolite_hdf5_programs}/${abi}/${name} ${source})
  set_property(TEST hdf5/${abi}/${name} APPEND PROPERTY ENVIRONMENT ${IOLITE_MPI_ENVIRONMENT})
endfunction()

file(GLOB iolite_hdf5_parallel_sources CONFIGURE_DEPENDS ${iolite_hdf5}/parallel/*.c)
foreach(abi IN LISTS IOLITE_MPIS)
  if(IOLITE_HDF5_${abi}_FOUND)
    foreach(source IN LISTS iolite_hdf5_parallel_sources)
      iolite_hdf5_parallel(${abi} ${source})
    endforeach()
  else()
    list(APPEND IOLITE_LEFT_OUT "HDF5 (hdf5-${abi}): parallel HDF5 is not tested with it")
  endif()
endforeach()

# Debian's parallel h5py is made for Open MPI.
if(openmpi IN_LIST IOLITE_MPIS)
  iolite_register(hdf5/openmpi/python mpi ${iolite_hdf5}/parallel_python.sh)
  set_tests_properties(hdf5/openmpi/python PROPERTIES FIXTURES_REQUIRED seeds WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  set_property(TEST hdf5/openmpi/python APPEND PROPERTY ENVIRONMENT ${IOLITE_MPI_ENVIRONMENT}
    "HDF5_LAUNCHER=${IOLITE_MPIRUN_openmpi}")
endif()
