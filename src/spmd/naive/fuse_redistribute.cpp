// SPDX-License-Identifier: Apache-2.0
// distribute[t](undistribute(x)) is redistribute[t](x) where x is of another type than t.
#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

void fuse_redistribute(Form &form) {
  for (Statement &d : form.statements) {
    if (d.kind != Kind::distribute || form.maker(d.operands[0]).kind != Kind::undistribute)
      continue;
    d.kind = Kind::redistribute;
    d.operands[0] = form.maker(d.operands[0]).operands[0];
  }
  form.sweep();
}

} // namespace tw::spmd::naive
