# SPDX-License-Identifier: BSD-3-Clause
# In a wheel the native programs are built for MPI's standard ABI, so that they run with any library that has it. Another mpi.h defines other handles, so this is a build of its own, of the same sources.

if(NOT STRETTO_PROGRAMS_ARE_ABI)
  return()
endif()
include(ExternalProject)
set(abi_build ${PROJECT_BINARY_DIR}/mpi-abi)
string(REPLACE ";" "|" abi_prefix "${CMAKE_PREFIX_PATH}")
ExternalProject_Add(stretto_abi
  SOURCE_DIR ${PROJECT_SOURCE_DIR}
  BINARY_DIR ${abi_build}
  LIST_SEPARATOR "|"
  CMAKE_ARGS -DSTRETTO_MPI=mpi-abi -DMPI_CXX_COMPILER=${STRETTO_MPICXX_ABI} -DSTRETTO_STATIC=${STRETTO_STATIC}
             -DSTRETTO_TESTS=OFF -DSTRETTO_EXAMPLES=OFF -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE}
             -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} -DCMAKE_PREFIX_PATH=${abi_prefix}
             -DCMAKE_BUILD_WITH_INSTALL_RPATH=ON -DCMAKE_INSTALL_RPATH=${STRETTO_WHEEL_RPATH}
  BUILD_COMMAND ${CMAKE_COMMAND} --build ${abi_build} --target stretto_programs
  BUILD_ALWAYS ON
  INSTALL_COMMAND "")
add_dependencies(stretto_programs stretto_abi)
install(DIRECTORY ${abi_build}/bin DESTINATION stretto/_native/mpi-abi USE_SOURCE_PERMISSIONS)
