// SPDX-License-Identifier: Apache-2.0
// A reduction all of whose users take a tile of it is scattered; partial values of several kinds are combined
// one kind at a time.
#include <algorithm>

#include "spmd/naive/form.hpp"

namespace tw::spmd::naive {

namespace {

using Users = std::vector<std::vector<uint32_t>>;

// The layouts in which the users of a reduced value want it; what a result of the program takes as it comes
// is left out.
std::vector<ShardingId> wanted_of(const Form &form, ValueRef reduced, const Users &users) {
  std::vector<ShardingId> wanted;
  const auto takes_any = [&](uint32_t user) {
    return form.statements[user].kind == Kind::result && !form.statements[user].asked;
  };
  for (const uint32_t user : users[reduced]) {
    const Statement &s = form.statements[user];
    if (s.kind == Kind::redistribute)
      wanted.push_back(form.value(s.results[0]).type);
    else if (s.kind != Kind::undistribute || !std::ranges::all_of(users[s.results[0]], takes_any))
      wanted.push_back(form.value(reduced).type);
  }
  std::ranges::sort(wanted);
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  return wanted;
}

} // namespace

void scatter_sums(Form &form) {
  const auto users = form.find_users();
  Form result(form.lowering);
  result.values = form.values;
  std::vector<ValueRef> now(form.values.size()); // what stands for a value
  for (ValueRef v = 0; v < now.size(); ++v)
    now[v] = v;
  for (Statement s : form.statements) {
    for (ValueRef &v : s.operands)
      v = v == graph::kNone ? v : now[v];
    if (s.kind == Kind::redistribute && result.value(s.results[0]).type == result.value(s.operands[0]).type) {
      now[s.results[0]] = s.operands[0];
      continue;
    }
    if (s.kind != Kind::reduce) {
      for (const ValueRef v : s.results)
        result.values[v].def = static_cast<uint32_t>(result.statements.size());
      result.statements.push_back(std::move(s));
      continue;
    }
    const ValueRef reduced = s.results[0];
    const Value made = result.value(s.operands[0]);
    ValueRef at = s.operands[0];
    for (const ShardingId step :
         closing_steps(form.lowering, made.type, form.lowering.graph.value(made.origin).type,
                       wanted_of(form, reduced, users)))
      at = result.add({Kind::reduce, s.node, {at}}, made.origin, step);
    now[reduced] = at;
  }
  form.statements = std::move(result.statements);
  form.values = std::move(result.values);
}

} // namespace tw::spmd::naive
