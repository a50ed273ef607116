# site: the view over all jobs of a centre. Its default store is a SQLite file.
file(GLOB iolite_site_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/site/*.c ${PROJECT_SOURCE_DIR}/site/*/*.c)
list(FILTER iolite_site_sources EXCLUDE REGEX "_test\\.c$")
# Connectors, series and analyses print too, so they are part of the commands: site_data.cmake.
list(FILTER iolite_site_sources EXCLUDE REGEX "/site/(connect|series|analyze)/")

add_library(iolite_site STATIC ${iolite_site_sources})
find_package(Threads REQUIRED)
target_link_libraries(iolite_site PUBLIC iolite_insight Threads::Threads)
target_compile_definitions(iolite_site PRIVATE IOL_HAVE_SQLITE=${IOLITE_HAVE_SQLITE} IOLITE_VERSION="${PROJECT_VERSION}")
if(IOLITE_HAVE_SQLITE)
  target_include_directories(iolite_site SYSTEM PRIVATE ${SQLITE_INCLUDE})
  target_link_libraries(iolite_site PRIVATE ${SQLITE_LIBRARY})
endif()
