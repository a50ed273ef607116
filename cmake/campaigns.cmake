# Campaigns against the runtime: programs killed at every kind of moment, and a runtime whose own calls fail one after
# the other. To be included after tests.cmake and bench.cmake.
iolite_ordinary_program(kill-worker tests/kill/worker.c)
target_sources(kill-worker PRIVATE ${PROJECT_SOURCE_DIR}/tests/kill/truth.c)
iolite_ordinary_program(kill-at tests/kill/kill_at.c)
iolite_ordinary_program(faults-small tests/faults/small.c)

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
iolite_campaign(faults faults ${PROJECT_SOURCE_DIR}/tests/faults/campaign.sh 40)
if(IOLITE_LONG_TESTS)
  iolite_campaign(kill-long long ${PROJECT_SOURCE_DIR}/tests/kill/campaign.sh 200 2)
  iolite_campaign(faults-long long ${PROJECT_SOURCE_DIR}/tests/faults/campaign.sh 1000)
  set_tests_properties(kill-long faults-long PROPERTIES TIMEOUT 7200)
endif()
