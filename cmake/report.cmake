# report: what is known of one log, or of two, in every form: text, JSON, CSV, SARIF, pictures, one HTML file.
iolite_part_sources(iolite_report_sources report)
iolite_part(report iolite_insight iolite_web)
target_include_directories(iolite_report SYSTEM PRIVATE ${iolite_compression_includes})
target_compile_definitions(iolite_report PRIVATE IOLITE_VERSION="${PROJECT_VERSION}")
target_compile_options(iolite_report PRIVATE $<$<CONFIG:Release>:-O2>) # -O3 is larger and not faster (callgrind)
