// SPDX-License-Identifier: Apache-2.0
// The signatures of the program and of its regions: they receive and return distributed tensors, and the
// first distribute() and the last undistribute() are gone. What no layout was asked for comes whole to every
// device.
#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

namespace {

// Gives an argument its type; `node` is what asks for it.
void receive(Form &form, const std::vector<std::vector<uint32_t>> &users, ValueRef v,
             partition::NodeId node) {
  const graph::TensorType &type = form.lowering.graph.type(form.value(v).origin);
  form.values[v].type = form.lowering.intern(sharding::Sharding::replicated(type.rank()), type);
  for (const uint32_t user : users[v]) {
    const Statement &d = form.statements[user];
    if (d.kind == Kind::distribute && d.asked && d.node == node)
      form.values[v].type = form.value(d.results[0]).type;
  }
  for (const uint32_t user : users[v]) {
    Statement &d = form.statements[user];
    if (d.kind != Kind::distribute)
      continue;
    if (form.value(d.results[0]).type == form.value(v).type)
      form.replace(users, d.results[0], v);
    else
      d.kind = Kind::redistribute;
  }
}

} // namespace

void signature(Form &form) {
  const auto users = form.find_users();
  for (size_t i = 0; i < form.statements.size(); ++i) {
    const Statement &s = form.statements[i];
    if (s.kind == Kind::argument)
      receive(form, users, s.results[0], s.node);
    for (uint32_t r = 0; s.kind == Kind::marker && r < s.results.size(); ++r)
      receive(form, users, s.results[r], s.node + 1 + r);
  }
  for (Statement &s : form.statements)
    if (s.kind == Kind::result || s.kind == Kind::marker)
      for (ValueRef &v : s.operands)
        if (form.maker(v).kind == Kind::undistribute)
          v = form.maker(v).operands[0];
  form.sweep();
}

} // namespace tw::spmd::naive
