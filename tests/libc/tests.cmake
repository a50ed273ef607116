# Which C libraries can load what is loaded into programs. What they do there is tried in roots of other releases: roots.sh.
set(iolite_loaded $<TARGET_FILE:iolite-runtime> $<TARGET_FILE:iolite-faults>)
if(IOLITE_STUBS) # else the plugins are linked with their MPI
  foreach(abi IN LISTS IOLITE_MPIS)
    list(APPEND iolite_loaded $<TARGET_FILE:iolite-mpi-${abi}>)
  endforeach()
endif()
iolite_register(libc/floor unit ${PROJECT_SOURCE_DIR}/tests/libc/floor.sh "${CMAKE_C_COMPILER}" ${CMAKE_READELF} ${iolite_loaded})
