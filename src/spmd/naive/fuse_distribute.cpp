// SPDX-License-Identifier: Apache-2.0
// distribute[t](undistribute(x)) is x where x is of type t. What is taken as partial values is what would
// have been reduced.
#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

void fuse_distribute(Form &form) {
  const auto users = form.find_users();
  for (const Statement &d : form.statements) {
    if (d.kind != Kind::distribute)
      continue;
    const Statement &u = form.maker(d.operands[0]);
    if (u.kind != Kind::undistribute)
      continue;
    const ShardingId type = form.value(d.results[0]).type;
    ValueRef x = u.operands[0];
    if (form.value(x).type != type && form.maker(x).kind == Kind::reduce)
      x = form.maker(x).operands[0];
    if (form.value(x).type == type)
      form.replace(users, d.results[0], x);
  }
  form.sweep();
}

} // namespace tw::spmd::naive
