# Warnings are errors on our own code, and sanitizers come in at one place.
add_library(iolite_flags INTERFACE)
target_compile_options(iolite_flags INTERFACE
  -Wall -Wextra -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wundef -Wvla -Werror)
target_include_directories(iolite_flags INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>)
target_compile_definitions(iolite_flags INTERFACE _GNU_SOURCE)
if(IOLITE_SANITIZE)
  target_compile_options(iolite_flags INTERFACE
    -fsanitize=${IOLITE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(iolite_flags INTERFACE -fsanitize=${IOLITE_SANITIZE})
endif()
