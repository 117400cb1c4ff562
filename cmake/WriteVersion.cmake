# SPDX-License-Identifier: BSD-3-Clause
# Script: writes OUTPUT, which defines what src/version.hpp declares: VERSION, and the revision of the
# sources in SOURCE. Leaves it alone when nothing has changed.

set(revision "unknown")
# Only the top of a work tree has a revision; sources unpacked inside another repository have none.
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --tags --dirty
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(revision ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "version.hpp"

constinit const std::string_view stretto::version = "@VERSION@";
constinit const std::string_view stretto::revision = "@revision@";
]])
