# What `./dev demo` needs beside the product: a generator of made-up centres. It is not installed, and tests and
# measurements use it too; it writes logs with the writer of the tests, which needs nothing that the product does not.
set(iolite_log_maker_sources)
foreach(part bytes logmaker logrecords)
  list(APPEND iolite_log_maker_sources ${PROJECT_SOURCE_DIR}/tests/support/${part}.c)
endforeach()
add_library(iolite_log_maker STATIC EXCLUDE_FROM_ALL ${iolite_log_maker_sources})
target_link_libraries(iolite_log_maker PUBLIC iolite-log-static)
foreach(dependency BZIP2 ZSTD)
  target_compile_definitions(iolite_log_maker PUBLIC IOL_HAVE_${dependency}=${IOLITE_HAVE_${dependency}})
  if(IOLITE_HAVE_${dependency})
    target_include_directories(iolite_log_maker SYSTEM PUBLIC ${${dependency}_INCLUDE})
  endif()
endforeach()

add_executable(make-centre EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/examples/centre/make_centre.c
  ${PROJECT_SOURCE_DIR}/examples/centre/centre.c)
target_link_libraries(make-centre PRIVATE iolite_log_maker)
set_target_properties(make-centre PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
target_compile_options(iolite_log_maker PRIVATE -UNDEBUG) # what cannot be written ends the program
target_compile_options(make-centre PRIVATE -UNDEBUG)

add_custom_target(demo)
add_dependencies(demo product make-centre)
