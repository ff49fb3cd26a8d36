# SPDX-License-Identifier: BSD-3-Clause
#
# Programs on parts that Gmsh meshes; what they have in common is in example/mesh.

include(${CMAKE_CURRENT_LIST_DIR}/KontractExample.cmake)

find_path(Gmsh_INCLUDE_DIR NAMES gmsh.h DOC "Folder of Gmsh's C++ interface")
find_library(Gmsh_LIBRARY NAMES gmsh DOC "Gmsh's library")
mark_as_advanced(Gmsh_INCLUDE_DIR Gmsh_LIBRARY)

# kontract_mesh_example(<name> SOURCES <file>... [FILES <file>...]): as kontract_example().
macro(kontract_mesh_example name)
  cmake_parse_arguments(mesh_example "" "" "SOURCES;FILES" ${ARGN})
  set(mesh_dir ${CMAKE_CURRENT_SOURCE_DIR}/../mesh)
  set(mesh_example_COMMON)
  foreach(part IN ITEMS Comparison Element Geometry Gmsh Input Mesh Picture Program Solver System
          SystemPlan Vtk VtkNodes)
    list(APPEND mesh_example_COMMON ${mesh_dir}/Example${part}.cpp)
  endforeach()
  foreach(file IN ITEMS part_with_hole.geo unit_cube.geo plot_solution.py plot_assembly.py)
    list(APPEND mesh_example_FILES ${mesh_dir}/${file})
  endforeach()
  if(Gmsh_INCLUDE_DIR AND Gmsh_LIBRARY)
    kontract_example(${name}
      PACKAGES Intrepid2 Tpetra Belos Zoltan2
      FIRST_OF MueLu Ifpack2
      LIBRARIES ${Gmsh_LIBRARY}
      INCLUDES ${Gmsh_INCLUDE_DIR}
      FILES ${mesh_example_FILES}
      SOURCES ${mesh_example_SOURCES}
      COMMON_SOURCES ${mesh_example_COMMON})
  else()
    set(KontractExample_TESTS OFF)
    kontract_example_leave_out(${name} "gmsh not found (Debian: libgmsh-dev)")
  endif()
  if(KontractExample_TARGET)
    target_include_directories(${KontractExample_TARGET} PRIVATE ${mesh_dir})
  endif()
endmacro()
