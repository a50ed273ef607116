# insight: facts, rules and metrics of one log.
file(GLOB iolite_insight_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/insight/*.c)
list(FILTER iolite_insight_sources EXCLUDE REGEX "_test\\.c$")

add_library(iolite_insight STATIC ${iolite_insight_sources})
target_link_libraries(iolite_insight PUBLIC iolite_text iolite-log-static m)

# The built-in rules are texts; the build makes a table of them.
file(GLOB iolite_rules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/insight/rules/*.rules)
set(iolite_rule_text ${CMAKE_BINARY_DIR}/generated/rule_text.c)
add_custom_command(OUTPUT ${iolite_rule_text}
  COMMAND ${CMAKE_COMMAND} -DOUT=${iolite_rule_text} -DDIR=${PROJECT_SOURCE_DIR}/insight/rules
          -P ${PROJECT_SOURCE_DIR}/cmake/rule_text.cmake
  DEPENDS ${iolite_rules} ${PROJECT_SOURCE_DIR}/cmake/rule_text.cmake VERBATIM)
target_sources(iolite_insight PRIVATE ${iolite_rule_text})
