# Programs about the life of MPI jobs, each built with every MPI that is here and run by the driver of the hazard programs
# with that MPI's launcher. Some are not linked with MPI: one loads plug.c beside it, which is, one the library itself.
set(iolite_mpilife ${PROJECT_SOURCE_DIR}/tests/mpilife)
set(iolite_mpilife_plain asked_by_handle loaded_late)
set(iolite_mpilife_plug loaded_late)

function(iolite_mpilife_program abi source)
  get_filename_component(name ${source} NAME_WE)
  if(name STREQUAL two_mpis AND NOT abi STREQUAL openmpi) # which of the two it names first is the one that it uses
    return()
  endif()
  set(program ${CMAKE_BINARY_DIR}/tests/mpilife-${abi}/${name})
  iolite_hazard_words(${source} LINK link)
  set(flags -Wall -Wextra ${iolite_strict} -D_GNU_SOURCE -O0 -I${PROJECT_SOURCE_DIR})
  set(compiler ${IOLITE_MPICC_${abi}})
  if(name IN_LIST iolite_mpilife_plain)
    set(compiler ${CMAKE_C_COMPILER})
  endif()
  set(made ${program})
  set(more)
  if(name IN_LIST iolite_mpilife_plug)
    set(more COMMAND ${IOLITE_MPICC_${abi}} ${flags} -shared -fPIC -o ${program}.plug ${iolite_mpilife}/plug.c)
    list(APPEND made ${program}.plug)
  endif()
  add_custom_command(OUTPUT ${made}
    COMMAND ${compiler} ${flags} -o ${program} ${source} ${link}
    ${more}
    DEPENDS ${source} ${iolite_mpilife}/plug.c ${iolite_mpilife}/rank.h ${PROJECT_SOURCE_DIR}/tests/hazards/hazard.h
    COMMENT "Building ${name} with ${abi}" VERBATIM)
  add_custom_target(mpilife-${abi}-${name} ALL DEPENDS ${made})
  iolite_register(mpilife/${abi}/${name} mpi hazard-driver --launcher=${IOLITE_MPIRUN_${abi}} ${program} ${source})
  set_property(TEST mpilife/${abi}/${name} APPEND PROPERTY ENVIRONMENT ${IOLITE_MPI_ENVIRONMENT}
    MPILIFE_LIBRARY=${IOLITE_MPI_LIBRARY_${abi}})
endfunction()

file(GLOB iolite_mpilife_sources CONFIGURE_DEPENDS ${iolite_mpilife}/*.c)
list(FILTER iolite_mpilife_sources EXCLUDE REGEX "/plug\\.c$")
list(LENGTH IOLITE_MPIS iolite_count)
if(iolite_count LESS 2)
  list(FILTER iolite_mpilife_sources EXCLUDE REGEX "/two_mpis\\.c$")
endif()
foreach(abi IN LISTS IOLITE_MPIS)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/tests/mpilife-${abi})
  file(CREATE_LINK ${iolite_hazard_programs}/parts ${CMAKE_BINARY_DIR}/tests/mpilife-${abi}/parts SYMBOLIC)
  foreach(source IN LISTS iolite_mpilife_sources)
    iolite_mpilife_program(${abi} ${source})
  endforeach()
endforeach()
