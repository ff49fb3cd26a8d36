# SPDX-License-Identifier: BSD-3-Clause
#
# TriBITS' categories of tests, in both ways to build. BASIC is what every change has to pass and what a newcomer
# runs. NIGHTLY is what takes long and adds little to that: it differs from a BASIC test in scalar types alone, does
# not depend on how Kontract is built, or looks at more of the same. One category is built and run with those before
# it.

if(NOT Kontract_IN_TRIBITS)
  set(Kontract_TEST_CATEGORY NIGHTLY CACHE STRING "Tests to build: BASIC, or NIGHTLY for all")
  set_property(CACHE Kontract_TEST_CATEGORY PROPERTY STRINGS BASIC NIGHTLY)
  if(NOT Kontract_TEST_CATEGORY MATCHES "^(BASIC|NIGHTLY)$")
    message(FATAL_ERROR "Kontract_TEST_CATEGORY is ${Kontract_TEST_CATEGORY}, but has to be BASIC or NIGHTLY")
  endif()
endif()

# kontract_test_category(<category> <is_wanted> <is_nightly>): the category, and whether this build has it. TriBITS
# decides that by itself.
function(kontract_test_category category is_wanted is_nightly)
  set(result BASIC)
  set(wanted ON)
  if(is_nightly)
    set(result NIGHTLY)
    if(NOT Kontract_IN_TRIBITS AND Kontract_TEST_CATEGORY STREQUAL "BASIC")
      set(wanted OFF)
    endif()
  endif()
  set(${category} ${result} PARENT_SCOPE)
  set(${is_wanted} ${wanted} PARENT_SCOPE)
endfunction()
