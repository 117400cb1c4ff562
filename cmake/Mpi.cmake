# SPDX-License-Identifier: BSD-3-Clause
# The MPI of this build: target stretto::mpi_library (linked only by what uses MPI), the family in
# STRETTO_MPI, and STRETTO_MPIEXEC. One build has one MPI, because handles differ between families.

add_library(stretto_mpi_library INTERFACE)
add_library(stretto::mpi_library ALIAS stretto_mpi_library)

# Under scikit-build-core the MPI is the wheel `mpich`: next to the Python without build isolation, on
# PATH with it. Programs then find the library relative to their own directory.
set(STRETTO_MPI_IS_WHEEL OFF)
if(SKBUILD AND NOT MPI_CXX_COMPILER)
  set(STRETTO_MPI_IS_WHEEL ON)
  cmake_path(GET Python_EXECUTABLE PARENT_PATH python_bin)
  find_program(STRETTO_WHEEL_MPICXX mpicxx HINTS ${python_bin} REQUIRED)
  set(MPI_CXX_COMPILER ${STRETTO_WHEEL_MPICXX})
endif()

# Sets `out` to the family whose mpi.h the compiler sees; MPICH's many descendants define its macro. The header of MPI's
# standard ABI has neither library's macro.
function(stretto_detect_mpi_family out)
  include(CheckCXXSymbolExists)
  set(CMAKE_REQUIRED_LIBRARIES MPI::MPI_CXX)
  if(STRETTO_MPI STREQUAL "mpi-abi")  # FindMPI does not take it from MPICH's wrapper
    set(CMAKE_REQUIRED_DEFINITIONS -DMPI_ABI)
  endif()
  check_cxx_symbol_exists(OPEN_MPI mpi.h STRETTO_MPI_H_IS_OPENMPI)
  check_cxx_symbol_exists(MPICH_VERSION mpi.h STRETTO_MPI_H_IS_MPICH)
  check_cxx_symbol_exists(MPI_ABI_VERSION mpi.h STRETTO_MPI_H_IS_ABI)
  if(STRETTO_MPI_H_IS_OPENMPI)
    set(${out} openmpi PARENT_SCOPE)
  elseif(STRETTO_MPI_H_IS_MPICH)
    set(${out} mpich PARENT_SCOPE)
  elseif(STRETTO_MPI_H_IS_ABI)
    set(${out} mpi-abi PARENT_SCOPE)
  else()
    message(FATAL_ERROR "${MPI_CXX_COMPILER} is neither MPICH nor Open MPI (nor derived from them): "
                        "give another compiler wrapper with -DMPI_CXX_COMPILER=/path/to/mpicxx")
  endif()
endfunction()

# SMPI is a compiler wrapper: its macros replace sleep() and clock_gettime() by simulated time, and it links a
# shared object that smpirun loads. Its flags become those of the MPI target, and the compiler stays that of the other
# families, so that sources without MPI are compiled once for all of them.
function(stretto_use_smpi target)
  find_program(STRETTO_SMPICXX smpicxx REQUIRED)
  execute_process(COMMAND ${STRETTO_SMPICXX} -show OUTPUT_VARIABLE command COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(command UNIX_COMMAND "${command}")
  set(option "")
  foreach(word ${command})
    if(option STREQUAL "-include")
      target_compile_options(${target} INTERFACE "SHELL:-include ${word}")
    elseif(word MATCHES "^-I(.*)")
      target_include_directories(${target} SYSTEM INTERFACE ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-L(.*)")
      target_link_directories(${target} INTERFACE ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-l")
      target_link_libraries(${target} INTERFACE ${word})
    elseif(word MATCHES "^-(shared|Wl,.*)")
      target_link_options(${target} INTERFACE ${word})
    endif()
    set(option ${word})
  endforeach()
  target_compile_options(${target} INTERFACE -fPIC)  # of programs, too
  target_compile_definitions(${target} INTERFACE STRETTO_SIMGRID)
endfunction()

if(STRETTO_MPI STREQUAL "simgrid")
  stretto_use_smpi(stretto_mpi_library)
  find_program(STRETTO_MPIEXEC smpirun REQUIRED)
elseif(STRETTO_MPI STREQUAL "none")
  set(STRETTO_MPIEXEC "")
else()
  set(MPI_CXX_SKIP_MPICXX ON)  # the C++ bindings of MPI-2, gone since MPI-3
  find_package(MPI REQUIRED COMPONENTS CXX)
  stretto_detect_mpi_family(family)
  if(NOT STRETTO_MPI STREQUAL "auto" AND NOT STRETTO_MPI STREQUAL family)
    message(FATAL_ERROR "STRETTO_MPI=${STRETTO_MPI}, but ${MPI_CXX_COMPILER} belongs to ${family}: "
                        "give the right wrapper with -DMPI_CXX_COMPILER=/path/to/mpicxx")
  endif()
  # In the cache, because scripts read the family of a build directory there.
  set(STRETTO_MPI ${family} CACHE STRING "Family of the MPI to build against" FORCE)
  target_link_libraries(stretto_mpi_library INTERFACE MPI::MPI_CXX)
  if(STRETTO_MPI STREQUAL "mpi-abi")
    target_compile_definitions(stretto_mpi_library INTERFACE MPI_ABI)
  endif()
  # The launcher must be of the same installation as the library, else every rank is alone.
  cmake_path(GET MPI_CXX_COMPILER PARENT_PATH mpi_bin)
  cmake_path(GET MPI_CXX_COMPILER EXTENSION flavour)  # Debian: mpicxx.openmpi, mpiexec.openmpi
  find_program(STRETTO_MPIEXEC NAMES mpiexec${flavour} mpiexec mpirun HINTS ${mpi_bin} REQUIRED)
endif()
message(STATUS "MPI: ${STRETTO_MPI} ${MPI_CXX_COMPILER}, launched by ${STRETTO_MPIEXEC}")

# Sources that include mpi.h are compiled once for each MPI; a build for tests need not optimise them.
option(STRETTO_QUICK "A build for tests only: what is compiled for this MPI alone is not optimised" OFF)
if(STRETTO_QUICK)
  target_compile_options(stretto_mpi_library INTERFACE $<$<NOT:$<STREQUAL:$<TARGET_PROPERTY:FOLDER>,tests>>:-O0>)
endif()
