# SPDX-License-Identifier: BSD-3-Clause
#
# Kontract brings no third-party libraries of its own to a Trilinos source tree.

tribits_repository_define_TPLS()
