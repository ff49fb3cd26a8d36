# SPDX-License-Identifier: BSD-3-Clause
#
# Sources and headers of the library. The headers of src itself are the public ones; what lies in the rooms of
# src/detail is included by its path from src, in the tree as in an installation.

# Each room may include only those before it; test/rules/RoomRule.cmake checks that.
set(Kontract_ROOMS support view problem kernels/host_simd kernels/fad kernels/portable kernels/device kernels/cuda
                   launch algorithms dispatch call stream)
set(src "${CMAKE_CURRENT_LIST_DIR}/../src")
get_filename_component(src "${src}" ABSOLUTE)
file(GLOB_RECURSE Kontract_SOURCES CONFIGURE_DEPENDS "${src}/detail/*.cpp")
# Builds start sources in their order: kernels that compilers for devices take longest for, those that take minutes,
# hosts' among them, other kernels, and small sources, which fill what time is left at the end. Each pattern's go before
# all others, the last one's before those.
foreach(pattern "/detail/.*/(Kontract_Compiled|host_simd/)"
        "/detail/.*/Kontract_(Compiled.*(CellForms|Matrices|Products)|Host(FormSet|Kernels)[AB])"
        "/detail/.*/Kontract_Compiled(FamilyMatrices|MatricesOfMany|Tensor)")
  set(first_sources ${Kontract_SOURCES})
  list(FILTER first_sources INCLUDE REGEX "${pattern}")
  list(REMOVE_ITEM Kontract_SOURCES ${first_sources})
  list(PREPEND Kontract_SOURCES ${first_sources})
endforeach()
unset(first_sources)
file(GLOB Kontract_HEADERS CONFIGURE_DEPENDS "${src}/*.hpp")
file(GLOB_RECURSE Kontract_DETAIL_HEADERS CONFIGURE_DEPENDS "${src}/detail/*.hpp")
# Parts of headers that are installed with them and do not compile on their own.
file(GLOB Kontract_HEADER_PARTS CONFIGURE_DEPENDS "${src}/detail/problem/*.ipp")
set(Kontract_INCLUDE_DIRS "${src}")

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
# Tuned for some processors, GCC multiplies and adds apart where it takes a loop for a chain of sums. The bits would
# depend on which of the loops of a kernel a cell is in, and so on how threads share the cells.
set(contract_options -ffp-contract=fast)
check_cxx_compiler_flag(--param=avoid-fma-max-bits=0 Kontract_COMPILER_HAS_AVOID_FMA)
if(Kontract_COMPILER_HAS_AVOID_FMA AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND contract_options --param=avoid-fma-max-bits=0)
endif()
# Square roots of vectors are instructions where they need not set errno.
set(kernel_options ${contract_options} -fno-math-errno)
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
set(host_simd "${src}/detail/kernels/host_simd")
set(kernels "${host_simd}/Kontract_HostKernels")
if(Kontract_INSTRUCTION_SETS STREQUAL "native")
  set(baseline_options -march=native)
  if(Kontract_SANITIZE AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    list(APPEND baseline_options -mno-avx512f)  # which would take minutes, see below
  endif()
  set_property(SOURCE "${kernels}Baseline.cpp" APPEND PROPERTY COMPILE_DEFINITIONS
               KONTRACT_BASELINE_IS_NATIVE)
endif()
foreach(set IN ITEMS Baseline Avx2 Avx512)
  string(TOLOWER ${set} name)
  string(TOUPPER ${set} upper)
  string(REPLACE ";" " " flags "${${name}_options}")
  set(sources "${kernels}${set}.cpp" "${host_simd}/form/Kontract_HostFormSet${set}.cpp")
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

# The generated headers.
set(Kontract_GENERATED_DIR "${CMAKE_CURRENT_BINARY_DIR}/generated")
set(support "${src}/detail/support")
configure_file("${support}/Kontract_Version.hpp.in" "${Kontract_GENERATED_DIR}/Kontract_Version.hpp" @ONLY)
configure_file("${support}/Kontract_Config.hpp.in"
               "${Kontract_GENERATED_DIR}/detail/support/Kontract_Config.hpp" @ONLY)
list(APPEND Kontract_HEADERS "${Kontract_GENERATED_DIR}/Kontract_Version.hpp")
list(APPEND Kontract_INCLUDE_DIRS "${Kontract_GENERATED_DIR}")

# kontract_install_detail(<include directory>): what public headers include.
function(kontract_install_detail destination)
  foreach(header IN LISTS Kontract_DETAIL_HEADERS Kontract_HEADER_PARTS)
    file(RELATIVE_PATH path "${src}" "${header}")
    get_filename_component(directory "${path}" DIRECTORY)
    install(FILES "${header}" DESTINATION "${destination}/${directory}")
  endforeach()
  install(FILES "${Kontract_GENERATED_DIR}/detail/support/Kontract_Config.hpp"
          DESTINATION "${destination}/detail/support")
endfunction()
