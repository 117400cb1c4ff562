# SPDX-License-Identifier: BSD-3-Clause
# stretto_wrappers(OUT NAME SCRIPT COMPILER): sets OUT to the wrappers that SCRIPT generates for library NAME from
# calls.txt, for the functions that the header of a compiler wrapper's MPI declares.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

set(STRETTO_INTERPOSE ${CMAKE_CURRENT_LIST_DIR})

function(stretto_wrappers out name script compiler)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/mpi_header.cpp)
  file(CONFIGURE OUTPUT ${header} CONTENT "#include <mpi.h>\n")
  set(preprocessed ${CMAKE_CURRENT_BINARY_DIR}/${name}_mpi_header.txt)
  set(wrappers ${CMAKE_CURRENT_BINARY_DIR}/${name}_wrappers.cpp)
  set(described ${STRETTO_INTERPOSE}/calls.txt ${STRETTO_INTERPOSE}/calls.py ${STRETTO_INTERPOSE}/words.py)
  set(script ${CMAKE_CURRENT_SOURCE_DIR}/${script})
  add_custom_command(OUTPUT ${wrappers} VERBATIM COMMENT "Generating the wrappers of ${name}"
    DEPENDS ${script} ${described} ${compiler}
    COMMAND ${compiler} -E ${header} -o ${preprocessed}
    COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${STRETTO_INTERPOSE}
            ${Python3_EXECUTABLE} -B ${script} ${preprocessed} ${wrappers})
  set(${out} ${wrappers} PARENT_SCOPE)
endfunction()
