# SPDX-License-Identifier: BSD-3-Clause
# Builds a library from each component of src/, and defines the compile options of every target.

# stretto_flags: options of the tested code; stretto_test_flags: options of the tests.
foreach(flags stretto_flags stretto_test_flags)
  add_library(${flags} INTERFACE)
  target_compile_options(${flags} INTERFACE -Wall -Wextra -Wpedantic
                         $<$<COMPILE_LANGUAGE:C,CXX>:-Wno-missing-field-initializers>)
endforeach()
if(STRETTO_SANITIZE STREQUAL "thread")
  # This sanitizer does not model fences, and knows nothing of other processes; -Wno-tsan silences the warning.
  set(sanitizers -fsanitize=thread -fno-omit-frame-pointer -Wno-tsan)
  set(test_sanitizers ${sanitizers})
elseif(STRETTO_SANITIZE)
  # Undefined behaviour ends the program, because a message alone fails no test. A null pointer ends it anyway, and the
  # address sanitizer checks sizes and stray pointers. Alignment is checked in onesided only, where bytes become structs:
  # everywhere, alignment and pointer checks would take a third of the compile time. Test sources are mostly macros,
  # which take minutes to instrument, so they get the address sanitizer only.
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

# Headers take about half of a source's compile time, even of a large one, so all sources of a target are compiled as one.
option(STRETTO_UNITY "Compile sources together; OFF where they change often" ON)
# Relative paths in what is compiled, so that ccache knows it in another clone (CMake 4; an older one ignores this).
set(CMAKE_UNITY_BUILD_RELOCATABLE ON)
if(STRETTO_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With memory to spare the compiler collects garbage less often: a large unit compiles up to a fifth faster.
  cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
  cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR memory_mib "${memory_mib} / ${cores}")
  if(memory_mib GREATER 4096)
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
  endif()
endif()

# stretto_unity(TARGET [FILES]): compiles the target's sources together under STRETTO_UNITY, at most FILES in one unit.
function(stretto_unity target)
  set(files 0)
  if(ARGC GREATER 1)
    set(files ${ARGV1})
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${STRETTO_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# stretto_component(NAME SOURCES file... USES component-or-library... [LEVEL n]): a static library of src/.
# LEVEL: optimisation, where -O3 gains nothing and compiles longer: 2 where no loop vectorises, 1 for code that runs a few
# times in a program.
function(stretto_component name)
  cmake_parse_arguments(COMPONENT "" "LEVEL" "SOURCES;USES" ${ARGN})
  add_library(stretto_${name} STATIC ${COMPONENT_SOURCES})
  add_library(stretto::${name} ALIAS stretto_${name})
  target_include_directories(stretto_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(stretto_${name} PUBLIC stretto::headers ${COMPONENT_USES}
                        PRIVATE stretto_flags)
  if(COMPONENT_LEVEL)
    target_compile_options(stretto_${name} PRIVATE $<$<CONFIG:Release>:-O${COMPONENT_LEVEL}>)
  endif()
  stretto_unity(stretto_${name})
endfunction()

# stretto_sources(OUT NAME...): the sources of components, to compile them for another mpi.h.
function(stretto_sources out)
  set(sources "")
  foreach(component ${ARGN})
    get_target_property(directory stretto_${component} SOURCE_DIR)
    get_target_property(files stretto_${component} SOURCES)
    list(TRANSFORM files PREPEND ${directory}/)
    list(APPEND sources ${files})
  endforeach()
  set(${out} ${sources} PARENT_SCOPE)
endfunction()

# stretto_program(NAME SOURCES file... USES component-or-library...): a program in <build>/bin, which is installed.
function(stretto_program name)
  cmake_parse_arguments(PROGRAM "" "" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${PROGRAM_SOURCES})
  target_link_libraries(${name} PRIVATE ${PROGRAM_USES} stretto_flags)
endfunction()
