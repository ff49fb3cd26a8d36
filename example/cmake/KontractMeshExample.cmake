# SPDX-License-Identifier: BSD-3-Clause
#
# Programs on parts that Gmsh meshes; what they have in common is in example/mesh.

include(${CMAKE_CURRENT_LIST_DIR}/KontractExample.cmake)

find_path(Gmsh_INCLUDE_DIR NAMES gmsh.h DOC "Folder of Gmsh's C++ interface")
find_library(Gmsh_LIBRARY NAMES gmsh DOC "Gmsh's library")
mark_as_advanced(Gmsh_INCLUDE_DIR Gmsh_LIBRARY)

# Common parts, see kontract_example(): what assembles, solves and reports with any mesh, and what is on parts that
# Gmsh meshes. The preconditioner depends on the packages of the program.
get_filename_component(mesh_dir ${CMAKE_CURRENT_LIST_DIR}/../mesh ABSOLUTE)
set(KontractExample_system Comparison Input Picture Program Solver System SystemPlan)
set(KontractExample_mesh Element Geometry Gmsh Mesh Preconditioner Vtk VtkNodes)
foreach(part IN ITEMS system mesh)
  list(TRANSFORM KontractExample_${part} REPLACE "(.+)" "${mesh_dir}/Example\\1.cpp")
endforeach()

# kontract_mesh_example(<name> SOURCES <file>... [FILES <file>...]): as kontract_example().
macro(kontract_mesh_example name)
  cmake_parse_arguments(mesh_example "" "" "SOURCES;FILES" ${ARGN})
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
      COMMON system mesh)
  else()
    set(KontractExample_TESTS OFF)
    kontract_example_leave_out(${name} "gmsh not found (Debian: libgmsh-dev)")
  endif()
  if(KontractExample_TARGET)
    target_include_directories(${KontractExample_TARGET} PRIVATE ${mesh_dir})
  endif()
endmacro()
