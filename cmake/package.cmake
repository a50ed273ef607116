# For CMake projects of others: find_package(iolite) gives iolite::log, iolite::site, iolite::module and iolite::iolite, and so
# does a project that has this one as a part.
include(CMakePackageConfigHelpers)
set(iolite_config_place ${CMAKE_INSTALL_LIBDIR}/cmake/iolite)
configure_package_config_file(${PROJECT_SOURCE_DIR}/packaging/iolite-config.cmake.in
  ${CMAKE_BINARY_DIR}/lib/cmake/iolite/iolite-config.cmake INSTALL_DESTINATION ${iolite_config_place}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/lib/cmake/iolite/iolite-config-version.cmake
  COMPATIBILITY SameMinorVersion)
iolite_put(development ${iolite_config_place} FILES ${CMAKE_BINARY_DIR}/lib/cmake/iolite/iolite-config.cmake
  ${CMAKE_BINARY_DIR}/lib/cmake/iolite/iolite-config-version.cmake)

add_library(iolite::log ALIAS iolite-log)
add_library(iolite::site ALIAS iolite-site)
add_library(iolite-module INTERFACE)
target_include_directories(iolite-module INTERFACE ${PROJECT_SOURCE_DIR}/include)
add_library(iolite::module ALIAS iolite-module)
