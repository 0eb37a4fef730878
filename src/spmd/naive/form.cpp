// SPDX-License-Identifier: Apache-2.0
// Editing the naive form, and reading the tables of the direct path off what is left of it.
#include "spmd/naive/form.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tw::spmd::naive {

using graph::kNone;

ValueRef Form::add(Statement statement, graph::ValueId origin, ShardingId type) {
  const auto v = static_cast<ValueRef>(values.size());
  values.push_back({origin, type, static_cast<uint32_t>(statements.size())});
  statement.results = {v};
  statements.push_back(std::move(statement));
  return v;
}

std::vector<std::vector<uint32_t>> Form::find_users() const {
  std::vector<std::vector<uint32_t>> users(values.size());
  for (uint32_t i = 0; i < statements.size(); ++i)
    for (const ValueRef v : statements[i].operands)
      if (v != kNone)
        users[v].push_back(i);
  return users;
}

void Form::replace(const std::vector<std::vector<uint32_t>> &users, ValueRef v, ValueRef by) {
  for (const uint32_t user : users[v])
    std::ranges::replace(statements[user].operands, v, by);
}

void Form::sweep() {
  std::vector<bool> read(values.size(), false), kept(statements.size(), false);
  for (size_t i = statements.size(); i-- > 0;) { // users come after what they use
    const Statement &s = statements[i];
    const bool moves = s.kind == Kind::distribute || s.kind == Kind::undistribute ||
                       s.kind == Kind::redistribute || s.kind == Kind::reduce || s.kind == Kind::tile_stacked;
    const bool together = s.kind == Kind::reduce && by_region(lowering.sharding(value(s.operands[0]).type));
    // What a signature receives has its layout, read or not.
    const bool received =
        s.asked && value(s.operands[0]).type == kNone &&
        (maker(s.operands[0]).kind == Kind::argument || maker(s.operands[0]).kind == Kind::marker);
    kept[i] = !moves || together || received || read[s.results[0]];
    for (const ValueRef v : s.operands)
      if (kept[i] && v != kNone)
        read[v] = true;
  }
  size_t end = 0;
  for (size_t i = 0; i < statements.size(); ++i) {
    if (!kept[i])
      continue;
    for (const ValueRef v : statements[i].results)
      values[v].def = static_cast<uint32_t>(end);
    if (end != i)
      statements[end] = std::move(statements[i]);
    ++end;
  }
  statements.resize(end);
}

namespace {

struct Pass {
  std::string_view name;
  void (*run)(Form &);
};

constexpr Pass kPasses[] = {
#define TW_NAIVE_PASS(name) {#name, name},
#include "spmd/naive/pass_list.inc"
#undef TW_NAIVE_PASS
};

// A row of types that some node has.
ShardingId &slot(std::vector<ShardingId> &row, size_t i) {
  if (row.size() <= i)
    row.resize(i + 1, kNone);
  return row[i];
}

// Writes the tables anew, from the form alone but for operands that bodies make from constants.
void to_tables(const Form &form, Lowering &lowering) {
  const partition::Plan &plan = lowering.plan;
  const auto types = std::move(lowering.types);
  const std::vector<uint32_t> types_of = std::move(lowering.types_of);
  std::vector<NodeTypes> found(plan.num_nodes());
  std::vector<bool> known(plan.num_nodes(), false);
  const auto users = form.find_users();
  const auto passing = [&](partition::NodeId n,
                           uint32_t i) { // whose types those of an operand and its result are
    return plan.takes_part(n) ? partition::Port{n, i} : partition::Port{plan.flow().variable_of(n, i), 0};
  };
  for (const Statement &s : form.statements) {
    const auto type = [&](ValueRef v) { return form.value(v).type; };
    known[s.node] = !plan.is_pin(s.node) && plan.takes_part(s.node);
    switch (s.kind) {
    case Kind::argument: slot(found[s.node].results, 0) = type(s.results[0]); break;
    case Kind::spmd:
      if (plan.is_source(s.node))
        break;
      for (uint32_t i = 0; i < s.operands.size(); ++i) {
        const auto [n, operand] = passing(s.node, i);
        slot(found[n].operands, operand) =
            s.operands[i] == kNone ? types[types_of[n]].operands[operand] : type(s.operands[i]);
      }
      for (uint32_t i = 0; i < s.results.size(); ++i) {
        const auto [n, result] = passing(s.node, i);
        slot(found[n].results, result) = type(s.results[i]);
        known[n] = true;
      }
      break;
    case Kind::marker: {
      const graph::OpId op = plan.op_of(s.node);
      const bool loop = ops::is_loop(lowering.graph, op);
      const bool decides = s.index == (loop ? 1 : 0);
      for (uint32_t i = 0; i < s.operands.size(); ++i)
        slot(found[decides ? s.node : s.node + 1 + i].operands, decides ? 0
                                                                : loop  ? s.index / 2
                                                                        : s.index - 1) = type(s.operands[i]);
      for (uint32_t i = 0; i < s.results.size(); ++i) {
        slot(found[s.node + 1 + i].results, loop ? s.index : 0) = type(s.results[i]);
        known[s.node + 1 + i] = true;
      }
      break;
    }
    case Kind::result: lowering.result_types[s.index] = type(s.operands[0]); break;
    case Kind::reduce: {
      const ValueRef made = s.operands[0];
      ReductionPath &path = lowering.reduction_paths[form.value(made).origin];
      path.steps.push_back(type(s.results[0]));
      if (path.steps.size() == 1)
        path.kept_partial = users[made].size() > 1;
      break;
    }
    case Kind::distribute:
    case Kind::redistribute:
    case Kind::tile_stacked:
    case Kind::undistribute: break;
    }
  }
  lowering.types = {};
  lowering.types_of.assign(plan.num_nodes(), kNone);
  for (partition::NodeId n = 0; n < found.size(); ++n) {
    if (plan.is_pin(n)) // what an action asks of a value
      found[n] = types[types_of[n]];
    else if (!known[n])
      continue;
    if (!found[n].results.empty())
      found[n].reduce_axes = lowering.sharding(found[n].results[0]).partial_axes();
    lowering.set_types(n, std::move(found[n]));
  }
}

} // namespace

std::vector<std::string_view> passes() {
  std::vector<std::string_view> names;
  for (const Pass &pass : kPasses)
    names.push_back(pass.name);
  return names;
}

Result<std::string> text_after(const partition::Plan &plan, const Options &options, std::string_view pass,
                               Spelling spelling) {
  const std::vector<std::string_view> names = passes();
  const auto last = std::ranges::find(names, pass);
  if (last == names.end())
    return fail(Code::not_found, "TW-502",
                fmt::format("there is no pass '{}' on the way to the program: there are {}", pass,
                            fmt::join(names, ", ")));
  Lowering lowering(plan, options);
  TW_TRY(run_passes(lowering, place_reductions));
  Form form(lowering);
  for (const Pass &each : std::span(kPasses).first(static_cast<size_t>(last - names.begin()) + 1))
    each.run(form);
  return to_text(form, spelling);
}

Status run(Lowering &lowering) {
  Form form(lowering);
  for (const Pass &pass : kPasses)
    pass.run(form);
  to_tables(form, lowering);
  return {};
}

} // namespace tw::spmd::naive
