# SPDX-License-Identifier: BSD-3-Clause
#
# Makes the site of the documentation in a build directory. doc/site.py fails on warnings of doxygen and on broken links;
# that it finds those is tested with a page that has one.
#   cmake -DPYTHON=<program> -DDOXYGEN=<program> -DSOURCE=<repository> -DBINARY=<directory> -P Documentation.cmake

set(site "${PYTHON}" "${SOURCE}/doc/site.py" --doxygen "${DOXYGEN}" "${BINARY}")
execute_process(COMMAND ${site} RESULT_VARIABLE result ERROR_VARIABLE errors OUTPUT_QUIET)
if(NOT result EQUAL 0 OR NOT errors STREQUAL "")
  message(FATAL_ERROR "${errors}")
endif()
if(NOT EXISTS "${BINARY}/html/classKontract_1_1ArrayTools.html")
  message(FATAL_ERROR "doxygen made no page of Kontract::ArrayTools")
endif()

file(APPEND "${BINARY}/html/guide.html" "<a href=\"nowhere.html\">x</a><a href=\"forms.html#nowhere\">x</a>")
execute_process(COMMAND ${site} --check RESULT_VARIABLE result ERROR_VARIABLE errors OUTPUT_QUIET)
if(result EQUAL 0 OR NOT errors MATCHES "no nowhere.html" OR NOT errors MATCHES "no anchor forms.html#nowhere")
  message(FATAL_ERROR "two broken links were not found: ${errors}")
endif()
