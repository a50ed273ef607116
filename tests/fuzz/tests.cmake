# Fuzzers, one for each way into the reader, in ${CMAKE_BINARY_DIR}/fuzz. They need clang, and compile the reader once
# more with its instrumentation. Start one with the inputs that make-seeds writes:
#   build/fuzz/names -max_total_time=60 corpus-names build/seeds/fuzz/names
if(NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
  message(FATAL_ERROR "IOLITE_FUZZ needs clang: configure with -DCMAKE_C_COMPILER=clang")
endif()
if(NOT IOLITE_TESTS)
  message(FATAL_ERROR "IOLITE_FUZZ needs the test support: configure with -DIOLITE_TESTS=ON")
endif()

set(iolite_fuzz_flags -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -g -O1 -UNDEBUG)

add_library(iolite_fuzzed STATIC ${iolite_log_sources} ${iolite_log_maker_sources}
  ${iolite_support_sources})
target_compile_options(iolite_fuzzed PRIVATE -fsanitize=fuzzer-no-link ${iolite_fuzz_flags})
target_link_libraries(iolite_fuzzed PUBLIC iolite_flags ${iolite_log_libraries} m)
foreach(dependency LIBDEFLATE BZIP2 ZSTD)
  target_compile_definitions(iolite_fuzzed PRIVATE IOL_HAVE_${dependency}=${IOLITE_HAVE_${dependency}})
endforeach()

function(iolite_fuzzer name target)
  set(source fuzz_log)
  if(ARGC GREATER 2)
    set(source ${ARGV2})
  endif()
  add_executable(fuzz_${name} ${PROJECT_SOURCE_DIR}/tests/fuzz/${source}.c)
  target_compile_definitions(fuzz_${name} PRIVATE IOL_FUZZ_TARGET=${target})
  target_compile_options(fuzz_${name} PRIVATE -fsanitize=fuzzer ${iolite_fuzz_flags})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(fuzz_${name} PRIVATE iolite_fuzzed)
  set_target_properties(fuzz_${name} PROPERTIES
    OUTPUT_NAME ${name} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzz)
endfunction()

iolite_fuzzer(open FRAME_OPEN)
iolite_fuzzer(names FRAME_NAMES)
iolite_fuzzer(job FRAME_JOB)
iolite_fuzzer(mapped FRAME_MAPPED)
iolite_fuzzer(trailer FRAME_TRAILER)
iolite_fuzzer(archive FRAME_ARCHIVE)
iolite_fuzzer(convert FRAME_CONVERT fuzz_convert)
iolite_fuzzer(merge FRAME_MERGE fuzz_merge)
iolite_fuzzer(bundle FRAME_OPEN fuzz_bundle)
iolite_fuzzer(old FRAME_OPEN fuzz_old)
iolite_fuzzer(dialect FRAME_OPEN fuzz_dialect)
foreach(slot POSIX MPIIO H5F H5D PNETCDF_FILE PNETCDF_VAR BGQ LUSTRE STDIO DXT_POSIX DXT_MPIIO MDHIM APXC APMPI
        HEATMAP DFS DAOS)
  string(TOLOWER records-${slot} name)
  string(REPLACE "_" "-" name ${name})
  iolite_fuzzer(${name} "(FRAME_RECORDS + LM_${slot})")
endforeach()

# Lustre's layouts: any bytes as the attribute of a file.
iolite_fuzzer(layout FRAME_OPEN fuzz_layout)
target_sources(fuzz_layout PRIVATE ${PROJECT_SOURCE_DIR}/runtime/lustre/layout.c)

# Lines of code: any bytes as their records, and any bytes as the programs whose names are looked for.
iolite_fuzzer(where FRAME_OPEN fuzz_where)
file(COPY ${PROJECT_SOURCE_DIR}/tests/fuzz/where/ DESTINATION ${CMAKE_BINARY_DIR}/seeds/fuzz/where)
iolite_fuzzer(symbols FRAME_OPEN fuzz_symbols)
foreach(file elf_symbols libdw symbols)
  target_sources(fuzz_symbols PRIVATE ${PROJECT_SOURCE_DIR}/cmds/where/${file}.c)
endforeach()
target_link_libraries(fuzz_symbols PRIVATE ${CMAKE_DL_LIBS})
add_custom_command(TARGET fuzz_symbols POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/seeds/fuzz/symbols
  COMMAND sh ${PROJECT_SOURCE_DIR}/tests/fuzz/symbols_seed.sh ${CMAKE_C_COMPILER}
    ${CMAKE_BINARY_DIR}/seeds/fuzz/symbols/program VERBATIM)

# The diagnosis: any bytes as rules, any bytes as a log. They begin with the built-in rules and the mapped logs.
add_library(iolite_fuzzed_insight STATIC ${iolite_insight_sources} ${iolite_text_sources} ${iolite_rule_text})
target_compile_options(iolite_fuzzed_insight PRIVATE -fsanitize=fuzzer-no-link ${iolite_fuzz_flags})
target_link_libraries(iolite_fuzzed_insight PUBLIC iolite_fuzzed)
iolite_fuzzer(rules FRAME_OPEN fuzz_rules)
iolite_fuzzer(diagnose FRAME_MAPPED fuzz_diagnose)
foreach(name rules diagnose)
  target_link_libraries(fuzz_${name} PRIVATE iolite_fuzzed_insight iolite_fuzzed)
endforeach()
iolite_fuzzer(tree FRAME_OPEN fuzz_tree)
target_sources(fuzz_tree PRIVATE ${PROJECT_SOURCE_DIR}/site/tree.c)
target_link_libraries(fuzz_tree PRIVATE iolite_fuzzed_insight iolite_fuzzed)
file(COPY ${iolite_rules} DESTINATION ${CMAKE_BINARY_DIR}/seeds/fuzz/rules)
file(CREATE_LINK mapped ${CMAKE_BINARY_DIR}/seeds/fuzz/diagnose SYMBOLIC)
file(CREATE_LINK open ${CMAKE_BINARY_DIR}/seeds/fuzz/bundle SYMBOLIC)

# Running programs: any bytes as the file that one maps.
add_library(iolite_fuzzed_live STATIC ${iolite_live_sources})
target_compile_options(iolite_fuzzed_live PRIVATE -fsanitize=fuzzer-no-link ${iolite_fuzz_flags})
target_link_libraries(iolite_fuzzed_live PUBLIC iolite_fuzzed_insight)
iolite_fuzzer(live FRAME_OPEN fuzz_live)
target_link_libraries(fuzz_live PRIVATE iolite_fuzzed_live iolite_fuzzed_insight iolite_fuzzed)

# The report: any bytes as a log. It begins with the mapped logs too.
add_library(iolite_fuzzed_report STATIC ${iolite_report_sources} ${iolite_web_source})
target_compile_options(iolite_fuzzed_report PRIVATE -fsanitize=fuzzer-no-link ${iolite_fuzz_flags})
target_link_libraries(iolite_fuzzed_report PUBLIC iolite_fuzzed_insight)
iolite_fuzzer(report FRAME_MAPPED fuzz_report)
target_link_libraries(fuzz_report PRIVATE iolite_fuzzed_report iolite_fuzzed_insight iolite_fuzzed)
file(CREATE_LINK mapped ${CMAKE_BINARY_DIR}/seeds/fuzz/report SYMBOLIC)

# Connectors to data of a site: any bytes as what a tool printed. One fuzzer each; logs and databases have their own. What stores need
# is linked, whatever it is; the parts of the house are the checked ones.
get_target_property(iolite_store_libraries iolite_site LINK_LIBRARIES)
list(FILTER iolite_store_libraries EXCLUDE REGEX "^iolite_")
add_library(iolite_fuzzed_site STATIC ${iolite_site_data_sources} ${iolite_site_sources})
target_compile_options(iolite_fuzzed_site PRIVATE -fsanitize=fuzzer-no-link ${iolite_fuzz_flags})
foreach(part iolite_site iolite_site_data)
  target_compile_definitions(iolite_fuzzed_site PRIVATE $<TARGET_PROPERTY:${part},COMPILE_DEFINITIONS>)
  target_include_directories(iolite_fuzzed_site SYSTEM PRIVATE $<TARGET_PROPERTY:${part},INCLUDE_DIRECTORIES>)
endforeach()
target_link_libraries(iolite_fuzzed_site PUBLIC iolite_fuzzed_report iolite_fuzzed_insight iolite_fuzzed ${iolite_site_data_libraries}
  ${iolite_store_libraries})
foreach(connector lctl lfs-df slurm pbs nodes collectd isdct mmperfmon globus globus-es hpss-ftp esnet prometheus job-stats
        ldms influx hpss-daily hsi md)
  iolite_fuzzer(connect-${connector} "\"${connector}\"" fuzz_connect)
  target_link_libraries(fuzz_connect-${connector} PRIVATE iolite_fuzzed_site)
  file(COPY ${PROJECT_SOURCE_DIR}/tests/fuzz/connect/${connector} DESTINATION ${CMAKE_BINARY_DIR}/seeds/fuzz/connect-${connector})
endforeach()
iolite_fuzzer(summaries FRAME_OPEN fuzz_summaries)
target_link_libraries(fuzz_summaries PRIVATE iolite_fuzzed_site)
file(COPY ${PROJECT_SOURCE_DIR}/tests/fuzz/connect/summaries DESTINATION ${CMAKE_BINARY_DIR}/seeds/fuzz/summaries)

# Assistants: any bytes as their messages.
list(FILTER iolite_mcp_sources EXCLUDE REGEX "/child\\.c$")
add_library(iolite_fuzzed_mcp STATIC ${iolite_mcp_sources} ${PROJECT_SOURCE_DIR}/tests/fuzz/mcp_no_child.c)
target_compile_options(iolite_fuzzed_mcp PRIVATE -fsanitize=fuzzer-no-link ${iolite_fuzz_flags})
target_link_libraries(iolite_fuzzed_mcp PUBLIC iolite_fuzzed_site)
iolite_fuzzer(mcp FRAME_OPEN fuzz_mcp)
target_link_libraries(fuzz_mcp PRIVATE iolite_fuzzed_mcp)
file(COPY ${PROJECT_SOURCE_DIR}/tests/fuzz/mcp/ DESTINATION ${CMAKE_BINARY_DIR}/seeds/fuzz/mcp)

# The server: any bytes as a request, on an empty index.
if(IOLITE_HAVE_SQLITE AND IOLITE_HAVE_MICROHTTPD)
  add_library(iolite_fuzzed_serve STATIC ${iolite_serve_sources})
  target_compile_options(iolite_fuzzed_serve PRIVATE -fsanitize=fuzzer-no-link ${iolite_fuzz_flags})
  target_compile_definitions(iolite_fuzzed_serve PRIVATE $<TARGET_PROPERTY:iolite_serve,COMPILE_DEFINITIONS>)
  target_include_directories(iolite_fuzzed_serve SYSTEM PRIVATE $<TARGET_PROPERTY:iolite_serve,INCLUDE_DIRECTORIES>)
  target_link_libraries(iolite_fuzzed_serve PUBLIC iolite_fuzzed_live iolite_fuzzed_mcp iolite_fuzzed_site ${MICROHTTPD_LIBRARY})
  iolite_fuzzer(serve FRAME_OPEN fuzz_serve)
  target_link_libraries(fuzz_serve PRIVATE iolite_fuzzed_serve iolite_fuzzed_site iolite_fuzzed_report iolite_fuzzed_insight)
  file(COPY ${PROJECT_SOURCE_DIR}/tests/fuzz/serve/ DESTINATION ${CMAKE_BINARY_DIR}/seeds/fuzz/serve)
  iolite_fuzzer(running FRAME_OPEN fuzz_running)
  target_link_libraries(fuzz_running PRIVATE iolite_fuzzed_serve iolite_fuzzed_site iolite_fuzzed_report iolite_fuzzed_insight)
  file(COPY ${PROJECT_SOURCE_DIR}/tests/fuzz/running/ DESTINATION ${CMAKE_BINARY_DIR}/seeds/fuzz/running)
endif()
