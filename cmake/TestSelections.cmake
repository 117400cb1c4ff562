# SPDX-License-Identifier: BSD-3-Clause
# What scripts/run_tests.py builds, for parts of the tests that need less than everything:
# stretto_tests_quick for `make test`, stretto_tests_change for `.ci/run`.

# stretto_built_below(OUT DIRECTORY): the targets that `all` builds in the directory and below.
function(stretto_built_below out directory)
  get_property(targets DIRECTORY ${directory} PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subdirectories DIRECTORY ${directory} PROPERTY SUBDIRECTORIES)
  set(found "")
  foreach(target ${targets})
    get_target_property(type ${target} TYPE)
    get_target_property(excluded ${target} EXCLUDE_FROM_ALL)
    if(NOT type STREQUAL "INTERFACE_LIBRARY" AND NOT excluded)
      list(APPEND found ${target})
    endif()
  endforeach()
  foreach(subdirectory ${subdirectories})
    get_property(excluded DIRECTORY ${subdirectory} PROPERTY EXCLUDE_FROM_ALL)
    if(NOT excluded)
      stretto_built_below(below ${subdirectory})
      list(APPEND found ${below})
    endif()
  endforeach()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

stretto_built_below(everything ${PROJECT_SOURCE_DIR})

# The examples, and what is compiled once more for MPI's standard ABI, are for `.ci/run`.
set(quick ${everything})
list(FILTER quick EXCLUDE REGEX "^example_|_abi(_|$)|_mpi-abi_")

# The sanitized build has the unit tests, too.
set(change ${everything})
list(REMOVE_ITEM change unit_tests)

foreach(selection quick change)
  add_custom_target(stretto_tests_${selection})
  add_dependencies(stretto_tests_${selection} ${${selection}})
endforeach()
