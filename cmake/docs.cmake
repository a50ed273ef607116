# The generator of docs/counters.md and docs/settings.md, and the example that the documentation shows.
add_executable(iolite-docgen ${PROJECT_SOURCE_DIR}/docs/generate.c)
target_link_libraries(iolite-docgen PRIVATE iolite-log-static)

if(IOLITE_TESTS)
  add_executable(read-log ${PROJECT_SOURCE_DIR}/examples/read_log.c)
  target_link_libraries(read-log PRIVATE iolite_flags iolite-log)
  set_target_properties(read-log PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/examples)
  iolite_register(example e2e read-log ${iolite_seeds}/demo.darshan)
  set_tests_properties(example PROPERTIES FIXTURES_REQUIRED seeds)
endif()
