# SPDX-License-Identifier: BSD-3-Clause
# Manual pages of the command `stretto`, made by target stretto_manual_pages in
# STRETTO_MANUAL_PAGES and installed below share/. Without Python 3.10 there are none.

set(STRETTO_MANUAL_PAGES ${PROJECT_BINARY_DIR}/share)
set(STRETTO_INSTALL_SHAREDIR ${CMAKE_INSTALL_DATADIR})
if(SKBUILD)
  set(STRETTO_INSTALL_SHAREDIR ${SKBUILD_DATA_DIR}/share)
endif()
add_custom_target(stretto_manual_pages)
find_package(Python3 3.10 QUIET COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "No manual pages: there is no Python 3.10")
  return()
endif()
file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/stretto/commands/*.py
     ${PROJECT_SOURCE_DIR}/python/stretto/options/*.py ${PROJECT_SOURCE_DIR}/scripts/*.py)
add_custom_command(OUTPUT ${STRETTO_MANUAL_PAGES}/man/man1/stretto.1
                   COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/man_pages.py ${STRETTO_MANUAL_PAGES}
                           ${PROJECT_VERSION}
                   DEPENDS ${sources} COMMENT "Manual pages" VERBATIM)
add_custom_target(stretto_manual_pages_made DEPENDS ${STRETTO_MANUAL_PAGES}/man/man1/stretto.1)
add_dependencies(stretto_manual_pages stretto_manual_pages_made)
