// SPDX-License-Identifier: BSD-3-Clause
// The unit cube, for convergence studies: tetrahedra, or hexahedra if the program asks for them.
DefineConstant[ Hexahedra = {0, Name "Hexahedra"} ];

intervals = 2;

Point(1) = {0, 0, 0};
line() = Extrude {1, 0, 0} { Point{1}; Layers{intervals}; };
If (Hexahedra)
  square() = Extrude {0, 1, 0} { Curve{line(1)}; Layers{intervals}; Recombine; };
  cube() = Extrude {0, 0, 1} { Surface{square(1)}; Layers{intervals}; Recombine; };
Else
  square() = Extrude {0, 1, 0} { Curve{line(1)}; Layers{intervals}; };
  cube() = Extrude {0, 0, 1} { Surface{square(1)}; Layers{intervals}; };
EndIf
