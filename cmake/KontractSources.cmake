# SPDX-License-Identifier: BSD-3-Clause
#
# Sources and headers of the library, room by room. Headers are installed flat, so their names are
# unique; while building, each room is an include directory.

set(Kontract_ROOMS base shape tiles algorithms select operations)
set(Kontract_INCLUDE_DIRS "")
set(Kontract_SOURCES "")
set(Kontract_HEADERS "")
set(src "${CMAKE_CURRENT_LIST_DIR}/../src")
get_filename_component(src "${src}" ABSOLUTE)
foreach(room ${Kontract_ROOMS})
  list(APPEND Kontract_INCLUDE_DIRS "${src}/${room}")
  file(GLOB sources CONFIGURE_DEPENDS "${src}/${room}/*.cpp")
  file(GLOB headers CONFIGURE_DEPENDS "${src}/${room}/*.hpp")
  list(APPEND Kontract_SOURCES ${sources})
  list(APPEND Kontract_HEADERS ${headers})
endforeach()
file(GLOB headers CONFIGURE_DEPENDS "${src}/*.hpp")
list(APPEND Kontract_HEADERS ${headers})
list(APPEND Kontract_INCLUDE_DIRS "${src}")

# Sums of products there are made of fused multiply-adds, which standard C++ does not do unasked.
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang")
  set_source_files_properties("${src}/tiles/Kontract_FadTiles.cpp" PROPERTIES
    COMPILE_OPTIONS -ffp-contract=fast)
endif()

# The generated headers.
set(Kontract_GENERATED_DIR "${CMAKE_CURRENT_BINARY_DIR}/generated")
foreach(name Version Config)
  configure_file("${src}/base/Kontract_${name}.hpp.in"
                 "${Kontract_GENERATED_DIR}/Kontract_${name}.hpp" @ONLY)
  list(APPEND Kontract_HEADERS "${Kontract_GENERATED_DIR}/Kontract_${name}.hpp")
endforeach()
list(APPEND Kontract_INCLUDE_DIRS "${Kontract_GENERATED_DIR}")
