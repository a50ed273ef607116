# Data of a site: connectors, time series, analyses. They are part of the command; what a library is missing for says so
# when it is asked for. HDF5 is loaded when a time series is opened, so nothing here needs it.
iolite_optional(LZMA lzma.h lzma "site data compressed with xz cannot be read")

file(GLOB iolite_site_data_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/site/connect/*.c
  ${PROJECT_SOURCE_DIR}/site/series/*.c ${PROJECT_SOURCE_DIR}/site/analyze/*.c)
list(FILTER iolite_site_data_sources EXCLUDE REGEX "_test\\.c$")
target_sources(iolite_commands PRIVATE ${iolite_site_data_sources})
iolite_archive(${ZLIB_LIBRARIES} iolite_site_data_libraries)
list(APPEND iolite_site_data_libraries ${CMAKE_DL_LIBS})
set(iolite_site_data_definitions)
set(iolite_site_data_includes)
foreach(dependency LIBDEFLATE BZIP2 ZSTD LZMA SQLITE)
  list(APPEND iolite_site_data_definitions IOL_HAVE_${dependency}=${IOLITE_HAVE_${dependency}})
  if(IOLITE_HAVE_${dependency})
    list(APPEND iolite_site_data_includes ${${dependency}_INCLUDE})
    iolite_archive(${${dependency}_LIBRARY} archive)
    list(APPEND iolite_site_data_libraries ${archive})
  endif()
endforeach()
set_source_files_properties(${iolite_site_data_sources} PROPERTIES COMPILE_DEFINITIONS "${iolite_site_data_definitions}")
target_link_libraries(iolite_commands PUBLIC ${iolite_site_data_libraries})
file(GLOB iolite_mappings CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/packaging/mappings/*.json)
iolite_put(site ${CMAKE_INSTALL_DATADIR}/iolite/mappings FILES ${iolite_mappings})

# libiolite-site: the same for programs of others, with its header, and a module for Python.
add_library(iolite-site SHARED ${PROJECT_SOURCE_DIR}/site/library/site.c)
target_link_libraries(iolite-site PRIVATE iolite_commands)
target_include_directories(iolite-site INTERFACE ${PROJECT_SOURCE_DIR}/include)
set_target_properties(iolite-site PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 0 LINK_DEPENDS ${PROJECT_SOURCE_DIR}/site/library/libiolite-site.map)
target_link_options(iolite-site PRIVATE
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/site/library/libiolite-site.map -Wl,--no-undefined)
if(IOLITE_SANITIZE)
  target_link_options(iolite-site PRIVATE -Wl,-z,undefs)
endif()
configure_file(${PROJECT_SOURCE_DIR}/packaging/iolite-site.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/iolite-site.pc @ONLY)
iolite_install(libraries iolite-site)
iolite_put(development ${CMAKE_INSTALL_INCLUDEDIR}/iolite FILES ${PROJECT_SOURCE_DIR}/include/iolite/site.h)
iolite_put(development ${iolite_pc_place} FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/iolite-site.pc)
iolite_put(site ${CMAKE_INSTALL_DATADIR}/iolite PROGRAMS ${PROJECT_SOURCE_DIR}/packaging/site/iolite-site-report)
