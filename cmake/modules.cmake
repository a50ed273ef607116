# What programs and modules of others need to be built with Iolite: headers for C and C++, one file for Fortran, the
# package for Python, and a pkg-config file. There is no library to link.
configure_file(${PROJECT_SOURCE_DIR}/packaging/iolite-module.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/iolite-module.pc
  @ONLY)
iolite_put(development ${CMAKE_INSTALL_INCLUDEDIR}/iolite FILES ${PROJECT_SOURCE_DIR}/include/iolite/iolite.h
  ${PROJECT_SOURCE_DIR}/include/iolite/module.h ${PROJECT_SOURCE_DIR}/include/iolite/iolite.f90)
iolite_put(development ${iolite_pc_place} FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/iolite-module.pc)
set(iolite_python ${PROJECT_SOURCE_DIR}/packaging/python)
file(GLOB iolite_python_modules CONFIGURE_DEPENDS ${iolite_python}/*.py ${iolite_python}/*.toml ${iolite_python}/*.cfg)
iolite_put(python ${CMAKE_INSTALL_DATADIR}/iolite/python FILES ${iolite_python_modules})
foreach(package iolite iolite/darshan iolite/darshan/backend)
  file(GLOB modules CONFIGURE_DEPENDS ${iolite_python}/${package}/*.py ${iolite_python}/${package}/py.typed)
  iolite_put(python ${CMAKE_INSTALL_DATADIR}/iolite/python/${package} FILES ${modules})
endforeach()
