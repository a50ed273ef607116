# What programs and modules of others need to be built with Iolite: headers for C and C++, one file for Fortran, the
# package for Python, and a pkg-config file. There is no library to link.
configure_file(${PROJECT_SOURCE_DIR}/packaging/iolite-module.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/iolite-module.pc
  @ONLY)
install(FILES ${PROJECT_SOURCE_DIR}/include/iolite/iolite.h ${PROJECT_SOURCE_DIR}/include/iolite/module.h
  ${PROJECT_SOURCE_DIR}/include/iolite/iolite.f90 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/iolite)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/packaging/python/ DESTINATION ${CMAKE_INSTALL_DATADIR}/iolite/python
  FILES_MATCHING PATTERN "*.py" PATTERN "py.typed" PATTERN "pyproject.toml" PATTERN "setup.cfg"
  PATTERN "__pycache__" EXCLUDE)
install(FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/iolite-module.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
