# SPDX-License-Identifier: BSD-3-Clause
# The Fortran modules of ARMCI and of the runtime, as sources in STRETTO_FORTRAN_MODULES: written from the C headers
# when CMake configures, because examples and tests name them as their sources.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(STRETTO_FORTRAN_MODULES ${PROJECT_BINARY_DIR}/include)
foreach(module armci stretto)
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${PROJECT_SOURCE_DIR}/scripts/${module}_fortran.py
                          ${STRETTO_FORTRAN_MODULES}/${module}/${module}.f90
                  COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/armci/*.h ${PROJECT_SOURCE_DIR}/include/stretto/*.h
     ${PROJECT_SOURCE_DIR}/include/stretto/c/*.h ${PROJECT_SOURCE_DIR}/scripts/*fortran*.py)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${headers})
