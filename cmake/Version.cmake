# SPDX-License-Identifier: BSD-3-Clause
# Target stretto::headers: include/stretto and the generated stretto/version.hpp. The header is looked
# at in every build, and rewritten only when the revision has changed: then what includes it is stale.

set(version_header ${PROJECT_BINARY_DIR}/include/stretto/version.hpp)
find_package(Git QUIET)
set(write_version ${CMAKE_COMMAND}
    -DINPUT=${PROJECT_SOURCE_DIR}/include/stretto/version.hpp.in -DOUTPUT=${version_header}
    -DVERSION=${PROJECT_VERSION} -DSOURCE=${PROJECT_SOURCE_DIR} -DGIT=${GIT_EXECUTABLE}
    -P ${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake)
execute_process(COMMAND ${write_version} COMMAND_ERROR_IS_FATAL ANY)  # for tools that read headers before a build
add_custom_target(stretto_version_header COMMAND ${write_version} BYPRODUCTS ${version_header}
                  COMMENT "Looking at the revision" VERBATIM)

include(GNUInstallDirs)
add_library(stretto_headers INTERFACE)
add_library(stretto::headers ALIAS stretto_headers)
set_target_properties(stretto_headers PROPERTIES EXPORT_NAME headers)
add_dependencies(stretto_headers stretto_version_header)
target_compile_features(stretto_headers INTERFACE cxx_std_20)
target_include_directories(stretto_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
