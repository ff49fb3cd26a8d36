// SPDX-License-Identifier: BSD-3-Clause
//
// Prints the documentation of the options, for AlgorithmsDocumentation.cmake.

#include <iostream>

#include "Kontract_Options.hpp"

int main() { Kontract::Options::printDocumentation(std::cout); }
