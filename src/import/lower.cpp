// SPDX-License-Identifier: Apache-2.0
// What each op becomes: mostly itself, else another op, a value that is there already, or nothing.
#include <algorithm>

#include <fmt/format.h>

#include "import/body.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using annotation::ShardingAnnotation;

namespace {

// Spellings of one op by different dialects and ages.
struct Alias {
  std::string_view written, name;
};
constexpr Alias kAliases[] = {
    {"arith.constant", "stablehlo.constant"},
    {"call", "func.call"},
    {"chlo.tan", "stablehlo.tan"},
    {"return", "func.return"},
    {"sdy.constant", "stablehlo.constant"},
    {"sdy.reshard", "sdy.sharding_constraint"},
    {"sdy.return", "func.return"},
    {"slice", "partir.slice"},
    {"stablehlo.return", "func.return"},
    {"stablehlo.topk", "chlo.top_k"},
    {"sum", "partir.sum"},
    {"tile", "partir.tile"},
    {"yield", "partir.yield"},
};

// custom_calls that mark a value and compute nothing.
constexpr std::string_view kMarkers[] = {"tt.mark_argument", "tt.sharding_constraint"};

template <class List> bool contains(const List &list, std::string_view name) {
  return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// Ops with a shape as last operand, and what they are where the result's shape is static.
constexpr Alias kStatic[] = {
    {"stablehlo.dynamic_broadcast_in_dim", "stablehlo.broadcast_in_dim"},
    {"stablehlo.dynamic_iota", "stablehlo.iota"},
    {"stablehlo.dynamic_reshape", "stablehlo.reshape"},
};

constexpr graph::OpCode kNoCode = static_cast<graph::OpCode>(-1);

} // namespace

std::span<const BodyReader::Syntax> BodyReader::syntax() {
  using B = BodyReader;
  static constexpr Syntax kSyntax[] = {
      {"check.expect_almost_eq_const", &B::form_expect_const, &B::lower_expect_const},
      {"check.expect_eq_const", &B::form_expect_const, &B::lower_expect_const},
      {"chlo.constant_like", &B::form_default, &B::lower_constant_like},
      {"chlo.top_k", &B::form_default, &B::lower_top_k},
      {"func.call", &B::form_call, &B::lower_call},
      {"func.return", &B::form_return, &B::lower_return},
      {"interpreter.run_parallel", &B::form_default, &B::lower_run_parallel},
      {"matmul", &B::form_matmul, &B::lower_dot},
      {"partir.and", &B::form_loop, &B::lower_loop},
      {"partir.any", &B::form_loop, &B::lower_loop},
      {"partir.loop", &B::form_loop, &B::lower_loop},
      {"partir.max", &B::form_loop, &B::lower_loop},
      {"partir.min", &B::form_loop, &B::lower_loop},
      {"partir.or", &B::form_loop, &B::lower_loop},
      {"partir.pick", &B::form_loop, &B::lower_loop},
      {"partir.product", &B::form_loop, &B::lower_loop},
      {"partir.region", &B::form_loop, &B::lower_loop},
      {"partir.slice", &B::form_loop_slice, &B::lower_loop_slice},
      {"partir.sum", &B::form_loop, &B::lower_loop},
      {"partir.tile", &B::form_loop, &B::lower_loop},
      {"partir.xor", &B::form_loop, &B::lower_loop},
      {"partir.yield", &B::form_yield, &B::lower_yield},
      {"sdy.all_gather", &B::form_held, &B::lower_sharding_constraint},
      {"sdy.all_reduce", &B::form_held, &B::lower_held_sum},
      {"sdy.all_slice", &B::form_held, &B::lower_sharding_constraint},
      {"sdy.all_to_all", &B::form_held, &B::lower_sharding_constraint},
      {"sdy.collective_permute", &B::form_held, &B::lower_sharding_constraint},
      {"sdy.data_flow_edge", &B::form_held, &B::lower_data_flow_edge},
      {"sdy.func_data_flow_edge", &B::form_held, &B::lower_data_flow_edge},
      {"sdy.manual_computation", &B::form_manual_computation, &B::lower_inlined},
      {"sdy.named_computation", &B::form_named_computation, &B::lower_inlined},
      {"sdy.propagation_barrier", &B::form_default, &B::lower_propagation_barrier},
      {"sdy.reduce_scatter", &B::form_held, &B::lower_held_sum},
      {"sdy.replicated_to_unreduced", &B::form_held, &B::lower_sharding_constraint},
      {"sdy.sharded_to_unreduced", &B::form_held, &B::lower_sharding_constraint},
      {"sdy.sharding_constraint", &B::form_sharding_constraint, &B::lower_sharding_constraint},
      {"sdy.sharding_group", &B::form_default, &B::lower_sharding_group},
      {"stablehlo.all_gather", &B::form_default, &B::lower_collective},
      {"stablehlo.all_reduce", &B::form_default, &B::lower_collective},
      {"stablehlo.all_to_all", &B::form_default, &B::lower_collective},
      {"stablehlo.batch_norm_grad", &B::form_default, &B::lower_batch_norm},
      {"stablehlo.batch_norm_inference", &B::form_default, &B::lower_batch_norm},
      {"stablehlo.batch_norm_training", &B::form_default, &B::lower_batch_norm},
      {"stablehlo.case", &B::form_default, &B::lower_control},
      {"stablehlo.collective_broadcast", &B::form_default, &B::lower_collective},
      {"stablehlo.collective_permute", &B::form_default, &B::lower_collective},
      {"stablehlo.compare", &B::form_compare, &B::lower_op},
      {"stablehlo.composite", &B::form_composite, &B::lower_composite},
      {"stablehlo.constant", &B::form_constant, &B::lower_op},
      {"stablehlo.convolution", &B::form_convolution, &B::lower_convolution},
      {"stablehlo.copy", &B::form_default, &B::lower_identity},
      {"stablehlo.custom_call", &B::form_custom_call, &B::lower_custom_call},
      {"stablehlo.dot", &B::form_default, &B::lower_dot},
      {"stablehlo.dynamic_broadcast_in_dim", &B::form_default, &B::lower_static},
      {"stablehlo.dynamic_conv", &B::form_default, &B::lower_folded},
      {"stablehlo.dynamic_gather", &B::form_default, &B::lower_folded},
      {"stablehlo.dynamic_iota", &B::form_default, &B::lower_static},
      {"stablehlo.dynamic_pad", &B::form_default, &B::lower_folded},
      {"stablehlo.dynamic_reshape", &B::form_default, &B::lower_static},
      {"stablehlo.einsum", &B::form_default, &B::lower_einsum},
      {"stablehlo.get_dimension_size", &B::form_default, &B::lower_dimension_size},
      {"stablehlo.get_tuple_element", &B::form_tuple_element, &B::lower_tuple_element},
      {"stablehlo.if", &B::form_default, &B::lower_control},
      {"stablehlo.partition_id", &B::form_default, &B::lower_device_number},
      {"stablehlo.real_dynamic_slice", &B::form_default, &B::lower_folded},
      {"stablehlo.reduce_scatter", &B::form_default, &B::lower_collective},
      {"stablehlo.reduce", &B::form_reduce, &B::lower_op},
      {"stablehlo.replica_id", &B::form_default, &B::lower_device_number},
      {"stablehlo.rng", &B::form_default, &B::lower_rng},
      {"stablehlo.set_dimension_size", &B::form_default, &B::lower_set_dimension_size},
      {"stablehlo.slice", &B::form_slice, &B::lower_op},
      {"stablehlo.torch_index_select", &B::form_default, &B::lower_index_select},
      {"stablehlo.tuple", &B::form_default, &B::lower_tuple},
      {"stablehlo.unary_einsum", &B::form_default, &B::lower_unary_einsum},
      {"stablehlo.while", &B::form_while, &B::lower_control},
  };
  return kSyntax;
}

BodyReader::Kind BodyReader::resolve(std::string_view written) {
  std::string name(written);
  if (written.starts_with("mhlo."))
    name = fmt::format("stablehlo.{}", written.substr(5));
  for (const Alias &alias : kAliases)
    if (alias.written == name)
      name = alias.name;
  // MHLO has some of CHLO's functions.
  if (written.starts_with("mhlo.") && !ops::find_op(name))
    if (const std::string chlo = fmt::format("chlo.{}", written.substr(5)); ops::find_op(chlo))
      name = chlo;
  Kind kind{{}, kNoCode, false, &BodyReader::form_default, &BodyReader::lower_op};
  if (const auto code = ops::find_op(name); code && name != "func.argument" && name != "func.result") {
    kind.code = *code;
    kind.registered = true;
    kind.name = ops::op_def(*code).name;
  }
  if (name.starts_with("chlo.broadcast_")) { // a family: its name is the text's
    kind.name = written;
    kind.lower = &BodyReader::lower_broadcasting;
  }
  for (const Syntax &row : syntax())
    if (row.name == name) {
      kind.form = row.form;
      kind.lower = row.lower;
      // Ops that become something else need no entry of their own.
      if (!kind.registered && row.lower != &BodyReader::lower_op)
        kind.name = row.name;
    }
  return kind;
}

bool BodyReader::emit(OpText &op) {
  graph::OpId id = 0;
  if (!begin_loop_op(op) || !emitter_.add(op, id))
    return false;
  end_loop_op(op, id);
  return bind_op(op, id);
}

bool BodyReader::bind_op(OpText &op, graph::OpId id) {
  const uint32_t count = c_.builder.graph().op(id).num_results;
  if (op.results.empty())
    return true;
  if (op.results.size() == 1 && count == 1 && op.results[0].count == 1 &&
      op.tuple_results.empty()) { // nearly always
    const graph::ValueId value = c_.builder.graph().result(id);
    name_value(value, op.results[0].name, 0, 1);
    return define(op.results[0].name, {&value, 1}, op.results[0].at);
  }
  std::vector<graph::ValueId> values(count);
  for (uint32_t i = 0; i < count; ++i)
    values[i] = c_.builder.graph().result(id, i);
  if (!bind_results(op, values))
    return false;
  if (!op.tuple_results.empty()) // elements have no names
    return true;
  uint32_t next = 0;
  for (const OpText::Result &result : op.results)
    for (uint32_t i = 0; i < result.count; ++i)
      name_value(values[next++], result.name, i, result.count);
  return true;
}

bool BodyReader::lower_op(OpText &op) { return emit(op); }

bool BodyReader::stand_for(OpText &op, const std::vector<graph::ValueId> &values) {
  for (const AttrText &attr : op.attrs)
    if (Emitter::is_sharding(attr.name))
      c_.leave_out(fmt::format("sharding {} of {}, which stands for other ops", attr.raw, op.name),
                   attr.raw.data());
  bool fits = op.result_types.size() == values.size();
  for (size_t i = 0; fits && i < values.size(); ++i)
    if (const graph::TensorType &type = c_.type_of(values[i]);
        !(type == c_.builder.graph().type_at(op.result_types[i])))
      return s_.fail("TW-110", op.at,
                     fmt::format("{}: result {} is {}, but {} is stated", op.name, i, graph::to_text(type),
                                 graph::to_text(c_.builder.graph().type_at(op.result_types[i]))));
  if (!fits)
    return s_.fail(
        "TW-110", op.at,
        fmt::format("{} gives {} results, {} are stated", op.name, values.size(), op.result_types.size()));
  return bind_results(op, values);
}

bool BodyReader::read_attr(const OpText &op, std::string_view name, int64_t &value) {
  const AttrText *attr = op.find_attr(name);
  if (!attr || attr->raw.empty())
    return s_.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, name));
  return c_.attributes.read_int(attr->raw, value);
}

bool BodyReader::read_attr(const OpText &op, std::string_view name, double &value) {
  const AttrText *attr = op.find_attr(name);
  if (!attr || attr->raw.empty())
    return s_.fail("TW-105", op.at, fmt::format("{}: the attribute {} is missing", op.name, name));
  graph::AttrValue read;
  if (!c_.attributes.read(ops::AttrKind::real, *attr, read))
    return false;
  value = std::get<double>(read);
  return true;
}

// MHLO's topk may ask for the least elements.
bool BodyReader::lower_top_k(OpText &op) {
  if (const AttrText *largest = op.find_attr("largest")) {
    int64_t value = 0;
    if (!c_.attributes.read_int(largest->raw, value))
      return false;
    if (value == 0)
      return unsupported(op.at,
                         fmt::format("{} with largest = false: negate its operand and its result", op.name));
    std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "largest"; });
  }
  return emit(op);
}

// Ops that draw from a hidden state draw from different streams.
bool BodyReader::lower_rng(OpText &op) {
  op.lists[0].assign(1, rngs_++);
  if (op.find_attr("stream") == nullptr) // a program that we printed says which
    op.attrs.push_back({"stream", std::string_view(op.at, 0), &op.lists[0]});
  return emit(op);
}

bool BodyReader::lower_return(OpText &op) {
  if (loop_ != graph::kNone)
    return s_.fail("TW-421", op.at, "the body of a loop ends with partir.yield");
  if (!emitter_.check_operand_types(op) || !bind_results(op, {}))
    return false;
  yields_ = op.operands;
  yields_at_ = op.operand_at;
  ended_ = true;
  return true;
}

// The results are the operands.
bool BodyReader::pass_through(OpText &op) {
  return emitter_.check_operand_types(op) &&
         (op.result_types == op.operand_types ||
          s_.fail("TW-110", op.at, fmt::format("{}: operand and result types differ", op.name))) &&
         constrain_results(op, op.operands) && bind_results(op, op.operands);
}

bool BodyReader::lower_identity(OpText &op) {
  c_.notes.add(Note::Kind::ignored, op.name, op.at);
  return pass_through(op);
}

// custom_call @Sharding {backend_config = "unspecified_dims=[0]"}: these dimensions may be sharded further.
bool BodyReader::lower_sharding_call(OpText &op) {
  const AttrText *config = op.find_attr("backend_config");
  const std::string open = config == nullptr ? std::string() : plain_text(config->raw);
  for (const AttrText &attr : op.attrs)
    if (attr.name == "mhlo.sharding" && attr.raw.find("manual") != std::string_view::npos) {
      c_.notes.add(Note::Kind::ignored, "sharding {manual}: the code there is device-local", attr.raw.data());
      op.attrs.clear();
      return pass_through(op);
    }
  const size_t before = c_.annotations.all.size(),
               rank = op.operands.empty() ? 0 : c_.type_of(op.operands[0]).rank();
  if (!lower_sharding_constraint(op))
    return false;
  constexpr std::string_view kUnspecified = "unspecified_dims=[";
  if (!open.starts_with(kUnspecified) || c_.annotations.all.size() == before)
    return true;
  ShardingAnnotation &sharding = c_.annotations.all.back().sharding;
  sharding.dims.resize(rank);
  for (size_t at = kUnspecified.size(); at < open.size() && open[at] != ']'; ++at) {
    size_t dim = 0;
    for (; at < open.size() && is_digit(open[at]) && dim <= rank; ++at)
      dim = dim * 10 + static_cast<size_t>(open[at] - '0');
    if (is_digit(open[at - 1]) && dim < rank)
      sharding.dims[dim].open = true;
  }
  return true;
}

bool BodyReader::lower_custom_call(OpText &op) {
  const AttrText *attr = op.find_attr("call_target_name");
  if (!attr || attr->raw.empty())
    return s_.fail("TW-105", op.at, "stablehlo.custom_call: the attribute call_target_name is missing");
  const std::string target = plain_text(attr->raw);
  if (target == "Sharding")
    return lower_sharding_call(op);
  if (target == "SPMDFullToShardShape")
    return lower_full_to_shard(op);
  if (target == "SPMDShardToFullShape")
    return lower_shard_to_full(op);
  if (contains(kMarkers, target)) {
    c_.notes.add(Note::Kind::ignored, fmt::format("custom_call @{}: its operand stands for it", target),
                 op.at);
    return pass_through(op);
  }
  // Some ops come as calls: check.expect_close, chlo's functions, mhlo.topk with its attributes in a dictionary of their own.
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
    if (!own.empty()) {
      const Cursor back = s_.cursor();
      s_.seek({own.data(), back.line, own.data()});
      if (!parse_dict(s_, op.attrs))
        return false;
      s_.seek(back);
    }
    return (this->*kind.lower)(op);
  }
  std::string attributes;
  if (!gather_call_attributes(op, attributes))
    return false;
  if (!attributes.empty())
    op.attrs.push_back({"attributes", attributes, nullptr});
  return emit(op);
}

// What a call of foreign code says besides, for whoever runs it: one dictionary in place of attributes that no schema knows.
bool BodyReader::gather_call_attributes(OpText &op, std::string &text) {
  static constexpr std::string_view kOwn[] = {"call_target_name", "has_side_effect",       "api_version",
                                              "backend_config",   "called_computations",   "operand_layouts",
                                              "result_layouts",   "output_operand_aliases"};
  bool ok = true;
  std::erase_if(op.attrs, [&](const AttrText &a) {
    const bool is_dictionary = a.name == "backend_config" && a.raw.starts_with('{');
    if (Emitter::is_sharding(a.name) || a.name.starts_with("sdy.") ||
        (contains(kOwn, a.name) && !is_dictionary))
      return a.raw == "[]"; // no layouts, no aliases: nothing is left out
    std::string_view raw = a.raw;
    ok = ok && c_.attributes.resolve(raw);
    text += fmt::format("{}\"{}\" = {}", text.empty() ? "{" : ", ", a.name, raw.empty() ? "unit" : raw);
    return true;
  });
  text += text.empty() ? "" : "}";
  return ok;
}

// check.expect_eq_const %x, dense<..> is check.expect_eq of %x and a constant.
bool BodyReader::lower_expect_const(OpText &op) {
  const std::string_view name = op.name.substr(0, op.name.size() - std::string_view("_const").size());
  const AttrText *value = op.find_attr("value");
  if (!value || op.operand_types.size() != 1 || op.operands.size() != 1)
    return s_.fail("TW-105", op.at, fmt::format("{} takes one operand and a value", op.name));
  OpText literal;
  literal.name = "stablehlo.constant";
  literal.code = *ops::find_op(literal.name);
  literal.at = op.at;
  literal.line = op.line;
  literal.column = op.column;
  literal.attrs.push_back(*value);
  literal.result_types = op.operand_types;
  graph::OpId id = 0;
  if (!emitter_.add(literal, id))
    return false;
  op.operands.push_back(c_.builder.graph().result(id));
  op.operand_at.push_back(value->raw.data());
  op.operand_types.push_back(op.operand_types[0]);
  std::erase_if(op.attrs, [](const AttrText &a) { return a.name == "value"; });
  op.code = *ops::find_op(name);
  op.name = ops::op_def(op.code).name;
  return emit(op);
}

// The result's type is static here, so the operand that gives its shape says nothing new.
bool BodyReader::lower_static(OpText &op) {
  if (!emitter_.check_operand_types(op))
    return false;
  if (op.operands.empty() || op.result_types.size() != 1)
    return s_.fail("TW-110", op.at,
                   fmt::format("{}: expected a shape as last operand and one result", op.name));
  op.operands.pop_back();
  op.operand_types.pop_back();
  for (const Alias &form : kStatic)
    if (form.written == op.name)
      op.code = *ops::find_op(form.name);
  op.name = ops::op_def(op.code).name;
  return emit(op);
}

// The deprecated dot contracts the last dimension of its left operand with the first of its right one.
bool BodyReader::lower_dot(OpText &op) {
  if (op.operands.size() != 2)
    return s_.fail("TW-110", op.at,
                   fmt::format("stablehlo.dot takes 2 operands, has {}", op.operands.size()));
  const auto rank = static_cast<int64_t>(c_.type_of(op.operands[0]).rank());
  op.lists[0].assign(1, rank - 1);
  op.lists[1].assign(1, 0);
  op.attrs.push_back({"lhs_contracting_dimensions", std::string_view(op.at, 0), &op.lists[0]});
  op.attrs.push_back({"rhs_contracting_dimensions", std::string_view(op.at, 0), &op.lists[1]});
  op.name = "stablehlo.dot_general";
  op.code = *ops::find_op(op.name);
  return emit(op);
}

} // namespace tw::import
