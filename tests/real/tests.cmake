# Programs of others, plain and recorded (tests/real): a few by default, all with the long tests. Each script says what it
# needs, and skips without. They have no sanitizer in them. To be included after campaigns.cmake.
function(iolite_real name label script)
  iolite_campaign(real/${name} ${label} ${PROJECT_SOURCE_DIR}/tests/real/${script}.sh ${ARGN})
endfunction()

iolite_real(cpython real cpython)
iolite_real(fio real fio)
if(IOLITE_LONG_TESTS)
  iolite_real(cpython-long long cpython all)
  iolite_real(fio-long long fio all)
  foreach(name postgres redis nginx languages)
    iolite_real(${name} long ${name})
  endforeach()
  set_tests_properties(real/cpython-long PROPERTIES TIMEOUT 5400)
  set_tests_properties(real/fio-long PROPERTIES TIMEOUT 1800)
endif()
