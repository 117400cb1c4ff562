# SPDX-License-Identifier: BSD-3-Clause
# How a room of src/ becomes a library, and what every target is compiled with.

# stretto_flags: of what is tested; stretto_test_flags: of the tests.
foreach(flags stretto_flags stretto_test_flags)
  add_library(${flags} INTERFACE)
  target_compile_options(${flags} INTERFACE -Wall -Wextra -Wpedantic -Wno-missing-field-initializers)
endforeach()
if(STRETTO_SANITIZE STREQUAL "thread")
  # Fences are not seen; those between processes are nothing that this sanitizer knows of anyway.
  set(sanitizers -fsanitize=thread -fno-omit-frame-pointer -Wno-tsan)
  set(test_sanitizers ${sanitizers})
elseif(STRETTO_SANITIZE)
  # Undefined behaviour ends the program: a message that scrolls by fails no test. A null pointer does so by itself;
  # sizes of objects, and where a pointer has strayed to, are the address sanitizer's affair. Alignment is checked where
  # bytes become structs (rma): everywhere, it and pointers take a third of the compiler's time. Tests are macros that
  # take minutes to instrument.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,object-size,vptr,alignment,pointer-overflow
                 -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  set(test_sanitizers -fsanitize=address -fno-omit-frame-pointer -O0)
endif()
if(STRETTO_SANITIZE)
  target_compile_options(stretto_flags INTERFACE ${sanitizers})
  target_compile_options(stretto_test_flags INTERFACE ${test_sanitizers})
  foreach(flags stretto_flags stretto_test_flags)
    target_link_options(${flags} INTERFACE ${sanitizers})
    target_compile_definitions(${flags} INTERFACE _GLIBCXX_ASSERTIONS)
  endforeach()
endif()

# Headers are about half of the time of a source, even of a large one, so all sources of a target are compiled as one.
option(STRETTO_UNITY "Compile sources together; OFF where they change often" ON)
if(STRETTO_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # The compiler collects its garbage less often where there is memory for it: a large unit compiles up to a fifth faster.
  cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR memory_mib "${memory_mib} / ${cores}")
  if(memory_mib GREATER 4096)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
  endif()
endif()

# stretto_unity(TARGET [FILES]): compiles its sources together, if that is asked for; at most so many at once.
function(stretto_unity target)
  set(files 0)
  if(ARGC GREATER 1)
    set(files ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${STRETTO_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# stretto_room(NAME SOURCES file... USES room-or-library... [TOGETHER n] [LEVEL n]): of a room that takes longest of all, so
# many sources at once. LEVEL: of optimisation, where -O3 gains nothing and takes longer: 2 where no loop is for vectors,
# 1 for what runs a few times in a program.
function(stretto_room name)
  cmake_parse_arguments(ROOM "" "TOGETHER;LEVEL" "SOURCES;USES" ${ARGN})
  add_library(stretto_${name} STATIC ${ROOM_SOURCES})
  add_library(stretto::${name} ALIAS stretto_${name})
  set_target_properties(stretto_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(stretto_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>)
  # The warnings are ours, not those of whoever links the installed library.
  target_link_libraries(stretto_${name} PUBLIC stretto::headers ${ROOM_USES}
                        PRIVATE $<BUILD_INTERFACE:stretto_flags>)
  if(ROOM_LEVEL)
    target_compile_options(stretto_${name} PRIVATE $<$<CONFIG:Release>:-O${ROOM_LEVEL}>)
  endif()
  stretto_unity(stretto_${name} ${ROOM_TOGETHER})
endfunction()

# stretto_program(NAME SOURCES file... USES room-or-library...): lands in <build>/bin, is installed.
function(stretto_program name)
  cmake_parse_arguments(PROGRAM "" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${PROGRAM_SOURCES})
  target_link_libraries(${name} PRIVATE ${PROGRAM_USES} stretto_flags)
endfunction()
