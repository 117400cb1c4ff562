# SPDX-License-Identifier: BSD-3-Clause
# Target stretto::headers: include/stretto with the generated stretto/version.hpp. The revision is looked at in
# every build; it is a source file of its own, so that a new commit compiles nothing else.

include(GNUInstallDirs)
configure_file(${PROJECT_SOURCE_DIR}/include/stretto/version.hpp.in include/stretto/version.hpp @ONLY)

set(revision_file ${PROJECT_BINARY_DIR}/revision.cpp)
find_package(Git QUIET)
add_custom_target(stretto_revision BYPRODUCTS ${revision_file} VERBATIM COMMENT "Looking at the revision"
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${revision_file} -DSOURCE=${PROJECT_SOURCE_DIR} -DGIT=${GIT_EXECUTABLE}
          -P ${PROJECT_SOURCE_DIR}/cmake/WriteRevision.cmake)

add_library(stretto_version STATIC ${revision_file})
set_target_properties(stretto_version PROPERTIES EXPORT_NAME version)
add_dependencies(stretto_version stretto_revision)

add_library(stretto_headers INTERFACE)
add_library(stretto::headers ALIAS stretto_headers)
set_target_properties(stretto_headers PROPERTIES EXPORT_NAME headers)
target_compile_features(stretto_headers INTERFACE cxx_std_20)
target_link_libraries(stretto_headers INTERFACE stretto_version)
target_include_directories(stretto_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_include_directories(stretto_version PRIVATE ${PROJECT_BINARY_DIR}/include)
