# SPDX-License-Identifier: BSD-3-Clause
#
# Sources and headers of the library, room by room. Headers are installed flat, so their names are
# unique; while building, each room is an include directory.

set(Kontract_ROOMS base host shape tiles algorithms select operations fused stream)
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
# Parts of headers that are installed with them and do not compile on their own.
file(GLOB Kontract_HEADER_PARTS CONFIGURE_DEPENDS "${src}/base/*.ipp")
list(APPEND Kontract_INCLUDE_DIRS "${src}")

# Host kernels are compiled once for each instruction set that the compiler knows, and chosen when
# running, so these options hold whatever the rest of the build is compiled for. They contract
# a*b+c, which -std=c++17 without extensions stops GCC from doing.
set(Kontract_INSTRUCTION_SETS all CACHE STRING
    "Host kernels: all, of which the best that a machine has is taken when running; or native, which halves the \
time to build a library that runs on machines like this one alone")
set_property(CACHE Kontract_INSTRUCTION_SETS PROPERTY STRINGS all native)
if(NOT Kontract_INSTRUCTION_SETS MATCHES "^(all|native)$")
  message(FATAL_ERROR "Kontract_INSTRUCTION_SETS is ${Kontract_INSTRUCTION_SETS}, but has to be all or native")
endif()
include(CheckCXXCompilerFlag)
set(kernel_options -ffp-contract=fast)
if(NOT Kontract_SANITIZE)
  list(APPEND kernel_options $<$<NOT:$<CONFIG:Debug>>:-O3>)
endif()
# GCC warns of vectors that its own intrinsics leave undefined.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND kernel_options -Wno-maybe-uninitialized -Wno-uninitialized -Wno-psabi)
endif()
# Compilers for devices would compile these sources for them, too: nvcc does not know their pragmas, and
# hipcc emits their tables of functions. Clang, which hipcc is, and Kokkos' wrapper of nvcc can leave that out.
if(Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP)
  set(host_only --host-only)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT CMAKE_CXX_COMPILER MATCHES "nvcc_wrapper")
    set(host_only --cuda-host-only)
  endif()
  check_cxx_compiler_flag(${host_only} Kontract_COMPILER_HAS_HOST_ONLY)
  if(Kontract_COMPILER_HAS_HOST_ONLY)
    list(APPEND kernel_options ${host_only})
  endif()
endif()
set(baseline_options "")
set(avx2_options -mavx2 -mfma)
set(avx512_options -mavx512f -mavx512dq -mavx512vl -mavx512bw -mavx512cd -mfma)
set(kernels "${src}/host/Kontract_HostKernels")
if(Kontract_INSTRUCTION_SETS STREQUAL "native")
  set(baseline_options -march=native)
  set_property(SOURCE "${kernels}Baseline.cpp" APPEND PROPERTY COMPILE_DEFINITIONS
               KONTRACT_BASELINE_IS_NATIVE)
endif()
foreach(set IN ITEMS Baseline Avx2 Avx512)
  string(TOLOWER ${set} name)
  string(TOUPPER ${set} upper)
  string(REPLACE ";" " " flags "${${name}_options}")
  set(sources "${kernels}${set}.cpp" "${src}/host/Kontract_HostForms${set}.cpp")
  if(NOT set STREQUAL "Baseline")
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
      check_cxx_compiler_flag("${flags}" Kontract_COMPILER_HAS_${upper})
    endif()
    # Sanitizers make the largest set take minutes to compile, and it is the same source as the others.
    if(Kontract_COMPILER_HAS_${upper} AND Kontract_INSTRUCTION_SETS STREQUAL "all"
       AND NOT (Kontract_SANITIZE AND set STREQUAL "Avx512"))
      set_property(SOURCE "${kernels}.cpp" APPEND PROPERTY COMPILE_DEFINITIONS
                   KONTRACT_HAS_${upper}_KERNELS)
    else()
      list(REMOVE_ITEM Kontract_SOURCES ${sources})
    endif()
  endif()
  set_source_files_properties(${sources} PROPERTIES COMPILE_OPTIONS "${kernel_options};${${name}_options}")
endforeach()

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
