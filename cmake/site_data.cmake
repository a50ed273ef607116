# Data of a site: connectors, time series, analyses. They are part of the command; what a library is missing for says so
# when it is asked for. HDF5 is loaded when a time series is opened, so nothing here needs it.
iolite_optional(LZMA lzma.h lzma "site data compressed with xz cannot be read")

file(GLOB iolite_site_data_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/site/connect/*.c
  ${PROJECT_SOURCE_DIR}/site/series/*.c ${PROJECT_SOURCE_DIR}/site/analyze/*.c)
list(FILTER iolite_site_data_sources EXCLUDE REGEX "_test\\.c$")
target_sources(iolite_commands PRIVATE ${iolite_site_data_sources})
set(iolite_site_data_libraries ZLIB::ZLIB ${CMAKE_DL_LIBS})
set(iolite_site_data_definitions)
set(iolite_site_data_includes)
foreach(dependency BZIP2 ZSTD LZMA SQLITE)
  list(APPEND iolite_site_data_definitions IOL_HAVE_${dependency}=${IOLITE_HAVE_${dependency}})
  if(IOLITE_HAVE_${dependency})
    list(APPEND iolite_site_data_includes ${${dependency}_INCLUDE})
    list(APPEND iolite_site_data_libraries ${${dependency}_LIBRARY})
  endif()
endforeach()
set_source_files_properties(${iolite_site_data_sources} PROPERTIES COMPILE_DEFINITIONS "${iolite_site_data_definitions}")
target_link_libraries(iolite_commands PUBLIC ${iolite_site_data_libraries})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/packaging/mappings DESTINATION ${CMAKE_INSTALL_DATADIR}/iolite)
