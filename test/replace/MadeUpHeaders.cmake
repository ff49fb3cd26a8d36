# SPDX-License-Identifier: BSD-3-Clause
#
# Made-up headers in Intrepid2's name, with all ways to include its classes.

function(header file text)
  file(WRITE "${file}" "#pragma once\n${text}\n")
endfunction()

function(made_up_intrepid2 directory)
  header("${directory}/Intrepid2_ArrayTools.hpp" "")
  header("${directory}/Intrepid2_FunctionSpaceTools.hpp" "#include \"Intrepid2_ArrayTools.hpp\"")
  header("${directory}/Direct.hpp" "#include \"Intrepid2_FunctionSpaceTools.hpp\"")
  header("${directory}/Arrays.h" " #  include \"Intrepid2_ArrayTools.hpp\" // [ ; a comment")
  header("${directory}/Through.hpp" "#include \"Untouched.hpp\" // [[ ; another\n#include \"C++_Direct.hpp\"")
  header("${directory}/C++_Direct.hpp" "#include \"Direct.hpp\"")
  file(WRITE "${directory}/FirstLine.hpp" "#include \"Through.hpp\"\n")
  # These find the classes along the include path.
  header("${directory}/Angle.hpp" "#include <Intrepid2_FunctionSpaceTools.hpp>")
  header("${directory}/ThroughAngle.hpp" "#include \"Angle.hpp\"")
  header("${directory}/AngleThrough.hpp" "#include <Through.hpp>")
  header("${directory}/Untouched.hpp" "#include <cstddef>")
  header("${directory}/Intrepid2_ArrayToolsDef.hpp" "// #include \"Intrepid2_ArrayTools.hpp\"")
endfunction()

set(Kontract_WRAPPED_OF_MADE_UP Arrays.h C++_Direct.hpp Direct.hpp FirstLine.hpp Through.hpp)
