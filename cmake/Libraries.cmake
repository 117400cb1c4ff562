# SPDX-License-Identifier: BSD-3-Clause
# The runtime, ARMCI, the kernels with the collectives, and the C interface as shared libraries, for programs of users:
# lib/stretto/FAMILY/libstretto_{rma,armci,kernels}.so and libstretto.so. Names and symbols are the same for every family of MPI; handles
# are not. Where MPICH has wrappers for MPI's standard ABI, there is a family `mpi-abi` of them, without the kernels.
# Target stretto_libraries builds them; STRETTO_LIBRARY_FAMILIES lists the families.

set(STRETTO_LIBRARY_FAMILIES "")
add_custom_target(stretto_libraries)
# Under pip everything but the programs goes into the package's directory.
set(STRETTO_INSTALL_PREFIX "")
if(SKBUILD)
  set(STRETTO_INSTALL_PREFIX stretto/_native/)
endif()
set(STRETTO_INSTALL_INCLUDEDIR ${STRETTO_INSTALL_PREFIX}${CMAKE_INSTALL_INCLUDEDIR})
set(STRETTO_INSTALL_LIBDIR ${STRETTO_INSTALL_PREFIX}lib)  # not lib64: one place on every system
if(STRETTO_SANITIZE OR NOT STRETTO_MPI MATCHES "^(mpich|openmpi)$")
  return()
endif()

# stretto_shared(TARGET NAME FAMILY SOURCES...): one shared library of a family.
function(stretto_shared target name family)
  add_library(${target} SHARED ${ARGN})
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME stretto_${name} EXPORT_NAME ${name} LINKER_LANGUAGE CXX
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/stretto/${family})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include
                             INTERFACE $<INSTALL_INTERFACE:${STRETTO_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE Threads::Threads)
  target_link_options(${target} PRIVATE -Wl,-z,defs)  # what is missing is missing here, not in a user's program
  add_dependencies(stretto_libraries ${target})
endfunction()

# stretto_family(FAMILY RMA ARMCI C): the libraries without the kernels; the sources of each may be objects.
function(stretto_family family rma armci c)
  stretto_shared(stretto_${family}_rma rma ${family} ${rma})
  target_compile_features(stretto_${family}_rma INTERFACE cxx_std_20)
  stretto_shared(stretto_${family}_armci armci ${family} ${armci})
  target_include_directories(stretto_${family}_armci
                             INTERFACE $<INSTALL_INTERFACE:${STRETTO_INSTALL_INCLUDEDIR}/armci>)
  target_link_libraries(stretto_${family}_armci PRIVATE stretto_${family}_rma)
  # C, Fortran and Python name one library, whatever it needs.
  stretto_shared(stretto_${family}_c c ${family} ${c})
  set_target_properties(stretto_${family}_c PROPERTIES OUTPUT_NAME stretto EXPORT_NAME stretto)
  target_link_libraries(stretto_${family}_c PRIVATE stretto_${family}_rma)
  set(STRETTO_LIBRARY_FAMILIES ${STRETTO_LIBRARY_FAMILIES} ${family} PARENT_SCOPE)
endfunction()

set(rma_components mpi rma)  # the runtime's components that use MPI
set(objects_without_mpi  # its other components
    $<TARGET_OBJECTS:stretto_network_profile> $<TARGET_OBJECTS:stretto_profile>
    $<TARGET_OBJECTS:stretto_onesided_plan> $<TARGET_OBJECTS:stretto_progress_thread>)
set(rma_objects ${objects_without_mpi})
foreach(component ${rma_components})
  list(APPEND rma_objects $<TARGET_OBJECTS:stretto_${component}>)
endforeach()
stretto_family(${STRETTO_MPI}
  "${rma_objects}"
  "$<TARGET_OBJECTS:stretto_armci>"
  "$<TARGET_OBJECTS:stretto_bindings>;$<TARGET_OBJECTS:stretto_bindings_kernels>")
# ARMCI alone, as one library for what is configured with --with-armci=PREFIX; `cmake --install DIR --component armci`.
stretto_shared(stretto_armci_prefix armci ${STRETTO_MPI} "${rma_objects}" "$<TARGET_OBJECTS:stretto_armci>")
set_target_properties(stretto_armci_prefix PROPERTIES OUTPUT_NAME armci
                      LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/armci)
target_link_libraries(stretto_armci_prefix PRIVATE stretto::mpi_library)
set(kernel_objects "")
foreach(component network_collectives collective exchange exchange_mpi plan fft sparse)
  list(APPEND kernel_objects $<TARGET_OBJECTS:stretto_${component}>)
endforeach()
stretto_shared(stretto_${STRETTO_MPI}_kernels kernels ${STRETTO_MPI} ${kernel_objects})
target_link_libraries(stretto_${STRETTO_MPI}_kernels PUBLIC stretto_${STRETTO_MPI}_rma PRIVATE ${STRETTO_FFTW_LIBRARY})
target_link_libraries(stretto_${STRETTO_MPI}_c PRIVATE stretto_${STRETTO_MPI}_kernels)
foreach(name rma armci c kernels)
  target_link_libraries(stretto_${STRETTO_MPI}_${name} PRIVATE stretto::mpi_library)
endforeach()

if(TARGET stretto_array_calls)
  add_dependencies(stretto_libraries stretto_array_calls)
endif()

if(NOT STRETTO_MPICXX_ABI)
  return()
endif()

# Another mpi.h defines other handles, so the sources that include it are compiled once more.
stretto_sources(rma_sources ${rma_components})
stretto_sources(armci_sources armci)
stretto_sources(c_sources bindings)
stretto_family(mpi-abi "${objects_without_mpi};${rma_sources}" "${armci_sources}" "${c_sources}")
# One unit each: headers take most of the compile time.
set_target_properties(stretto_mpi-abi_rma stretto_mpi-abi_armci stretto_mpi-abi_c PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
stretto_use_standard_abi(stretto_mpi-abi_rma stretto_mpi-abi_armci stretto_mpi-abi_c)
