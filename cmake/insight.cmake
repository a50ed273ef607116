# insight: facts, rules and metrics of one log.
file(GLOB iolite_insight_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/insight/*.c)
list(FILTER iolite_insight_sources EXCLUDE REGEX "_test\\.c$")

add_library(iolite_insight STATIC ${iolite_insight_sources})
target_link_libraries(iolite_insight PUBLIC iolite-log-static m)
