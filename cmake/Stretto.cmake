# SPDX-License-Identifier: BSD-3-Clause
# How a room of src/ becomes a library, and what every target is compiled with.

add_library(stretto_flags INTERFACE)
target_compile_options(stretto_flags INTERFACE -Wall -Wextra -Wpedantic)
if(STRETTO_SANITIZE)
  target_compile_options(stretto_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer)
  target_link_options(stretto_flags INTERFACE -fsanitize=address,undefined)
endif()

# stretto_room(NAME SOURCES file... USES room-or-library...)
function(stretto_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;USES" ${ARGN})
  add_library(stretto_${name} STATIC ${ROOM_SOURCES})
  add_library(stretto::${name} ALIAS stretto_${name})
  target_include_directories(stretto_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(stretto_${name} PUBLIC ${ROOM_USES} PRIVATE stretto_flags)
endfunction()
