# SPDX-License-Identifier: BSD-3-Clause
#
# Teuchos of Trilinos 13, which names its libraries and directories in variables.

find_package(Teuchos CONFIG REQUIRED)
set(libraries "")
foreach(library ${Teuchos_LIBRARIES})
  get_target_property(location ${library} LOCATION)
  list(APPEND libraries "${location}")
endforeach()
set(TPL_Teuchos_INCLUDE_DIRS "${Teuchos_INCLUDE_DIRS}" CACHE PATH "Teuchos' headers")
set(TPL_Teuchos_LIBRARIES "${libraries}" CACHE FILEPATH "Teuchos' libraries")
tribits_tpl_find_include_dirs_and_libraries(Teuchos
  REQUIRED_HEADERS Teuchos_ParameterList.hpp REQUIRED_LIBS_NAMES teuchosparameterlist)
