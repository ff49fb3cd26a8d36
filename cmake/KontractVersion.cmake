# SPDX-License-Identifier: BSD-3-Clause
set(Kontract_VERSION_MAJOR 0)
set(Kontract_VERSION_MINOR 2)
set(Kontract_VERSION_PATCH 0)
set(Kontract_VERSION
    ${Kontract_VERSION_MAJOR}.${Kontract_VERSION_MINOR}.${Kontract_VERSION_PATCH})
