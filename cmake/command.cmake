# The program: a small one for `run` and as a door, one with all commands behind it, and the names under which scripts know
# the latter.
include(CheckCSourceCompiles)
iolite_part_sources(iolite_commands_sources cmds)
list(FILTER iolite_commands_sources EXCLUDE REGEX "/(iolite|front)\\.c$")
iolite_part(commands iolite_serve iolite_live iolite_mcp iolite_report iolite_site_data iolite_site iolite_insight Threads::Threads)
target_include_directories(iolite_commands SYSTEM PRIVATE ${iolite_compression_includes})
target_compile_definitions(iolite_commands PRIVATE IOLITE_VERSION="${PROJECT_VERSION}"
  IOLITE_LIBDIR="${CMAKE_INSTALL_LIBDIR}" IOLITE_DATADIR="${CMAKE_INSTALL_DATADIR}" IOLITE_INCLUDEDIR="${CMAKE_INSTALL_INCLUDEDIR}")
# Their time goes into what they call: -O2 takes a quarter longer to compile and gains nothing.
target_compile_options(iolite_commands PRIVATE $<$<CONFIG:Release>:-O1>)

# cmds/library.h says where it is.
add_executable(iolite-commands ${PROJECT_SOURCE_DIR}/cmds/iolite.c)
target_link_libraries(iolite-commands PRIVATE iolite_commands)
target_compile_definitions(iolite-commands PRIVATE IOLITE_VERSION="${PROJECT_VERSION}")
set_target_properties(iolite-commands PROPERTIES OUTPUT_NAME iolite
  RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/libexec/iolite)
if(IOLITE_INSTALL)
  install(TARGETS iolite-commands RUNTIME DESTINATION libexec/iolite/.iolite-new COMPONENT tools)
  iolite_settle(tools libexec/iolite)
endif()
add_dependencies(product iolite-commands)

# The small one starts before every program that is run. Without a dynamic loader and at a fixed address, so that there is
# nothing to relocate, that takes a quarter less. It reads what this user's processes leave, no foreign logs.
add_executable(iolite-front ${PROJECT_SOURCE_DIR}/cmds/front.c)
set_target_properties(iolite-front PROPERTIES OUTPUT_NAME iolite)
target_link_libraries(iolite-front PRIVATE iolite_commands)
add_dependencies(iolite-front iolite-commands)
iolite_install(tools iolite-front)
if(IOLITE_STATIC_COMMAND AND NOT IOLITE_SANITIZE)
  set(CMAKE_REQUIRED_LINK_OPTIONS -static)
  check_c_source_compiles("#include <stdio.h>\nint main(void) { return puts(\"\"); }" IOLITE_CAN_LINK_STATICALLY)
  unset(CMAKE_REQUIRED_LINK_OPTIONS)
  if(IOLITE_CAN_LINK_STATICALLY)
    target_link_options(iolite-front PRIVATE -static)
    include(CheckLinkerFlag)
    set(iolite_front_layout ${PROJECT_SOURCE_DIR}/cmds/front.ld)
    check_linker_flag(C "-Wl,-T,${iolite_front_layout}" IOLITE_LINKER_FRONT_LAYOUT)
    if(IOLITE_LINKER_FRONT_LAYOUT)
      target_link_options(iolite-front PRIVATE -Wl,-T,${iolite_front_layout})
      set_property(TARGET iolite-front APPEND PROPERTY LINK_DEPENDS ${iolite_front_layout})
    endif()
  endif()
endif()

foreach(name darshan-parser darshan-dxt-parser darshan-analyzer darshan-convert darshan-merge darshan-diff
    darshan-config darshan-gen-cc.pl darshan-gen-cxx.pl darshan-gen-fortran.pl
    darshan-mk-log-dirs.pl darshan-job-summary.pl darshan-summary-per-file.sh)
  add_custom_command(TARGET iolite-commands POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ../libexec/iolite/iolite ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} VERBATIM)
  iolite_put(tools ${CMAKE_INSTALL_BINDIR} FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
endforeach()

# Manual pages and completions come from the same tables as --help: the program is asked for them, which another processor's
# cannot be without an emulator.
set(iolite_man ${CMAKE_BINARY_DIR}/share/man)
set(iolite_completion ${CMAKE_BINARY_DIR}/share/completion)
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  list(APPEND IOLITE_LEFT_OUT "an emulator (CMAKE_CROSSCOMPILING_EMULATOR): no manual pages, no completion")
else()
  set(iolite_ask ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:iolite-commands> help)
  add_custom_command(TARGET iolite-commands POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${iolite_man}/man1 ${iolite_completion}
    COMMAND ${iolite_ask} --man-pages ${iolite_man}/man1
    COMMAND ${iolite_ask} --completion bash > ${iolite_completion}/iolite
    COMMAND ${iolite_ask} --completion zsh > ${iolite_completion}/_iolite
    COMMAND ${iolite_ask} --completion fish > ${iolite_completion}/iolite.fish)
  set(iolite_pages iolite.1)
  file(STRINGS ${PROJECT_SOURCE_DIR}/cmds/commands.def iolite_command_rows REGEX "^COMMAND\\(")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmds/commands.def)
  foreach(row IN LISTS iolite_command_rows)
    string(REGEX REPLACE "^[^\"]*\"([^\"]+)\".*" "\\1" name "${row}")
    if(name MATCHES "^darshan-")
      list(APPEND iolite_pages ${name}.1)
    else()
      list(APPEND iolite_pages iolite-${name}.1)
    endif()
  endforeach()
  list(TRANSFORM iolite_pages PREPEND ${iolite_man}/man1/)
  iolite_put(tools ${CMAKE_INSTALL_MANDIR}/man1 FILES ${iolite_pages})
  iolite_put(tools ${CMAKE_INSTALL_DATADIR}/bash-completion/completions FILES ${iolite_completion}/iolite)
  iolite_put(tools ${CMAKE_INSTALL_DATADIR}/zsh/site-functions FILES ${iolite_completion}/_iolite)
  iolite_put(tools ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d FILES ${iolite_completion}/iolite.fish)
endif()

# Files have their pages in docs/.
find_program(IOLITE_AWK NAMES awk gawk mawk)
mark_as_advanced(IOLITE_AWK)
set(iolite_file_pages iolite.conf settings iolite-site site iolite-log log-format iolite-bundle bundles iolite-rules rules
  iolite-json json)
set(iolite_pages)
while(IOLITE_AWK AND iolite_file_pages)
  list(POP_FRONT iolite_file_pages name page)
  set(source ${PROJECT_SOURCE_DIR}/docs/${page}.md)
  add_custom_command(OUTPUT ${iolite_man}/man5/${name}.5
    COMMAND ${CMAKE_COMMAND} -E make_directory ${iolite_man}/man5
    COMMAND ${IOLITE_AWK} -v name=${name} -v version=${PROJECT_VERSION} -f ${PROJECT_SOURCE_DIR}/docs/manual.awk ${source}
      > ${iolite_man}/man5/${name}.5
    DEPENDS ${source} ${PROJECT_SOURCE_DIR}/docs/manual.awk VERBATIM)
  list(APPEND iolite_pages ${iolite_man}/man5/${name}.5)
endwhile()
if(iolite_pages)
  add_custom_target(iolite-manual ALL DEPENDS ${iolite_pages})
  add_dependencies(product iolite-manual)
  iolite_put(tools ${CMAKE_INSTALL_MANDIR}/man5 FILES ${iolite_pages})
endif()
