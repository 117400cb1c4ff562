# SPDX-License-Identifier: BSD-3-Clause
# Target stretto::headers: include/stretto, and the library behind src/version.hpp. Every build reads the
# revision. It has its own source file, so that a new commit recompiles nothing else.

include(GNUInstallDirs)

set(version_file ${PROJECT_BINARY_DIR}/version.cpp)
find_package(Git QUIET)
add_custom_target(stretto_revision BYPRODUCTS ${version_file} VERBATIM COMMENT "Reading the revision"
  COMMAND ${CMAKE_COMMAND} -DOUTPUT=${version_file} -DVERSION=${PROJECT_VERSION}
          -DSOURCE=${PROJECT_SOURCE_DIR} -DGIT=${GIT_EXECUTABLE}
          -P ${PROJECT_SOURCE_DIR}/cmake/WriteVersion.cmake)

add_library(stretto_version STATIC ${version_file})
add_dependencies(stretto_version stretto_revision)
target_include_directories(stretto_version PRIVATE ${PROJECT_SOURCE_DIR}/src)

add_library(stretto_headers INTERFACE)
add_library(stretto::headers ALIAS stretto_headers)
target_compile_features(stretto_headers INTERFACE cxx_std_20)
target_link_libraries(stretto_headers INTERFACE stretto_version)
target_include_directories(stretto_headers INTERFACE ${PROJECT_SOURCE_DIR}/include)
