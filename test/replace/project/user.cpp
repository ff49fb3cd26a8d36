// SPDX-License-Identifier: BSD-3-Clause
#include FIRST_HEADER

#if defined(IS_REPLACED) && !(defined(KONTRACT_COMPUTES) && defined(KONTRACT_IS_LINKED))
#error "Kontract is to compute here"
#endif
#if !defined(IS_REPLACED) && defined(KONTRACT_COMPUTES)
#error "Intrepid2 is to compute here"
#endif
