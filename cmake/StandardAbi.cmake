# SPDX-License-Identifier: BSD-3-Clause
# MPI's standard ABI, for which MPICH has wrappers of its own: STRETTO_MPICXX_ABI, empty where there is none, and
# stretto_use_standard_abi(TARGET...), which compiles and links targets for it.
set(STRETTO_MPICXX_ABI "")
if(NOT STRETTO_MPI STREQUAL "mpich")
  return()
endif()
cmake_path(GET MPI_CXX_COMPILER PARENT_PATH mpi_bin)
find_program(stretto_mpicxx_abi mpicxx_abi HINTS ${mpi_bin} NO_DEFAULT_PATH)
if(NOT stretto_mpicxx_abi)
  return()
endif()
set(STRETTO_MPICXX_ABI ${stretto_mpicxx_abi})

execute_process(COMMAND ${STRETTO_MPICXX_ABI} -show OUTPUT_VARIABLE command COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(command UNIX_COMMAND "${command}")
set(stretto_abi_options ${command})
list(FILTER stretto_abi_options INCLUDE REGEX "^-[DI]")
foreach(word ${command})
  if(word MATCHES "^-L(.*)")
    find_library(STRETTO_LIBMPI_ABI mpi_abi HINTS ${CMAKE_MATCH_1} NO_DEFAULT_PATH REQUIRED)
  endif()
endforeach()

function(stretto_use_standard_abi)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE ${stretto_abi_options})
    target_link_libraries(${target} PRIVATE ${STRETTO_LIBMPI_ABI})
    if(NOT STRETTO_MPI_IS_WHEEL)  # as the wrapper itself has it
      cmake_path(GET STRETTO_LIBMPI_ABI PARENT_PATH directory)
      target_link_options(${target} PRIVATE -Wl,-rpath,${directory})
    endif()
  endforeach()
endfunction()
