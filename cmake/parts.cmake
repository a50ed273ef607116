# A part of the house is a folder, and a library with its name: iolite_text is made from text/ and all rooms below it. Each is
# linked with the parts that it may know (docs/design.md) and with no other. With the tests, every part is linked once more,
# alone with these, as a library in which nothing may be undefined: a call that goes against the layers does not link, even
# where no header gives it away.
function(iolite_part_sources variable) # folders, relative to the project
  set(patterns)
  foreach(folder IN LISTS ARGN)
    list(APPEND patterns ${PROJECT_SOURCE_DIR}/${folder}/*.c)
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER sources EXCLUDE REGEX "_test\\.c$")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

function(iolite_part part) # libraries
  add_library(iolite_${part} STATIC ${iolite_${part}_sources})
  target_link_libraries(iolite_${part} PUBLIC ${ARGN})
  set_property(GLOBAL APPEND PROPERTY IOLITE_PARTS ${part})
endfunction()

# Called when all parts have what they are linked with.
function(iolite_check_layers)
  get_property(parts GLOBAL PROPERTY IOLITE_PARTS)
  foreach(part IN LISTS parts)
    add_library(layer_${part} MODULE $<TARGET_OBJECTS:iolite_${part}>)
    set_target_properties(layer_${part} PROPERTIES LINKER_LANGUAGE C PREFIX ""
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests/layers)
    get_target_property(known iolite_${part} LINK_LIBRARIES)
    target_link_libraries(layer_${part} PRIVATE ${known})
    target_link_options(layer_${part} PRIVATE -Wl,--no-undefined)
  endforeach()
endfunction()
