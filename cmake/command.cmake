# The program: a small one for `run` and as a door, one with all commands behind it, and the names under which scripts know
# the latter.
include(CheckCSourceCompiles)
file(GLOB iolite_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmds/*.c ${PROJECT_SOURCE_DIR}/report/*.c)
list(FILTER iolite_sources EXCLUDE REGEX "_test\\.c$|/(iolite|front)\\.c$")

add_library(iolite_commands STATIC ${iolite_sources})
target_link_libraries(iolite_commands PUBLIC iolite_site iolite_insight Threads::Threads)
target_include_directories(iolite_commands SYSTEM PRIVATE ${iolite_compression_includes})
target_compile_definitions(iolite_commands PRIVATE IOLITE_VERSION="${PROJECT_VERSION}"
  IOLITE_LIBDIR="${CMAKE_INSTALL_LIBDIR}" IOLITE_DATADIR="${CMAKE_INSTALL_DATADIR}" IOLITE_INCLUDEDIR="${CMAKE_INSTALL_INCLUDEDIR}")
# -O3 makes reports and site data larger and not faster (callgrind); commands do not even gain from -O2, as their time goes
# into what they call, and take a quarter longer to compile.
target_compile_options(iolite_commands PRIVATE $<$<CONFIG:Release>:-O2>)
file(GLOB iolite_quick_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmds/*.c ${PROJECT_SOURCE_DIR}/serve/*.c)
list(FILTER iolite_quick_sources EXCLUDE REGEX "_test\\.c$|/(iolite|front)\\.c$")
set_property(SOURCE ${iolite_quick_sources} PROPERTY COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)

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
    darshan-config darshan-mk-log-dirs.pl)
  add_custom_command(TARGET iolite-commands POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}
    COMMAND ${CMAKE_COMMAND} -E create_symlink ../libexec/iolite/iolite ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name} VERBATIM)
  iolite_put(tools ${CMAKE_INSTALL_BINDIR} FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${name})
endforeach()

# The manual page comes from the same tables as --help. The program is asked for it, which another processor's cannot be
# without an emulator.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  list(APPEND IOLITE_LEFT_OUT "an emulator (CMAKE_CROSSCOMPILING_EMULATOR): no manual page")
else()
  set(iolite_man ${CMAKE_BINARY_DIR}/share/man/man1/iolite.1)
  add_custom_command(TARGET iolite-commands POST_BUILD
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/share/man/man1
    COMMAND ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:iolite-commands> help --man > ${iolite_man})
  iolite_put(tools ${CMAKE_INSTALL_MANDIR}/man1 FILES ${iolite_man})
endif()
