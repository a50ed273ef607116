# What holds on another machine than this one: one without packages, or of another release. They build the product again,
# which takes minutes, and no sanitizer has anything to see there.
if(IOLITE_SANITIZE)
  return()
endif()
file(GLOB iolite_roots CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/roots/*.sh)
foreach(script IN LISTS iolite_roots)
  get_filename_component(name ${script} NAME_WE)
  iolite_register(roots/${name} roots ${script})
  set_tests_properties(roots/${name} PROPERTIES FIXTURES_REQUIRED seeds TIMEOUT 1800)
endforeach()
# They build packages first, twice.
set_tests_properties(roots/centre roots/packages roots/rpm roots/site_guide PROPERTIES LABELS "roots;long" TIMEOUT 5400)
