// SPDX-License-Identifier: BSD-3-Clause
int numCells() { return 1; }
