# text: how things are written. It knows no other part, so that all above the log can use it.
file(GLOB iolite_text_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/text/*.c)
list(FILTER iolite_text_sources EXCLUDE REGEX "_test\\.c$")

add_library(iolite_text STATIC ${iolite_text_sources})
target_include_directories(iolite_text SYSTEM PRIVATE ${iolite_compression_includes})
target_link_libraries(iolite_text PUBLIC iolite_flags m)
