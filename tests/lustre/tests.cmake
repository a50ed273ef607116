# Tests of what is recorded of Lustre: a small file system (FUSE) serves layouts, programs use files on it.
target_sources(runtime_lustre_layout_test PRIVATE ${PROJECT_SOURCE_DIR}/tests/lustre/blobs.c)

find_path(IOLITE_FUSE_INCLUDE fuse.h PATH_SUFFIXES fuse3)
find_library(IOLITE_FUSE_LIBRARY fuse3)
mark_as_advanced(IOLITE_FUSE_INCLUDE IOLITE_FUSE_LIBRARY)
if(NOT IOLITE_FUSE_INCLUDE OR NOT IOLITE_FUSE_LIBRARY)
  list(APPEND IOLITE_LEFT_OUT "libfuse3: no test of what is recorded of Lustre")
  return()
endif()

find_package(Threads REQUIRED)
set(iolite_lustre ${PROJECT_SOURCE_DIR}/tests/lustre)
add_executable(fuse_lustre ${iolite_lustre}/fuse_lustre.c ${iolite_lustre}/blobs.c)
target_include_directories(fuse_lustre SYSTEM PRIVATE ${IOLITE_FUSE_INCLUDE})
target_link_libraries(fuse_lustre PRIVATE iolite_flags ${IOLITE_FUSE_LIBRARY})
add_executable(striped ${iolite_lustre}/striped.c)
iolite_hazard_code(striped)
target_link_libraries(striped PRIVATE Threads::Threads)
set_target_properties(fuse_lustre striped PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/lustre)
iolite_register(lustre e2e ${iolite_lustre}/lustre.sh)
set_tests_properties(lustre PROPERTIES FIXTURES_REQUIRED seeds
  ENVIRONMENT "${iolite_test_environment};MPIRUN=${IOLITE_MPIRUN_openmpi};${IOLITE_MPI_ENVIRONMENT}")

# The whole picture: Slurm with accounting, Prometheus, and a file system that counts by job.
add_executable(counting_fs ${PROJECT_SOURCE_DIR}/tests/site/counting_fs.c)
target_include_directories(counting_fs SYSTEM PRIVATE ${IOLITE_FUSE_INCLUDE})
target_link_libraries(counting_fs PRIVATE iolite_flags ${IOLITE_FUSE_LIBRARY} Threads::Threads)
set_target_properties(counting_fs PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/site)
iolite_register(site-whole slurm ${PROJECT_SOURCE_DIR}/tests/site/whole.sh ${CMAKE_BINARY_DIR}/tests/site/counting_fs)
set_tests_properties(site-whole PROPERTIES FIXTURES_REQUIRED seeds WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
