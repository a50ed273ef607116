# What people get. A target that is installed is part of `product`, so that nothing can be installed that was not built.
add_custom_target(product)

function(iolite_install) # targets...
  install(TARGETS ${ARGN} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  add_dependencies(product ${ARGN})
endfunction()
