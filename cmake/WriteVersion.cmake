# SPDX-License-Identifier: BSD-3-Clause
# Script: writes OUTPUT from INPUT with VERSION and the revision of the sources in SOURCE.

set(REVISION "unknown")
# Only where SOURCE is the top of a work tree: unpacked below somebody else's repository it has no revision.
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --tags --dirty
                  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(REVISION ${described})
  endif()
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
