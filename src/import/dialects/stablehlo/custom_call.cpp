// SPDX-License-Identifier: Apache-2.0
// custom_call: a marker, an op that comes as a call, or foreign code.
#include "import/dialects/stablehlo/ops.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "import/calls.hpp"
#include "import/dialects/sdy/ops.hpp"
#include "import/foreign_call.hpp"
#include "import/mappings.hpp"

namespace tw::import {

namespace {

// Marks a value and computes nothing.
bool lower_marker(Reader &r, OpText &op) {
  r.c.notes.add(Note::Kind::ignored,
                fmt::format("custom_call @{}: its operand stands for it",
                            plain_text(op.find_attr("call_target_name")->raw)),
                op.at);
  return pass_through(r, op);
}

// Targets that are no foreign code.
struct Target {
  std::string_view name;
  OpFunction lower;
};
constexpr Target kTargets[] = {
    {"ApproxTopK", lower_approx_top_k},
    {"SPMDFullToShardShape", lower_full_to_shard},
    {"SPMDShardToFullShape", lower_shard_to_full},
    {"Sharding", lower_sharding_call},
    {"tt.mark_argument", lower_marker},
    {"tt.sharding_constraint", lower_marker},
};

} // namespace

bool read_dictionary(Reader &r, std::string_view raw, std::vector<AttrText> &attrs) {
  const Cursor back = r.s.cursor();
  r.s.seek({raw.data(), back.line, raw.data()});
  if (!parse_dict(r.s, attrs))
    return false;
  r.s.seek(back);
  return true;
}

// custom_call @target(%a, %b) {attrs} : (T, U) -> V
bool form_custom_call(Reader &r, OpText &op) {
  std::string_view target;
  if (!r.s.symbol(target) || !r.s.expect('(', "before the operands") || !r.read_operands(op) ||
      !r.s.expect(')', "after the operands"))
    return false;
  op.attrs.push_back({"call_target_name", target, nullptr});
  return r.read_attr_dict(op) && r.read_types(op);
}

bool lower_custom_call(Reader &r, OpText &op) {
  const AttrText *attr = op.find_attr("call_target_name");
  if (!attr || attr->raw.empty())
    return r.s.fail("TW-105", op.at, "stablehlo.custom_call: the attribute call_target_name is missing");
  const std::string target = plain_text(attr->raw);
  if (const auto known = std::ranges::find(kTargets, target, &Target::name); known != std::end(kTargets))
    return known->lower(r, op);
  constexpr std::string_view kCarried = "xla.sdy.";
  if (target.starts_with(kCarried))
    return lower_carried_call(r, op, std::string_view(target).substr(kCarried.size()));
  // Some ops come as calls: check.expect_close, chlo's functions, mhlo.topk with its attributes in a
  // dictionary of their own.
  if (const Kind kind = resolve(target); kind.registered && kind.code != op.code) {
    op.code = kind.code;
    op.name = kind.name;
    std::string_view own;
    if (const AttrText *attributes = op.find_attr("mhlo.attributes"))
      own = attributes->raw;
    std::erase_if(op.attrs, [](const AttrText &a) {
      return a.name == "call_target_name" || a.name == "has_side_effect" || a.name == "api_version" ||
             a.name == "backend_config" || a.name == "mhlo.attributes" || a.name == "mhlo.version";
    });
    if (!own.empty() && !read_dictionary(r, own, op.attrs))
      return false;
    return kind.lower(r, op);
  }
  std::string rule;
  return take_mappings(r, op, rule) && emit_foreign_call(r, op) && state_mappings(r, op, std::move(rule));
}

} // namespace tw::import
