// SPDX-License-Identifier: Apache-2.0
// Calls by which exporters of XLA carry Shardy's ops through tools that do not know them; shardings stand in
// attributes that unfold_carried found. Device-local code is a function: @xla.sdy.ManualComputation names it,
// or it is called between @xla.sdy.GlobalToLocalShape and @xla.sdy.LocalToGlobalShape.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/dialects/sdy/ops.hpp"
#include "import/local_code.hpp"
#include "import/shardings.hpp"

namespace tw::import {

namespace {

bool read_head(Reader &r, const OpText &op, ManualHead &head) {
  for (const AttrText &attr : op.attrs) {
    auto *const shardings = attr.name == "xla.sdy.in_shardings"    ? &head.in
                            : attr.name == "xla.sdy.out_shardings" ? &head.out
                                                                   : nullptr;
    if (shardings != nullptr) {
      shardings->clear();
      if (!parse_carried_shardings(r.s, attr.raw, r.c.annotations.meshes, *shardings))
        return false;
    } else if (attr.name == "xla.sdy.manual_axes") {
      head.manual.clear();
      if (!read_carried_names(r.s, attr.raw, head.manual))
        return false;
    }
  }
  return true;
}

bool enter(Reader &r, const OpText &op, CarriedManual &made) {
  made.entered = true;
  return enter_manual(r, op, made.head, made.operands, made.operand_at, made.code);
}

// Where the call that follows says how its operands are tiled, they stay whole until then.
bool lower_to_local(Reader &r, OpText &op) {
  if (!r.emitter.check_operand_types(op))
    return false;
  CarriedManual made;
  made.operands = op.operands;
  made.operand_at = op.operand_at;
  if (!read_head(r, op, made.head))
    return false;
  if (!made.head.manual.empty() || !made.head.in.empty()) {
    if (!enter(r, op, made))
      return false;
    r.carried.push_back(std::move(made));
    return r.bind_results(op, r.carried.back().code.values);
  }
  r.carried.push_back(std::move(made));
  return r.bind_results(op, op.operands);
}

bool lower_to_global(Reader &r, OpText &op) {
  if (r.carried.empty() || !r.carried.back().called)
    return r.s.fail("TW-113", op.at, "LocalToGlobalShape of what no call of device-local code gave");
  CarriedManual made = std::move(r.carried.back());
  r.carried.pop_back();
  return r.emitter.check_operand_types(op) && read_head(r, op, made.head) &&
         leave_manual(r, op, made.head, op.operands, op.operand_at, made.code) &&
         bind_local(r, op, made.code.values);
}

bool lower_manual_computation(Reader &r, OpText &op) {
  const AttrText *called = op.find_attr("called_computations");
  const size_t at = called == nullptr ? std::string_view::npos : called->raw.find('@');
  if (at == std::string_view::npos)
    return r.s.fail("TW-105", op.at,
                    "ManualComputation: the attribute called_computations names no function");
  std::string_view callee = called->raw.substr(at);
  callee = callee.substr(0, std::min(callee.find_first_of(",]"), callee.size()));
  ManualHead head;
  ManualCode code;
  if (!r.emitter.check_operand_types(op) || !read_head(r, op, head) ||
      !enter_manual(r, op, head, op.operands, op.operand_at, code))
    return false;
  const std::vector<graph::ValueId> entered = code.values;
  Signature signature;
  if (!read_callee(r, op, callee, callee.data(), entered, signature))
    return false;
  const std::vector<graph::ValueId> given = r.yields;
  const std::vector<const char *> places(given.size(), op.at);
  return leave_manual(r, op, head, given, places, code) && bind_local(r, op, code.values);
}

// What one attribute says is the only one that the op keeps, under its name there.
bool keep_one(Reader &r, OpText &op, std::string_view carried, std::string_view name) {
  const AttrText *attr = op.find_attr(carried);
  if (attr == nullptr)
    return r.s.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, carried));
  op.attrs.assign(1, {name, unquoted(attr->raw), nullptr});
  return true;
}

bool lower_barrier_call(Reader &r, OpText &op) {
  return keep_one(r, op, "xla.sdy.allowed_direction", "allowed_direction") &&
         lower_propagation_barrier(r, op);
}

bool lower_group_call(Reader &r, OpText &op) {
  return keep_one(r, op, "xla.sdy.sharding_group_id", "group_id") && lower_sharding_group(r, op);
}

struct CarriedTarget {
  std::string_view name;
  OpFunction lower;
};
constexpr CarriedTarget kCarriedTargets[] = {
    {"FuncResultSharding", lower_sharding_constraint},
    {"ManualComputation", lower_manual_computation},
    {"GlobalToLocalShape", lower_to_local},
    {"LocalToGlobalShape", lower_to_global},
    {"PropagationBarrier", lower_barrier_call},
    {"ShardingGroup", lower_group_call},
};

} // namespace

bool lower_carried_call(Reader &r, OpText &op, std::string_view target) {
  if (const auto known = std::ranges::find(kCarriedTargets, target, &CarriedTarget::name);
      known != std::end(kCarriedTargets))
    return known->lower(r, op);
  return r.unsupported(op.at, fmt::format("custom_call @xla.sdy.{}: of these only FuncResultSharding, "
                                          "ManualComputation, GlobalToLocalShape, LocalToGlobalShape, "
                                          "PropagationBarrier and ShardingGroup are read",
                                          target));
}

bool lower_carried_body(Reader &r, OpText &op, std::string_view callee) {
  if (r.carried.empty() || r.carried.back().called) { // of no operands
    CarriedManual made;
    made.operands = op.operands;
    made.operand_at = op.operand_at;
    r.carried.push_back(std::move(made));
  }
  const size_t index = r.carried.size() - 1;
  if (!read_head(r, op, r.carried[index].head) ||
      (!r.carried[index].entered && !enter(r, op, r.carried[index])))
    return false;
  r.carried[index].called = true;
  const std::vector<graph::ValueId> entered = r.carried[index].code.values;
  Signature signature;
  if (!read_callee(r, op, callee, callee.data(), entered, signature))
    return false;
  const std::vector<graph::ValueId> given = r.yields;
  if (given.empty()) { // nothing leaves
    CarriedManual made = std::move(r.carried[index]);
    r.carried.pop_back();
    if (!leave_manual(r, op, made.head, {}, {}, made.code))
      return false;
  }
  return r.bind_results(op, given);
}

} // namespace tw::import
