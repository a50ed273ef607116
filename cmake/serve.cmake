# serve: the REST API and pages of `iolite serve`. The listener needs libmicrohttpd, which is
# loaded when it starts; without its header, or the library, the command says so.
iolite_optional(MICROHTTPD microhttpd.h microhttpd "there is no server (iolite serve)")

iolite_part_sources(iolite_serve_sources serve)
iolite_part(serve iolite_live iolite_mcp iolite_report iolite_site_data iolite_site)
target_compile_options(iolite_serve PRIVATE $<$<CONFIG:Release>:-O1>) # its time goes into what it calls
target_include_directories(iolite_serve SYSTEM PRIVATE ${iolite_compression_includes})
target_compile_definitions(iolite_serve PRIVATE IOLITE_VERSION="${PROJECT_VERSION}"
  IOL_HAVE_MICROHTTPD=${IOLITE_HAVE_MICROHTTPD})
if(IOLITE_HAVE_MICROHTTPD)
  target_include_directories(iolite_serve SYSTEM PRIVATE ${MICROHTTPD_INCLUDE})
endif()
