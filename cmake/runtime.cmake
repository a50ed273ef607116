# libiolite.so: what is put into the user's program. It needs libc and nothing else; compression comes from a static
# library whose names stay inside.
file(GLOB iolite_runtime_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/runtime/*/*.c)
list(FILTER iolite_runtime_sources EXCLUDE REGEX "_test\\.c$|/runtime/(static|abi)/")
foreach(part schema/schema schema/resolve record/custom record/hash record/held record/left_alone record/mapped record/mounts record/place
  record/program record/reduce record/runner record/spool_frame record/starter record/times record/trailer record/zone)
  list(APPEND iolite_runtime_sources ${PROJECT_SOURCE_DIR}/${part}.c)
endforeach()

# It runs before there is anybody to call, so that the compiler must not make calls of its loops.
set_source_files_properties(${PROJECT_SOURCE_DIR}/runtime/process/carry_hide.c
  ${PROJECT_SOURCE_DIR}/runtime/lazy/computing.c PROPERTIES COMPILE_OPTIONS -fno-builtin)

# How calls of libraries that a program may load get here: by stubs of the assembler, which keep every register, or, for
# other processors, by functions that are compiled for certain parameters, and linked with one MPI.
set(iolite_stubs OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|aarch64)$")
  set(iolite_stubs ON)
endif()
option(IOLITE_STUBS "Find the libraries of a program when it calls them" ${iolite_stubs})
set(iolite_bound "")
if(NOT IOLITE_STUBS)
  set(iolite_bound IOL_BOUND)
endif()

find_library(IOLITE_STATIC_DEFLATE libdeflate.a)
find_library(IOLITE_STATIC_ZLIB libz.a)
mark_as_advanced(IOLITE_STATIC_DEFLATE IOLITE_STATIC_ZLIB)
if(IOLITE_HAVE_LIBDEFLATE AND IOLITE_STATIC_DEFLATE)
  set(iolite_runtime_compression IOL_RUNTIME_LIBDEFLATE=1 IOL_RUNTIME_ZLIB=0)
  set(iolite_runtime_archive ${IOLITE_STATIC_DEFLATE})
elseif(IOLITE_STATIC_ZLIB)
  set(iolite_runtime_compression IOL_RUNTIME_LIBDEFLATE=0 IOL_RUNTIME_ZLIB=1)
  set(iolite_runtime_archive ${IOLITE_STATIC_ZLIB})
else()
  set(iolite_runtime_compression IOL_RUNTIME_LIBDEFLATE=0 IOL_RUNTIME_ZLIB=0)
  set(iolite_runtime_archive "")
  list(APPEND IOLITE_LEFT_OUT "libz.a: logs of single processes are not compressed")
endif()

# The library has several forms: what is preloaded; what static programs are linked with (IOL_STATIC); the one for
# processors without stubs (IOL_BOUND); one whose own system calls fail on purpose (IOL_FAULTS). In each of them all three
# words are defined, as 1 or 0. Most sources are the same in several forms, and are compiled once for these, with the words
# that they ask for and no other, so that one that asks for more does not compile:
#   same      ask for nothing: one object for all forms
#   calling   make system calls: one for the forms in which these work, one for the form in which they fail
#   linked    ask only whether the program is static: one for all libraries that are preloaded
#   entries   bound.c, which is empty where there are stubs: one for all forms without them
#   formed    the others: one for each form
# Sources that ask for something are listed here, by room; all others ask for nothing. One that is missing from its list does
# not compile, because the word that it asks for is not defined there.
set(iolite_runtime_calling
  core/clock core/evict core/files core/guard core/heatmap core/job_record core/store core/sys core/there core/trust
  custom/custom_finish custom/custom_load custom/custom_write custom/maps custom/regions
  finalize/bench finalize/exchange finalize/finalize finalize/joblog finalize/memory finalize/platform finalize/report
  finalize/survey
  hdf5/handles
  lustre/lustre lustre/totals
  output/held output/jobspool output/logfile output/places output/rundir output/say output/spool
  posix/descriptors posix/posix
  process/children process/exec process/parent process/unseen process/waits
  where/chain where/where)
set(iolite_runtime_linked
  process/carry_hide
  stdio/wrappers)
set(iolite_runtime_entries
  lazy/bound)
set(iolite_runtime_formed
  lazy/hide lazy/lazy lazy/next lazy/real
  mpi/load mpi/mpi
  process/carry process/end process/start
  where/object)
set(iolite_runtime_same ${iolite_runtime_sources})
foreach(group calling linked entries formed)
  list(TRANSFORM iolite_runtime_${group} REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/runtime/\\1.c")
  list(REMOVE_ITEM iolite_runtime_same ${iolite_runtime_${group}})
endforeach()
list(APPEND iolite_runtime_formed ${PROJECT_SOURCE_DIR}/runtime/lazy/stubs.S)

# What all processes touch stands together in the library, where the linker can be told so.
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
set(iolite_layout ${PROJECT_SOURCE_DIR}/runtime/layout.ld)
check_linker_flag(C "-Wl,-T,${iolite_layout}" IOLITE_LINKER_LAYOUT)

# Compact relocations, which some distributions have their linkers make, end every program of an older C library.
check_linker_flag(C "-Wl,--fatal-warnings,-z,nopack-relative-relocs" IOLITE_LINKER_PLAIN_RELOCATIONS)
set(iolite_plain_relocations)
if(IOLITE_LINKER_PLAIN_RELOCATIONS)
  set(iolite_plain_relocations -Wl,-z,nopack-relative-relocs)
endif()

# The loader would call two empty functions, the second one on a page that nobody else needs: there are none of these names.
check_linker_flag(C "-Wl,-init=iol__none,-fini=iol__none" IOLITE_LINKER_HOOKS)
set(iolite_no_hooks)
if(IOLITE_LINKER_HOOKS)
  set(iolite_no_hooks -Wl,-init=iol__none,-fini=iol__none)
endif()

# Some compilers leave atomic operations on small numbers to a library of theirs (gcc before 13 on riscv64): its static form.
check_c_source_compiles("int main(int n, char **text) { return __atomic_fetch_add(text[0], (char)n, __ATOMIC_RELAXED); }"
  IOLITE_SMALL_ATOMICS)
set(iolite_atomics)
if(NOT IOLITE_SMALL_ATOMICS)
  set(iolite_atomics -l:libatomic.a)
endif()

# No sanitizer here: the library is loaded into programs that do not have one. No inlined or checked libc functions: it
# defines them.
function(iolite_runtime_code target)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(${target} SYSTEM PRIVATE ${iolite_compression_includes})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE __NO_INLINE__ IOLITE_VERSION="${PROJECT_VERSION}"
    ${iolite_runtime_compression})
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith
    -Wundef -Werror=undef -Wvla>
    -O2 -fno-builtin-printf -U_FORTIFY_SOURCE -fno-semantic-interposition -fno-plt -ftls-model=initial-exec
    -fno-stack-protector -fno-delete-null-pointer-checks -ffunction-sections -fdata-sections)
endfunction()

function(iolite_runtime_form target) # words that are 1
  iolite_runtime_code(${target})
  foreach(word IOL_STATIC IOL_BOUND IOL_FAULTS)
    set(value 0)
    if(word IN_LIST ARGN)
      set(value 1)
    endif()
    target_compile_definitions(${target} PRIVATE ${word}=${value})
  endforeach()
endfunction()

function(iolite_runtime_once group) # definitions
  add_library(iolite_runtime_${group} OBJECT ${iolite_runtime_${group}})
  iolite_runtime_code(iolite_runtime_${group})
  target_compile_definitions(iolite_runtime_${group} PRIVATE ${ARGN})
endfunction()
iolite_runtime_once(same)
iolite_runtime_once(calling IOL_FAULTS=0)
iolite_runtime_once(linked IOL_STATIC=0)
iolite_runtime_once(entries IOL_STATIC=0 IOL_BOUND=1)
set_target_properties(iolite_runtime_entries PROPERTIES EXCLUDE_FROM_ALL ON)
target_compile_options(iolite_runtime_entries PRIVATE -O1) # hundreds of functions, a jump each

function(iolite_runtime target)
  set(calling $<TARGET_OBJECTS:iolite_runtime_calling>)
  if(IOL_FAULTS IN_LIST ARGN)
    set(calling ${iolite_runtime_calling})
  endif()
  set(entries)
  if(IOL_BOUND IN_LIST ARGN)
    set(entries $<TARGET_OBJECTS:iolite_runtime_entries>)
  endif()
  add_library(${target} SHARED ${iolite_runtime_formed} ${calling} ${entries} $<TARGET_OBJECTS:iolite_runtime_linked>
    $<TARGET_OBJECTS:iolite_runtime_same>)
  iolite_runtime_form(${target} ${ARGN})
  target_link_libraries(${target} PRIVATE ${iolite_runtime_archive} ${iolite_atomics})
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL -Wl,--no-undefined -Wl,-z,now -Wl,-z,relro -Wl,-z,nodelete
    -Wl,-Bsymbolic-functions -Wl,--hash-style=gnu ${iolite_plain_relocations} ${iolite_no_hooks})
  if(IOLITE_LINKER_LAYOUT)
    target_link_options(${target} PRIVATE -Wl,-T,${iolite_layout})
    set_target_properties(${target} PROPERTIES LINK_DEPENDS ${iolite_layout})
  endif()
endfunction()

iolite_runtime(iolite-runtime ${iolite_bound})
set_target_properties(iolite-runtime PROPERTIES OUTPUT_NAME iolite)
iolite_install(runtime iolite-runtime)

# The same with faults in its own system calls, for tests.
if(IOLITE_TESTS)
  iolite_runtime(iolite-faults IOL_FAULTS ${iolite_bound})
  target_compile_options(iolite-faults PRIVATE -O1) # it is compiled more often than it is waited for
  set_target_properties(iolite-faults PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endif()
