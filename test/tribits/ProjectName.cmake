# SPDX-License-Identifier: BSD-3-Clause
set(PROJECT_NAME Application)
