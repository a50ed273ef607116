# Campaigns against the runtime: programs killed at every kind of moment, and a runtime whose own calls fail one after
# the other. To be included after tests.cmake and bench.cmake.
iolite_ordinary_program(kill-worker tests/kill/worker.c)
target_sources(kill-worker PRIVATE ${PROJECT_SOURCE_DIR}/tests/kill/truth.c)
iolite_ordinary_program(kill-at tests/kill/kill_at.c)
iolite_ordinary_program(faults-small tests/faults/small.c)
iolite_ordinary_program(faults-full tests/faults/full.c)

add_executable(kill-verify ${PROJECT_SOURCE_DIR}/tests/kill/verify.c ${PROJECT_SOURCE_DIR}/tests/kill/truth.c)
iolite_test_code(kill-verify)
target_link_libraries(kill-verify PRIVATE iolite-log-static)

function(iolite_campaign name label)
  iolite_register(${name} ${label} ${ARGN})
  set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED seeds WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  if(IOLITE_SANITIZE) # our commands are traced here, which the search for leaks does not stand
    set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
  endif()
endfunction()

iolite_campaign(kill kill ${PROJECT_SOURCE_DIR}/tests/kill/campaign.sh 20 1)
foreach(program small cat python)
  foreach(how preloaded run)
    iolite_campaign(faults/${program}-${how} faults ${PROJECT_SOURCE_DIR}/tests/faults/campaign.sh 40 ${program} ${how})
    if(IOLITE_LONG_TESTS)
      iolite_campaign(faults-long/${program}-${how} long
        ${PROJECT_SOURCE_DIR}/tests/faults/campaign.sh 1000 ${program} ${how})
      set_tests_properties(faults-long/${program}-${how} PROPERTIES TIMEOUT 3600)
    endif()
  endforeach()
endforeach()
iolite_campaign(full faults ${PROJECT_SOURCE_DIR}/tests/faults/full.sh 9)
iolite_campaign(kill-every-step kill ${PROJECT_SOURCE_DIR}/tests/kill/every_step.sh)
if(IOLITE_LONG_TESTS)
  iolite_campaign(kill-long long ${PROJECT_SOURCE_DIR}/tests/kill/campaign.sh 200 2)
  iolite_campaign(full-long long ${PROJECT_SOURCE_DIR}/tests/faults/full.sh 1)
  set_tests_properties(kill-long full-long PROPERTIES TIMEOUT 7200)
endif()

# Two threads that meet at the worst moment: those that pass the places named wait there (iol__race), so that what needs
# a busy machine and luck happens every time.
function(iolite_race hazard number places)
  iolite_register(races/${hazard}_${number} faults hazard-driver ${iolite_hazard_programs}/${hazard}
    ${iolite_hazards}/${hazard}.c)
  set_property(TEST races/${hazard}_${number} APPEND PROPERTY ENVIRONMENT "IOL_RACE=${places}"
    IOLITE_LIBRARY=${CMAKE_BINARY_DIR}/tests/libiolite-faults.so)
endfunction()
iolite_race(fork_child_threads_first record "record=5 woken=2")
iolite_race(fork_child_threads_first reset "reset=3")
iolite_race(fork_child_threads_first ours "ours=3")
iolite_race(fork_child_threads_first heat "heat=3 woken=1")
iolite_race(fork_in_handler update "update=1")

# The same by luck, on a machine that is kept busy.
iolite_campaign(forks faults ${PROJECT_SOURCE_DIR}/tests/faults/forks.sh 3 200 0)
if(IOLITE_LONG_TESTS)
  iolite_campaign(forks-long long ${PROJECT_SOURCE_DIR}/tests/faults/forks.sh 1000 20 20)
  set_tests_properties(forks-long PROPERTIES TIMEOUT 14400)
  iolite_campaign(site-series-long long ${PROJECT_SOURCE_DIR}/tests/e2e/site_series.sh --long)
  set_tests_properties(site-series-long PROPERTIES TIMEOUT 7200)
  iolite_campaign(serve-long long ${PROJECT_SOURCE_DIR}/tests/e2e/serve.sh --long)
  set_tests_properties(serve-long PROPERTIES TIMEOUT 3600)
endif()

# The same with MPI jobs, for every MPI that is here.
foreach(abi IN LISTS IOLITE_MPIS)
  set(worker ${CMAKE_BINARY_DIR}/tests/mpi-worker.${abi})
  add_custom_command(OUTPUT ${worker}
    COMMAND ${IOLITE_MPICC_${abi}} -Wall -Wextra ${iolite_strict} -O1 -o ${worker} ${PROJECT_SOURCE_DIR}/tests/kill/mpi_worker.c
    DEPENDS ${PROJECT_SOURCE_DIR}/tests/kill/mpi_worker.c VERBATIM)
  add_custom_target(mpi-worker-${abi} ALL DEPENDS ${worker})
  set(full ${CMAKE_BINARY_DIR}/tests/mpi-full.${abi})
  add_custom_command(OUTPUT ${full}
    COMMAND ${IOLITE_MPICC_${abi}} -Wall -Wextra ${iolite_strict} -O1 -DWITH_MPI -o ${full}
      ${PROJECT_SOURCE_DIR}/tests/faults/full.c
    DEPENDS ${PROJECT_SOURCE_DIR}/tests/faults/full.c VERBATIM)
  add_custom_target(mpi-full-${abi} ALL DEPENDS ${full})
  iolite_campaign(full-${abi} faults ${PROJECT_SOURCE_DIR}/tests/faults/full.sh 31 ${IOLITE_MPIRUN_${abi}} ${full})
  iolite_campaign(kill-${abi} kill ${PROJECT_SOURCE_DIR}/tests/kill/mpi_kill.sh ${IOLITE_MPIRUN_${abi}} ${worker} 10)
  if(IOLITE_LONG_TESTS)
    iolite_campaign(kill-${abi}-long long
      ${PROJECT_SOURCE_DIR}/tests/kill/mpi_kill.sh ${IOLITE_MPIRUN_${abi}} ${worker} 100 2)
    set_tests_properties(kill-${abi}-long PROPERTIES TIMEOUT 7200)
  endif()
endforeach()

# Jobs of a batch system that is started for the purpose.
set(iolite_workers ${CMAKE_BINARY_DIR}/tests/mpi-worker.openmpi ${CMAKE_BINARY_DIR}/tests/mpi-worker.mpich)
iolite_campaign(slurm slurm ${PROJECT_SOURCE_DIR}/tests/slurm/slurm.sh ${iolite_workers})
iolite_campaign(slurm-everybody slurm ${PROJECT_SOURCE_DIR}/tests/slurm/everybody.sh ${iolite_workers})
if(IOLITE_LONG_TESTS)
  iolite_campaign(slurm-long long ${PROJECT_SOURCE_DIR}/tests/slurm/slurm.sh ${iolite_workers} long)
  iolite_campaign(slurm-everybody-long long ${PROJECT_SOURCE_DIR}/tests/slurm/everybody.sh ${iolite_workers} long)
  set_tests_properties(slurm-long slurm-everybody-long PROPERTIES TIMEOUT 1800)
endif()
