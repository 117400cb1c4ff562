# SPDX-License-Identifier: BSD-3-Clause
# Manual pages and shell completions of the command `stretto`, made by target stretto_shell_files in
# STRETTO_SHELL_FILES and installed below share/. Without Python 3.10 there are none.

set(STRETTO_SHELL_FILES ${PROJECT_BINARY_DIR}/share)
set(STRETTO_INSTALL_SHAREDIR ${CMAKE_INSTALL_DATADIR})
if(SKBUILD)
  set(STRETTO_INSTALL_SHAREDIR ${SKBUILD_DATA_DIR}/share)
endif()
add_custom_target(stretto_shell_files)
find_package(Python3 3.10 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "No manual pages and completions: there is no Python 3.10")
  return()
endif()
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/stretto/commands/*.py
     ${PROJECT_SOURCE_DIR}/python/stretto/options/*.py ${PROJECT_SOURCE_DIR}/scripts/*.py)
add_custom_command(OUTPUT ${STRETTO_SHELL_FILES}/man/man1/stretto.1
                   COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/shell_files.py ${STRETTO_SHELL_FILES}
                           ${PROJECT_VERSION}
                   DEPENDS ${sources} COMMENT "Manual pages and completions" VERBATIM)
add_custom_target(stretto_shell_files_made DEPENDS ${STRETTO_SHELL_FILES}/man/man1/stretto.1)
add_dependencies(stretto_shell_files stretto_shell_files_made)
