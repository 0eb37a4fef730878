// SPDX-License-Identifier: Apache-2.0
// distribute[t](undistribute(x)) is redistribute[t](x) where x is of another type than t. What is taken as
// partial values over some of the axes comes from what would have been reduced over all.
#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

void fuse_redistribute(Form &form) {
  for (Statement &d : form.statements) {
    if (d.kind != Kind::distribute || form.maker(d.operands[0]).kind != Kind::undistribute)
      continue;
    ValueRef x = form.maker(d.operands[0]).operands[0];
    if (form.maker(x).kind == Kind::reduce &&
        !form.lowering.sharding(form.value(d.results[0]).type).partial.empty())
      x = form.maker(x).operands[0];
    d.kind = Kind::redistribute;
    d.operands[0] = x;
  }
  form.sweep();
}

} // namespace tw::spmd::naive
