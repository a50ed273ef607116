# The one program, and the names under which scripts know it.
file(GLOB iolite_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmds/*.c ${PROJECT_SOURCE_DIR}/report/*.c)
list(FILTER iolite_sources EXCLUDE REGEX "_test\\.c$|/iolite\\.c$")

add_library(iolite_commands STATIC ${iolite_sources})
find_package(Threads REQUIRED)
target_link_libraries(iolite_commands PUBLIC iolite_site iolite_insight Threads::Threads)
target_compile_definitions(iolite_commands PRIVATE IOLITE_VERSION="${PROJECT_VERSION}")
# Their time goes into what they call: -O3 makes them larger and not faster (callgrind), and takes longer to compile.
target_compile_options(iolite_commands PRIVATE $<$<CONFIG:Release>:-O2>)

add_executable(iolite ${PROJECT_SOURCE_DIR}/cmds/iolite.c)
target_link_libraries(iolite PRIVATE iolite_commands)
target_compile_definitions(iolite PRIVATE IOLITE_VERSION="${PROJECT_VERSION}")
iolite_install(iolite)

foreach(name darshan-parser darshan-dxt-parser darshan-analyzer darshan-convert darshan-merge darshan-diff
    darshan-config darshan-mk-log-dirs.pl)
  add_custom_command(TARGET iolite POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E create_symlink iolite ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} VERBATIM)
  install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()

# The manual page comes from the same tables as --help.
set(iolite_man ${CMAKE_BINARY_DIR}/share/man/man1/iolite.1)
add_custom_command(TARGET iolite POST_BUILD
  COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/share/man/man1
  COMMAND $<TARGET_FILE:iolite> help --man > ${iolite_man})
install(FILES ${iolite_man} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
