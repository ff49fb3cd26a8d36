// SPDX-License-Identifier: BSD-3-Clause
//
// Nothing but the headers, which are precompiled with it.
