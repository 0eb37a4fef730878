// SPDX-License-Identifier: Apache-2.0
// undistribute(distribute(x)) is x, where nobody asks for the layout between.
#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

void fuse_undistribute(Form &form) {
  const auto users = form.find_users();
  for (const Statement &s : form.statements)
    if (s.kind == Kind::undistribute)
      if (const Statement &d = form.maker(s.operands[0]); d.kind == Kind::distribute && !d.asked)
        form.replace(users, s.results[0], d.operands[0]);
  form.sweep();
}

} // namespace tw::spmd::naive
