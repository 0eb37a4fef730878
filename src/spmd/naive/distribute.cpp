// SPDX-License-Identifier: Apache-2.0
// Step 2: an operand that is whole on every device and of which the body takes a slice alone is distributed
// as that slice.
#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

void distribute(Form &form) {
  const auto users = form.find_users();
  for (const Statement &body : form.statements) {
    if (body.kind != Kind::spmd)
      continue;
    for (size_t i = 0; i < body.operands.size(); ++i) {
      const ValueRef v = body.operands[i];
      if (v != graph::kNone && form.maker(v).kind == Kind::distribute && !form.maker(v).asked &&
          users[v].size() == 1)
        form.values[v].type = body.tiles[i];
    }
  }
}

} // namespace tw::spmd::naive
