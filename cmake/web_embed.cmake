# The bundle as a gzip stream and the style as text, as arrays of bytes: cmake -DOUT=... -DDIST=... -P web_embed.cmake
# The same input gives the same output: the time in the gzip header is set to zero.
cmake_policy(VERSION 3.18...3.25)
function(as_array variable hex)
  string(LENGTH "${hex}" length)
  math(EXPR length "${length} / 2")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(............................................................)" "\\1\n" bytes "${bytes}")
  set(${variable} "${bytes}" PARENT_SCOPE)
  set(${variable}_length ${length} PARENT_SCOPE)
endfunction()

file(READ ${DIST}/report.css css)
string(TOLOWER "${css}" lower)
string(FIND "${lower}" "</style" closes)
if(NOT closes EQUAL -1)
  message(FATAL_ERROR "${DIST}/report.css would end the style element it is put into")
endif()
file(READ ${DIST}/report.css css HEX)
as_array(style "${css}")

set(level COMPRESSION_LEVEL 9)
if(CMAKE_VERSION VERSION_LESS 3.19) # a little larger
  set(level)
endif()

get_filename_component(directory ${OUT} DIRECTORY)
file(MAKE_DIRECTORY ${directory})
function(as_packed_array variable file)
  set(packed ${OUT}.gz)
  file(ARCHIVE_CREATE OUTPUT ${packed} PATHS ${file} FORMAT raw COMPRESSION GZip ${level})
  file(READ ${packed} app HEX)
  file(REMOVE ${packed})
  string(SUBSTRING "${app}" 0 8 begin)
  string(SUBSTRING "${app}" 16 -1 rest)
  as_array(array "${begin}00000000${rest}")
  set(${variable} "${array}" PARENT_SCOPE)
  set(${variable}_length ${array_length} PARENT_SCOPE)
endfunction()
as_packed_array(app ${DIST}/report.js)

file(WRITE ${OUT} "/* Made from web/dist by the build. */\n#include \"report/html/html_internal.h\"\n
const unsigned char iol__web_app[] = {\n${app}\n};
const size_t iol__web_app_length = ${app_length};
const unsigned char iol__web_style[] = {\n${style}\n};
const size_t iol__web_style_length = ${style_length};\n")

# The portal: both files as gzip streams, as the server hands them out.
as_packed_array(portal_script ${DIST}/portal.js)
as_packed_array(portal_style ${DIST}/portal.css)
file(APPEND ${OUT} "#include \"serve/assets.h\"\n
const unsigned char iol__web_portal[] = {\n${portal_script}\n};
const size_t iol__web_portal_length = ${portal_script_length};
const unsigned char iol__web_portal_style[] = {\n${portal_style}\n};
const size_t iol__web_portal_style_length = ${portal_style_length};\n")
