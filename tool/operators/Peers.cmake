# SPDX-License-Identifier: BSD-3-Clause
#
# Looks for the libraries that kontract_operators compares with: libCEED, at CEED_DIR or by pkg-config, and
# MFEM, built by CMake, at MFEM_DIR. Sets
#   operators_sources      files for those that were found
#   operators_libraries    to link with
#   operators_definitions  KONTRACT_OPERATORS_HAVE_<NAME> for each

set(operators_sources "")
set(operators_libraries "")
set(operators_definitions "")
set(operators_missing "")

set(CEED_DIR "" CACHE PATH "Where libCEED is, for kontract_operators")
set(ceed_hints "${CEED_DIR}" "$ENV{CEED_DIR}")
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(Kontract_PC_CEED QUIET ceed)
endif()
find_path(Kontract_CEED_INCLUDE_DIR ceed.h HINTS ${ceed_hints} PATH_SUFFIXES include
  PATHS ${Kontract_PC_CEED_INCLUDE_DIRS})
find_library(Kontract_CEED_LIBRARY ceed HINTS ${ceed_hints} PATH_SUFFIXES lib
  PATHS ${Kontract_PC_CEED_LIBRARY_DIRS})
mark_as_advanced(Kontract_CEED_INCLUDE_DIR Kontract_CEED_LIBRARY)
if(Kontract_CEED_INCLUDE_DIR AND Kontract_CEED_LIBRARY)
  add_library(kontract_operators_ceed INTERFACE)
  target_include_directories(kontract_operators_ceed SYSTEM INTERFACE "${Kontract_CEED_INCLUDE_DIR}")
  target_link_libraries(kontract_operators_ceed INTERFACE "${Kontract_CEED_LIBRARY}")
  list(APPEND operators_sources PeerCeed.cpp)
  list(APPEND operators_libraries kontract_operators_ceed)
  list(APPEND operators_definitions KONTRACT_OPERATORS_HAVE_CEED)
else()
  list(APPEND operators_missing libCEED)
endif()

# find_package() looks at MFEM_DIR for the file alone; a prefix is a hint.
find_package(MFEM CONFIG QUIET HINTS "${MFEM_DIR}" "$ENV{MFEM_DIR}")
if(MFEM_FOUND AND TARGET mfem)
  add_library(kontract_operators_mfem INTERFACE)
  target_include_directories(kontract_operators_mfem SYSTEM INTERFACE ${MFEM_INCLUDE_DIRS})
  target_link_libraries(kontract_operators_mfem INTERFACE mfem)
  list(APPEND operators_sources PeerMfem.cpp)
  list(APPEND operators_libraries kontract_operators_mfem)
  list(APPEND operators_definitions KONTRACT_OPERATORS_HAVE_MFEM)
else()
  list(APPEND operators_missing MFEM)
endif()

if(operators_missing)
  string(REPLACE ";" ", " operators_missing "${operators_missing}")
  message(STATUS "Kontract: kontract_operators goes without ${operators_missing}, not found")
endif()
