# SPDX-License-Identifier: BSD-3-Clause
# What `cmake --install` and `pip install` install: every program of src/tools and stretto-run, the platforms, and for
# find_package(stretto) the runtime, ARMCI and the kernels with their headers.

# stretto_targets_below(OUT DIRECTORY TYPE): the targets of this type that the directory defines.
function(stretto_targets_below out directory type)
  set(found "")
  if(EXISTS ${PROJECT_SOURCE_DIR}/${directory}/CMakeLists.txt)
    get_property(targets DIRECTORY ${PROJECT_SOURCE_DIR}/${directory} PROPERTY BUILDSYSTEM_TARGETS)
    foreach(target ${targets})
      get_target_property(target_type ${target} TYPE)
      if(target_type STREQUAL type)
        list(APPEND found ${target})
      endif()
    endforeach()
  endif()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

stretto_targets_below(programs src/tools EXECUTABLE)
stretto_targets_below(kernels proxies/kernels EXECUTABLE)  # what `stretto run ft` starts
list(APPEND programs ${kernels})
# A wheel has the programs for MPI's standard ABI instead (cmake/Abi.cmake).
set(STRETTO_PROGRAMS_ARE_ABI OFF)
if(STRETTO_MPI_IS_WHEEL AND STRETTO_MPICXX_ABI)
  set(STRETTO_PROGRAMS_ARE_ABI ON)
  set(programs "")
endif()
add_custom_target(stretto_programs DEPENDS ${programs})  # all that a build has for users; `make probe` answers with stretto_first

# `make papers` evaluates the papers' kernels with it.
if(TARGET stretto-kernel-plans AND NOT SKBUILD)
  add_dependencies(stretto_programs stretto-kernel-plans)
endif()

# Libraries to preload into applications. Each MPI's has the same name, so each MPI has a directory of its own.
set(preloads "")
foreach(component memory trace collective progress tools)
  stretto_targets_below(found src/${component} SHARED_LIBRARY)
  list(APPEND preloads ${found})
endforeach()
if(preloads)
  add_dependencies(stretto_programs ${preloads})
endif()
# What most users start, which scripts/native builds before the rest: probes, recorder, analysis, progress library.
stretto_targets_below(first src/tools EXECUTABLE)
foreach(component trace progress)
  stretto_targets_below(found src/${component} SHARED_LIBRARY)
  list(APPEND first ${found})
endforeach()
add_custom_target(stretto_first DEPENDS ${first})
# Installs what instrumented programs link to the directory of libstretto_memory.so, where the compiler wrappers look for it.
function(stretto_install_memory_calls directory)
  if(TARGET stretto_memory_calls)
    install(TARGETS stretto_memory_calls ARCHIVE DESTINATION ${directory})
    install(FILES ${PROJECT_BINARY_DIR}/lib/stretto_memory_in_line.s DESTINATION ${directory})
  endif()
endfunction()

# `make probe` builds the programs alone: what an installation lacks is built first.
if(NOT SKBUILD)
  set(installed_files "")
  foreach(target ${programs} ${preloads})
    string(APPEND installed_files " \"$<TARGET_FILE:${target}>\"")
  endforeach()
  foreach(family ${STRETTO_LIBRARY_FAMILIES})
    string(APPEND installed_files " \"$<TARGET_FILE:stretto_${family}_rma>\" \"$<TARGET_FILE:stretto_${family}_armci>\" \"$<TARGET_FILE:stretto_${family}_c>\"")
  endforeach()
  if(TARGET stretto_${STRETTO_MPI}_kernels)
    string(APPEND installed_files " \"$<TARGET_FILE:stretto_${STRETTO_MPI}_kernels>\"")
  endif()
  if(TARGET stretto_array_calls)
    string(APPEND installed_files " \"$<TARGET_FILE:stretto_array_calls>\"")
  endif()
  if(TARGET stretto_manual_pages_made)
    string(APPEND installed_files " \"${STRETTO_MANUAL_PAGES}/man/man1/stretto.1\"")
  endif()
  install(CODE "
    foreach(file${installed_files})
      if(NOT EXISTS \"\${file}\")
        message(STATUS \"Building what is not built yet, such as \${file}\")
        execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${PROJECT_BINARY_DIR}\"
                                --target stretto_programs stretto_libraries stretto_manual_pages
                        COMMAND_ERROR_IS_FATAL ANY)
        break()
      endif()
    endforeach()")
endif()

# ENV/lib/pythonX.Y/site-packages/stretto/_native/FAMILY/bin -> ENV/lib, where the wheel `mpich` has its libraries
set(STRETTO_WHEEL_RPATH "$ORIGIN/../../../../../..")
if(STRETTO_MPI_IS_WHEEL)
  set_target_properties(${programs} ${preloads} PROPERTIES INSTALL_RPATH "${STRETTO_WHEEL_RPATH}")
else()
  set_target_properties(${programs} ${preloads} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
endif()

# The libraries of the runtime, of ARMCI and of the C interface, a directory and an export of targets for each family of MPI.
set(package_dir ${STRETTO_INSTALL_LIBDIR}/cmake/stretto)
foreach(family ${STRETTO_LIBRARY_FAMILIES})
  set(libraries stretto_${family}_rma stretto_${family}_armci stretto_${family}_c)
  if(TARGET stretto_${family}_kernels)
    list(APPEND libraries stretto_${family}_kernels)
  endif()
  if(STRETTO_MPI_IS_WHEEL)
    # ENV/lib/pythonX.Y/site-packages/stretto/_native/lib/stretto/mpich -> ENV/lib
    set_target_properties(${libraries} PROPERTIES INSTALL_RPATH "$ORIGIN;$ORIGIN/../../../../../../..")
  else()
    set_target_properties(${libraries} PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
  install(TARGETS ${libraries} EXPORT stretto-${family}
          LIBRARY DESTINATION ${STRETTO_INSTALL_LIBDIR}/stretto/${family})
  install(EXPORT stretto-${family} NAMESPACE stretto:: FILE strettoRuntime-${family}.cmake
          DESTINATION ${package_dir})
endforeach()

if(TARGET stretto_array_calls)
  install(TARGETS stretto_array_calls LIBRARY DESTINATION ${STRETTO_INSTALL_LIBDIR}/stretto)
endif()

# Headers are installed together with the libraries that implement them, never alone.
if(STRETTO_LIBRARY_FAMILIES)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/armci ${STRETTO_FORTRAN_MODULES}/armci ${STRETTO_FORTRAN_MODULES}/stretto
          DESTINATION ${STRETTO_INSTALL_INCLUDEDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/stretto DESTINATION ${STRETTO_INSTALL_INCLUDEDIR}
          FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.f90")
endif()

# A prefix for --with-armci: the headers in include/ itself, and all of ARMCI in one library.
if(TARGET stretto_armci_prefix)
  set_target_properties(stretto_armci_prefix PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS stretto_armci_prefix LIBRARY DESTINATION lib COMPONENT armci EXCLUDE_FROM_ALL)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/armci/ ${STRETTO_FORTRAN_MODULES}/armci/ DESTINATION include
          COMPONENT armci EXCLUDE_FROM_ALL)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/armci.pc.in armci.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/armci.pc DESTINATION lib/pkgconfig COMPONENT armci EXCLUDE_FROM_ALL)
endif()

# For pkg-config: the libraries of each family; of the build's own family also without its name.
function(stretto_pkg_config name family library requires description)
  set(PC_NAME ${name})
  set(PC_FAMILY ${family})
  set(PC_REQUIRES "${requires}")
  set(PC_DESCRIPTION "${description}")
  set(PC_INCLUDE "")
  set(PC_LIBRARY stretto_${library})
  if(library STREQUAL "c")
    set(PC_LIBRARY stretto)
  elseif(library STREQUAL "armci")
    set(PC_INCLUDE " -I\${includedir}/armci")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/stretto.pc.in ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/pkgconfig/${name}.pc DESTINATION ${STRETTO_INSTALL_LIBDIR}/pkgconfig)
endfunction()
foreach(family ${STRETTO_LIBRARY_FAMILIES})
  set(suffixes "-${family}")
  if(family STREQUAL STRETTO_MPI)
    list(APPEND suffixes "")
  endif()
  foreach(suffix IN LISTS suffixes)
    stretto_pkg_config(stretto-rma${suffix} ${family} rma "" "the one-sided runtime")
    stretto_pkg_config(stretto${suffix} ${family} c "" "the one-sided runtime for C and Fortran")
    stretto_pkg_config(stretto-armci${suffix} ${family} armci "stretto-rma${suffix}" "ARMCI over the one-sided runtime")
    if(TARGET stretto_${family}_kernels)
      stretto_pkg_config(stretto-kernels${suffix} ${family} kernels "stretto-rma${suffix}" "transforms, sparse products, collectives")
    endif()
  endforeach()
endforeach()

include(CMakePackageConfigHelpers)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/strettoConfig.cmake.in strettoConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(strettoConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/strettoConfig.cmake ${PROJECT_BINARY_DIR}/strettoConfigVersion.cmake
        DESTINATION ${package_dir})

install(DIRECTORY ${STRETTO_MANUAL_PAGES}/ DESTINATION ${STRETTO_INSTALL_SHAREDIR} OPTIONAL)

if(SKBUILD)
  if(programs)
    install(TARGETS ${programs} DESTINATION stretto/_native/${STRETTO_MPI}/bin)
  endif()
  if(preloads)
    install(TARGETS ${preloads} LIBRARY DESTINATION stretto/_native/${STRETTO_MPI}/lib)
  endif()
  stretto_install_memory_calls(stretto/_native/${STRETTO_MPI}/lib)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/platforms/ DESTINATION stretto/platforms)
  return()
endif()

install(TARGETS ${programs})
if(preloads)
  install(TARGETS ${preloads} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/stretto/${STRETTO_MPI})
endif()
stretto_install_memory_calls(${CMAKE_INSTALL_LIBDIR}/stretto/${STRETTO_MPI})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/platforms/ DESTINATION ${CMAKE_INSTALL_DATADIR}/stretto/platforms)
