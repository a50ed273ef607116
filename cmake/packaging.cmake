# What an installation has beside the programs: pkg-config files, the older name of the library, module files, the
# archiving script. Nothing in them is a path of the machine they were built on: a tree that is moved goes on working.
foreach(name iolite darshan-runtime)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/${name}.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/${name}.pc @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

# Scripts that preload or link libdarshan.so, and programs that were linked with it, find ours.
foreach(name libdarshan.so libdarshan.so.0)
  file(CREATE_LINK libiolite.so ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name} SYMBOLIC)
  install(FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endforeach()

# The list of wrapped functions, where build scripts that do not ask look for it.
if(iolite_libc)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/ld-opts)
  file(CREATE_LINK ../iolite/wrap.opts ${CMAKE_BINARY_DIR}/share/ld-opts/darshan-ld-opts SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/share/ld-opts/darshan-ld-opts DESTINATION ${CMAKE_INSTALL_DATADIR}/ld-opts)
endif()

foreach(name iolite.lua iolite)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/modules/${name}.in ${CMAKE_BINARY_DIR}/share/iolite/modules/${name}
    @ONLY)
  install(FILES ${CMAKE_BINARY_DIR}/share/iolite/modules/${name} DESTINATION ${CMAKE_INSTALL_DATADIR}/iolite/modules)
endforeach()
install(PROGRAMS ${PROJECT_SOURCE_DIR}/packaging/cron/iolite-archive DESTINATION ${CMAKE_INSTALL_DATADIR}/iolite)
