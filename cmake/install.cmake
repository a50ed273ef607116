# What goes where when it is installed, and how. Files belong to one of the components below, for those who want a part
# (`cmake --install build --component tools`) and for packages:
#   runtime      what is loaded into recorded programs, and the module files that see to it
#   tools        the commands, their manual pages and completions
#   libraries    libiolite-log and libiolite-site, for programs that are linked with them
#   development  what is needed to link: headers, static libraries, lists for the linker, pkg-config and CMake files
#   site         what a computing centre runs: scripts of the batch system, services, mappings of monitoring
#   python       the Python package
#
# An installation may be replaced while programs run from it. So every file comes under a directory of its own beside its
# place and is then renamed: at each moment the old one or the new one is there, whole. A program that has the old one open
# or mapped keeps it.
include(GNUInstallDirs)
set(iolite_top_level OFF)
if(CMAKE_SOURCE_DIR STREQUAL PROJECT_SOURCE_DIR)
  set(iolite_top_level ON)
endif()
option(IOLITE_INSTALL "Install Iolite with the project that it is part of" ON)

# The directory that a file was installed to, as it is known when the installation runs: DESTINATION may be absolute, and
# the prefix another one than at configuration.
function(iolite_settle component destination)
  install(CODE "set(iolite_directory \"${destination}\")" COMPONENT ${component})
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/settle.cmake COMPONENT ${component})
endfunction()

# iolite_put(COMPONENT DESTINATION FILES|PROGRAMS file...)
function(iolite_put component destination kind)
  if(NOT IOLITE_INSTALL)
    return()
  endif()
  install(${kind} ${ARGN} DESTINATION ${destination}/.iolite-new COMPONENT ${component})
  iolite_settle(${component} ${destination})
endfunction()

# What people get. A target that is installed is part of `product`, so that nothing can be installed that was not built.
add_custom_target(product)

# Targets whose files go where those of their kind go. The name without a version, which only the linker wants, and archives
# are for development.
function(iolite_install component) # targets...
  add_dependencies(product ${ARGN})
  if(NOT IOLITE_INSTALL)
    return()
  endif()
  set(staged ${CMAKE_INSTALL_LIBDIR}/.iolite-new)
  set(namelink)
  if(component STREQUAL libraries)
    set(namelink NAMELINK_COMPONENT development)
  endif()
  install(TARGETS ${ARGN}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}/.iolite-new COMPONENT ${component}
    LIBRARY DESTINATION ${staged} COMPONENT ${component} ${namelink}
    ARCHIVE DESTINATION ${staged} COMPONENT development)
  iolite_settle(${component} ${CMAKE_INSTALL_BINDIR})
  iolite_settle(${component} ${CMAKE_INSTALL_LIBDIR})
  iolite_settle(development ${CMAKE_INSTALL_LIBDIR})
endfunction()

# Places relative to each other, so that a tree that is moved goes on working; absolute where one of the two is, since then
# there is nothing to move.
function(iolite_path_between variable from to start)
  if(IS_ABSOLUTE "${from}" OR IS_ABSOLUTE "${to}")
    if(NOT IS_ABSOLUTE "${to}")
      set(to ${CMAKE_INSTALL_PREFIX}/${to})
    endif()
    set(${variable} ${to} PARENT_SCOPE)
  else()
    file(RELATIVE_PATH between /${from} /${to})
    set(${variable} ${start}${between} PARENT_SCOPE)
  endif()
endfunction()
set(iolite_pc_place ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
iolite_path_between(iolite_pc_libraries ${iolite_pc_place} ${CMAKE_INSTALL_LIBDIR} "\${pcfiledir}/")
iolite_path_between(iolite_pc_include ${iolite_pc_place} ${CMAKE_INSTALL_INCLUDEDIR} "\${pcfiledir}/")
iolite_path_between(iolite_pc_data ${iolite_pc_place} ${CMAKE_INSTALL_DATADIR} "\${pcfiledir}/")
# From module files and the like, two directories below the data, to the prefix.
set(iolite_module_prefix ${CMAKE_INSTALL_PREFIX})
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_DATADIR}")
  file(RELATIVE_PATH iolite_module_prefix /${CMAKE_INSTALL_DATADIR}/iolite/modules /)
  string(REGEX REPLACE "/$" "" iolite_module_prefix ${iolite_module_prefix})
endif()

# A program that is linked with a library outside of the loader's own directories would not start without a word about where
# it is; inside of them such a word (RUNPATH) is a nuisance to packagers.
set(iolite_pc_rpath "-Wl,-rpath,\${libdir} ")
if(CMAKE_INSTALL_FULL_LIBDIR MATCHES "^(/usr)?/lib(64|/[^/]+-linux-gnu[^/]*)?$")
  set(iolite_pc_rpath "")
endif()

# What was installed is listed by CMake; `uninstall` removes that and the directories that are empty afterwards.
if(iolite_top_level)
  add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -DBUILD=${CMAKE_BINARY_DIR} -P ${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake
    VERBATIM)
endif()
