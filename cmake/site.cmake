# site: the view over all jobs of a centre. Its default store is a SQLite file.
iolite_part_sources(iolite_site_sources site)
# Connectors, series and analyses are a library of their own, which needs no store: site_data.cmake.
list(FILTER iolite_site_sources EXCLUDE REGEX "/site/(connect|series|analyze|library|mpi)/")
iolite_part(site iolite_insight Threads::Threads ${CMAKE_DL_LIBS})
target_compile_definitions(iolite_site PRIVATE IOL_HAVE_SQLITE=${IOLITE_HAVE_SQLITE} IOLITE_VERSION="${PROJECT_VERSION}"
  IOLITE_PLUGINS="${CMAKE_INSTALL_LIBDIR}")
if(IOLITE_HAVE_SQLITE)
  target_include_directories(iolite_site SYSTEM PRIVATE ${SQLITE_INCLUDE})
  iolite_archive(${SQLITE_LIBRARY} iolite_sqlite)
  target_link_libraries(iolite_site PRIVATE ${iolite_sqlite} m)
endif()
