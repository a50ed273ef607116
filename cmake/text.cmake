# text: how things are written. It knows no other part, so that all above the log can use it.
iolite_part_sources(iolite_text_sources text)
iolite_archive(${ZLIB_LIBRARIES} iolite_zlib)
iolite_part(text iolite_flags ${iolite_zlib} m)
target_include_directories(iolite_text SYSTEM PRIVATE ${iolite_compression_includes})
