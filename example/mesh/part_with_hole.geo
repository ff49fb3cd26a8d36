// SPDX-License-Identifier: BSD-3-Clause
// A bearing bracket, in centimetres: a foot with three bolt holes and an upright with a bore,
// joined by a fillet.
SetFactory("OpenCASCADE");

DefineConstant[ size = {0.6, Name "Mesh size"} ];

width = 6;
thickness = 1;
foot = 6;      // to the centre of the round end
height = 5;    // of the bore above the ground
fillet = 1.2;
bore = 1.6;    // radius
bolt = 0.55;   // radius

// Foot and upright, each a box with a round end.
Box(1) = {0, 0, 0, foot, width, thickness};
Cylinder(2) = {foot, width / 2, 0, 0, 0, thickness, width / 2};
Box(3) = {0, 0, 0, thickness, width, height};
Cylinder(4) = {0, width / 2, height, thickness, 0, 0, width / 2};

p = newp;
Point(p) = {thickness, 0, thickness};
Point(p + 1) = {thickness + fillet, 0, thickness};
Point(p + 2) = {thickness, 0, thickness + fillet};
Point(p + 3) = {thickness + fillet, 0, thickness + fillet};
l = newl;
Line(l) = {p, p + 1};
Circle(l + 1) = {p + 1, p + 3, p + 2};
Line(l + 2) = {p + 2, p};
Curve Loop(l + 3) = {l, l + 1, l + 2};
s = news;
Plane Surface(s) = {l + 3};
weld() = Extrude {0, width, 0} { Surface{s}; };

body() = BooleanUnion{ Volume{1}; Delete; }{ Volume{2, 3, 4, weld(1)}; Delete; };

Cylinder(101) = {-1, width / 2, height, 4, 0, 0, bore};
Cylinder(102) = {4.2, 1.4, -1, 0, 0, 4, bolt};
Cylinder(103) = {4.2, width - 1.4, -1, 0, 0, 4, bolt};
Cylinder(104) = {7.4, width / 2, -1, 0, 0, 4, bolt};
part() = BooleanDifference{ Volume{body()}; Delete; }{ Volume{101:104}; Delete; };

e = 0.01;
bore_surface() = Surface In BoundingBox {-e, width / 2 - bore - e, height - bore - e,
                                         thickness + e, width / 2 + bore + e, height + bore + e};
bolt_surfaces() = Surface In BoundingBox {4.2 - bolt - e, 1.4 - bolt - e, -e,
                                          7.4 + bolt + e, width - 1.4 + bolt + e, thickness + e};

Physical Volume("bracket") = {part()};
Physical Surface("bore") = {bore_surface()};
Physical Surface("bolt holes") = {bolt_surfaces()};

Mesh.MeshSizeMax = size;
Mesh.MeshSizeFromCurvature = 1;
Mesh.MinimumElementsPerTwoPi = 24;
