# SPDX-License-Identifier: BSD-3-Clause
#
# `cmake --install`: public headers in one directory, the others and those named as Intrepid2's below it, the
# library, and find_package(Kontract).

include(CMakePackageConfigHelpers)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/Kontract)

install(TARGETS kontract EXPORT KontractTargets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES ${Kontract_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kontract)
kontract_install_detail(${CMAKE_INSTALL_INCLUDEDIR}/kontract)
install(DIRECTORY intrepid2 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/kontract)
install(DIRECTORY data/tuning DESTINATION ${CMAKE_INSTALL_DATADIR}/kontract)
install(EXPORT KontractTargets NAMESPACE Kontract:: DESTINATION ${config_dir})
kontract_name_kokkos(Kontract_BUILT_WITH_KOKKOS)
configure_package_config_file(cmake/KontractConfig.cmake.in KontractConfig.cmake
  INSTALL_DESTINATION ${config_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(KontractConfigVersion.cmake
  VERSION ${Kontract_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/KontractConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/KontractConfigVersion.cmake"
              cmake/KontractFindDependencies.cmake
              cmake/KontractCheckDependencies.cmake
              cmake/KontractReplaceIntrepid2.cmake
              cmake/KontractIntrepid2Headers.cmake
  DESTINATION ${config_dir})
