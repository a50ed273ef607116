# insight: facts, rules and metrics of one log.
iolite_part_sources(iolite_insight_sources insight)
iolite_part(insight iolite_text iolite-log-static m)

# The built-in rules are texts; the build makes a table of them.
file(GLOB iolite_rules CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/insight/rules/*.rules)
set(iolite_rule_text ${CMAKE_BINARY_DIR}/generated/rule_text.c)
add_custom_command(OUTPUT ${iolite_rule_text}
  COMMAND ${CMAKE_COMMAND} -DOUT=${iolite_rule_text} -DDIR=${PROJECT_SOURCE_DIR}/insight/rules
          -P ${PROJECT_SOURCE_DIR}/cmake/rule_text.cmake
  DEPENDS ${iolite_rules} ${PROJECT_SOURCE_DIR}/cmake/rule_text.cmake VERBATIM)
target_sources(iolite_insight PRIVATE ${iolite_rule_text})
