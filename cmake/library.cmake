# libiolite-log, shared and static, with its header and pkg-config file.
iolite_part_sources(iolite_log_sources base schema record log)

add_library(iolite_log_objects OBJECT ${iolite_log_sources})
target_link_libraries(iolite_log_objects PUBLIC iolite_flags)
set(iolite_log_libraries ZLIB::ZLIB)
iolite_archive(${ZLIB_LIBRARIES} iolite_log_archives)
set(iolite_log_private "-lz")
foreach(dependency LIBDEFLATE BZIP2 ZSTD)
  target_compile_definitions(iolite_log_objects PRIVATE IOL_HAVE_${dependency}=${IOLITE_HAVE_${dependency}})
  if(IOLITE_HAVE_${dependency})
    target_include_directories(iolite_log_objects SYSTEM PRIVATE ${${dependency}_INCLUDE})
    list(APPEND iolite_log_libraries ${${dependency}_LIBRARY})
    iolite_archive(${${dependency}_LIBRARY} archive)
    list(APPEND iolite_log_archives ${archive})
    get_filename_component(short ${${dependency}_LIBRARY} NAME_WE)
    string(REGEX REPLACE "^lib" "-l" short ${short})
    string(APPEND iolite_log_private " ${short}")
  endif()
endforeach()
target_link_libraries(iolite_log_objects PRIVATE ZLIB::ZLIB)

add_library(iolite-log-static STATIC $<TARGET_OBJECTS:iolite_log_objects>)
set_target_properties(iolite-log-static PROPERTIES OUTPUT_NAME iolite-log)
target_link_libraries(iolite-log-static PUBLIC iolite_flags ${iolite_log_archives} Threads::Threads m)

add_library(iolite-log SHARED $<TARGET_OBJECTS:iolite_log_objects>)
target_link_libraries(iolite-log PRIVATE iolite_flags ${iolite_log_libraries} Threads::Threads m)
target_include_directories(iolite-log INTERFACE ${PROJECT_SOURCE_DIR}/include)
set_target_properties(iolite-log PROPERTIES
  VERSION ${PROJECT_VERSION} SOVERSION 0 LINK_DEPENDS ${PROJECT_SOURCE_DIR}/log/libiolite-log.map)
target_link_options(iolite-log PRIVATE
  -Wl,--version-script=${PROJECT_SOURCE_DIR}/log/libiolite-log.map -Wl,--no-undefined)
if(IOLITE_SANITIZE)
  target_link_options(iolite-log PRIVATE -Wl,-z,undefs)
endif()

configure_file(${PROJECT_SOURCE_DIR}/packaging/iolite-log.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/iolite-log.pc @ONLY)
iolite_install(libraries iolite-log iolite-log-static)
iolite_put(development ${CMAKE_INSTALL_INCLUDEDIR}/iolite FILES
  ${PROJECT_SOURCE_DIR}/include/iolite/log.h ${PROJECT_SOURCE_DIR}/include/iolite/version.h)
iolite_put(development ${iolite_pc_place} FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/iolite-log.pc)
