# Packages come and go between two builds in one directory. What was found in one that is gone is looked for again: without
# this, the old place would be used until somebody removes the build directory.
get_cmake_property(iolite_cached CACHE_VARIABLES)
list(FILTER iolite_cached EXCLUDE REGEX "^CMAKE_")
foreach(name IN LISTS iolite_cached)
  get_property(type CACHE ${name} PROPERTY TYPE)
  if(type MATCHES "^(FILE)?PATH$" AND IS_ABSOLUTE "${${name}}" AND NOT EXISTS "${${name}}")
    unset(${name} CACHE)
  endif()
endforeach()
