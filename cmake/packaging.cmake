# What an installation has beside the programs: pkg-config files, the older name of the library, module files, the
# archiving script. Nothing in them is a path of the machine they were built on: a tree that is moved goes on working.
foreach(name iolite darshan-runtime)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/${name}.pc.in ${CMAKE_BINARY_DIR}/lib/pkgconfig/${name}.pc @ONLY)
  iolite_put(development ${iolite_pc_place} FILES ${CMAKE_BINARY_DIR}/lib/pkgconfig/${name}.pc)
endforeach()

# Scripts that preload or link libdarshan.so, and programs that were linked with it, find ours.
foreach(name libdarshan.so libdarshan.so.0)
  file(CREATE_LINK libiolite.so ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name} SYMBOLIC)
  iolite_put(runtime ${CMAKE_INSTALL_LIBDIR} FILES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${name})
endforeach()

# The lists of wrapped functions, where build scripts that do not ask look for them. What is in one of ours may have two
# names there; modules that we do not have are empty lists.
if(iolite_libc)
  set(iolite_mpi_list /dev/null)
  foreach(abi openmpi mpich)
    if(abi IN_LIST IOLITE_MPIS)
      set(iolite_mpi_list ../iolite/wrap-mpi-${abi}.opts)
    endif()
  endforeach()
  set(iolite_lists darshan-ld-opts wrap darshan-posix-ld-opts wrap darshan-stdio-ld-opts wrap
    darshan-hdf5-ld-opts wrap-hdf5 darshan-pnetcdf-ld-opts wrap-pnetcdf)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/ld-opts)
  function(iolite_list name target)
    file(CREATE_LINK ${target} ${CMAKE_BINARY_DIR}/share/ld-opts/${name} SYMBOLIC)
    iolite_put(development ${CMAKE_INSTALL_DATADIR}/ld-opts FILES ${CMAKE_BINARY_DIR}/share/ld-opts/${name})
  endfunction()
  while(iolite_lists)
    list(POP_FRONT iolite_lists name list)
    iolite_list(${name} ../iolite/${list}.opts)
  endwhile()
  iolite_list(darshan-mpiio-ld-opts ${iolite_mpi_list})
  iolite_list(autoperf-apmpi-ld-opts ${iolite_mpi_list})
  foreach(name mdhim dfs daos)
    set(list ${CMAKE_BINARY_DIR}/share/ld-opts/darshan-${name}-ld-opts)
    file(WRITE ${list} "")
    iolite_put(development ${CMAKE_INSTALL_DATADIR}/ld-opts FILES ${list})
  endforeach()
endif()

foreach(name iolite.lua iolite iolite-link.lua iolite-link)
  configure_file(${PROJECT_SOURCE_DIR}/packaging/modules/${name}.in ${CMAKE_BINARY_DIR}/share/iolite/modules/${name}
    @ONLY)
  iolite_put(runtime ${CMAKE_INSTALL_DATADIR}/iolite/modules FILES ${CMAKE_BINARY_DIR}/share/iolite/modules/${name})
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/packaging/cray/darshan.in
  ${CMAKE_BINARY_DIR}/share/craype-2.x/modulefiles/darshan @ONLY)
iolite_put(development ${CMAKE_INSTALL_DATADIR}/craype-2.x/modulefiles FILES
  ${CMAKE_BINARY_DIR}/share/craype-2.x/modulefiles/darshan)

# Profiles of MPICH's compiler wrappers; languages differ in the name only.
foreach(language cc cxx f)
  foreach(form dynamic static)
    string(REPLACE dynamic darshan-${language} name ${form})
    string(REPLACE static darshan-${language}-static name ${name})
    configure_file(${PROJECT_SOURCE_DIR}/packaging/mpi-profile/${form}.conf
      ${CMAKE_BINARY_DIR}/share/mpi-profile/${name}.conf COPYONLY)
    iolite_put(development ${CMAKE_INSTALL_DATADIR}/mpi-profile FILES ${CMAKE_BINARY_DIR}/share/mpi-profile/${name}.conf)
  endforeach()
endforeach()

iolite_put(site ${CMAKE_INSTALL_DATADIR}/iolite PROGRAMS ${PROJECT_SOURCE_DIR}/packaging/slurm/iolite-epilog
  ${PROJECT_SOURCE_DIR}/packaging/slurm/iolite-task-prolog)

# Services. In the tree they name /usr; installed, they name the prefix, which is known only then (cmake/units.cmake).
iolite_put(site ${CMAKE_INSTALL_DATADIR}/iolite PROGRAMS ${PROJECT_SOURCE_DIR}/packaging/site/iolite-archive-days
  ${PROJECT_SOURCE_DIR}/packaging/site/iolite-collect-all ${PROJECT_SOURCE_DIR}/packaging/site/iolite-site-setup)
iolite_put(site ${CMAKE_INSTALL_DATADIR}/iolite FILES ${PROJECT_SOURCE_DIR}/packaging/site/site.json.example)
if(IOLITE_INSTALL)
  install(CODE "set(iolite_units \"${PROJECT_SOURCE_DIR}/packaging/systemd\")
set(iolite_bin \"${CMAKE_INSTALL_BINDIR}\")
set(iolite_data \"${CMAKE_INSTALL_DATADIR}\")" COMPONENT site)
  install(SCRIPT ${PROJECT_SOURCE_DIR}/cmake/units.cmake COMPONENT site)
  foreach(place systemd/system sysusers.d tmpfiles.d)
    iolite_settle(site lib/${place})
  endforeach()
endif()
