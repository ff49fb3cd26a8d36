# SPDX-License-Identifier: BSD-3-Clause
#
# Writes the commit of the source into a header, at each build; the file changes only if it does.
# Needs SOURCE, HEADER and GIT, which may be empty.

set(commit "unknown")
if(GIT)
  execute_process(COMMAND "${GIT}" -C "${SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE found RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(result EQUAL 0)
    set(commit "${found}")
  endif()
endif()
set(text "// Written by the build.\n#define KONTRACT_BENCH_COMMIT \"${commit}\"\n")
set(old "")
if(EXISTS "${HEADER}")
  file(READ "${HEADER}" old)
endif()
if(NOT old STREQUAL text)
  file(WRITE "${HEADER}" "${text}")
endif()
