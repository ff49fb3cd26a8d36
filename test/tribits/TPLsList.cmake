# SPDX-License-Identifier: BSD-3-Clause
#
# External packages. Application_TEUCHOS says what of Teuchos is one: each of its subpackages, as in Trilinos; all of it;
# all of an old one, which has to be found in another way; or nothing, which Kontract refuses.

set(teuchos_subpackages TeuchosCore TRIBITS_PKG PT  TeuchosParameterList TRIBITS_PKG PT)
set(teuchos_one Teuchos TRIBITS_PKG PT)
set(teuchos_old Teuchos ./ PT)
set(teuchos_none "")
tribits_repository_define_tpls(
  Kokkos     TRIBITS_PKG  PT
  ${teuchos_${Application_TEUCHOS}}
  Intrepid2  TRIBITS_PKG  PT
)
