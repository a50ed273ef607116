# Warnings on our own code, and sanitizers, come in at one place. Warnings are errors for those who work on it (the other
# presets, and ./dev test): a compiler that is newer than this release finds something new, and must build it all the same.
set(iolite_strict) # of programs that are built without a target
if(CMAKE_COMPILE_WARNING_AS_ERROR)
  set(iolite_strict -Werror)
endif()
add_library(iolite_flags INTERFACE)
target_compile_options(iolite_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla)
target_include_directories(iolite_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_definitions(iolite_flags INTERFACE _GNU_SOURCE)
if(IOLITE_SANITIZE)
  target_compile_options(iolite_flags INTERFACE
    -fsanitize=${IOLITE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(iolite_flags INTERFACE -fsanitize=${IOLITE_SANITIZE})
endif()

# Distributions build everything with link-time optimisation. It breaks what is loaded into programs: entries of wrapped functions are
# assembler that names functions of the same file, and static libraries are for compilers of others. Nor can files be put together:
# names that are static are a file's own.
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION OFF)
set(CMAKE_UNITY_BUILD OFF)
string(TOUPPER "${CMAKE_BUILD_TYPE}" iolite_build_type)
if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${iolite_build_type}}" MATCHES "-flto")
  add_compile_options(-fno-lto)
endif()
