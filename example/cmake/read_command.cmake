# SPDX-License-Identifier: BSD-3-Clause
#
# Sets ${command} to what comes after -- on the command line of a script.

set(command)
set(is_command OFF)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(is_command)
    list(APPEND command "${CMAKE_ARGV${i}}")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(is_command ON)
  endif()
endforeach()
