// SPDX-License-Identifier: Apache-2.0
// linalg on tensors: fills, products, transposes, reductions, and generic ops. What is in `outs` is where a
// sum begins; elsewhere it only says the shape.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "import/dialects/linalg/ops.hpp"
#include "import/local_code.hpp"
#include "ops/literal.hpp"
#include "ops/registry.hpp"

namespace tw::import {

using graph::TensorType;
using graph::ValueId;

namespace linalg {

// ins(%a, %b : T, U)
bool read_group(Reader &r, OpText &op, std::string_view word, int64_t &count) {
  count = 0;
  if (!r.s.accept(word))
    return true;
  const size_t before = op.operands.size();
  if (!r.s.expect('(', fmt::format("after {}", word)) || !r.read_operands(op))
    return false;
  count = static_cast<int64_t>(op.operands.size() - before);
  std::vector<graph::TypeId> types;
  if (count > 0 &&
      (!r.s.expect(':', fmt::format("before the types of {}", word)) || !r.c.types.parse_list(types)))
    return false;
  op.operand_types.insert(op.operand_types.end(), types.begin(), types.end());
  return r.s.expect(')', fmt::format("after {}", word));
}

bool read_results(Reader &r, OpText &op, int64_t outs) {
  if (r.s.accept("->"))
    return r.c.types.parse_outputs(op.result_types);
  op.result_types.assign(op.operand_types.end() - outs, op.operand_types.end());
  return true;
}

bool split_operands(Reader &r, const OpText &op, Operands &parts) {
  const AttrText *attr = op.find_attr("operandSegmentSizes");
  if (attr == nullptr)
    attr = op.find_attr("operand_segment_sizes");
  std::vector<int64_t> sizes;
  if (attr == nullptr)
    return r.s.fail("TW-105", op.at, fmt::format("{}: operandSegmentSizes is missing", op.name));
  if (attr->ints != nullptr)
    sizes = *attr->ints;
  else if (!r.c.attributes.read_ints(attr->raw, sizes))
    return false;
  if (sizes.size() != 2 || sizes[0] < 0 || sizes[1] < 1 || sizes[0] + sizes[1] != std::ssize(op.operands))
    return r.s.fail("TW-110", op.at,
                    fmt::format("{}: {} operands, and [{}] are said", op.name, op.operands.size(),
                                fmt::join(sizes, ", ")));
  parts.ins.assign(op.operands.begin(), op.operands.begin() + sizes[0]);
  parts.outs.assign(op.operands.begin() + sizes[0], op.operands.end());
  return r.emitter.check_operand_types(op);
}

bool is_zero(const graph::Graph &graph, ValueId v) {
  for (int steps = 0; steps < 4; ++steps) {
    if (const graph::Constant *literal = ops::literal_of_value(graph, v))
      return std::ranges::all_of(*literal->bytes, [](std::byte b) { return b == std::byte{0}; });
    const graph::OpId def = graph.value(v).def;
    if (def == graph::kNone || graph.op(def).num_operands != 1 ||
        ops::op_def(graph.op(def).code).name != std::string_view("stablehlo.broadcast_in_dim"))
      return false;
    v = graph.operands(def)[0];
  }
  return false;
}

ValueId combine(Reader &r, Implied &implied, sharding::Reduction kind, ValueId init, ValueId v) {
  const bool starts_at_zero = kind == sharding::Reduction::sum && is_zero(r.c.builder.graph(), init);
  return starts_at_zero ? v : implied.add(ops::combiner_op(kind), {init, v});
}

bool reduce(Reader &r, const OpText &op, Implied &implied, sharding::Reduction kind,
            std::vector<int64_t> dims, ValueId &v, std::optional<graph::RegionId> region) {
  if (!implied.ok())
    return false;
  const graph::DType dtype = r.c.type_of(v).dtype;
  const graph::TypeId scalar = r.c.builder.type({dtype, {}});
  const graph::ConstantId bytes = r.c.builder.constant(
      {scalar, true, std::make_shared<const std::vector<std::byte>>(ops::identity_of(kind, dtype))});
  const ValueId identity = implied.add("stablehlo.constant", {}, {{"value", bytes}});
  if (!region)
    region = implied.folding(kind, dtype);
  if (!implied.ok())
    return false;
  const graph::OpCode code = *ops::find_op("stablehlo.reduce");
  const ValueId operands[] = {v, identity};
  auto added = r.c.local.differs(v)
                   ? r.c.local.add(code, operands, {std::move(dims)}, {}, {&*region, 1})
                   : ops::add(r.c.builder, code, operands, {std::move(dims)}, {},
                              r.c.builder.location({op.line, op.column, op.loc.best()}), {&*region, 1});
  if (!added)
    return r.s.adopt(std::move(added.error()), op.at);
  v = r.c.builder.graph().result(*added);
  return true;
}

namespace {

bool skip_region(Reader &r, OpText &) { return r.s.skip_braces(); } // it says what the op's name says

// linalg.matmul ins(%a, %b : T, U) outs(%c : V) permutation = [1, 0] -> V
bool form_named(Reader &r, OpText &op) {
  if (op.generic)
    return r.read_generic(op, skip_region);
  int64_t ins = 0, outs = 0;
  if (!r.read_attr_dict(op))
    return false;
  const char *at = r.s.here();
  if (!read_group(r, op, "ins", ins) || !read_group(r, op, "outs", outs))
    return false;
  op.lists[0] = {ins, outs};
  op.attrs.push_back({"operandSegmentSizes", std::string_view(at, 1), &op.lists[0]});
  while (is_word_start(r.s.peek()))
    if (!r.read_pretty_attr(op))
      return false;
  return r.read_attr_dict(op) && read_results(r, op, outs);
}

bool begin(Reader &r, const OpText &op, size_t ins, Operands &parts) {
  if (!split_operands(r, op, parts))
    return false;
  if (op.find_attr("indexing_maps") != nullptr && !op.generic)
    return r.unsupported(op.at, fmt::format("{} with indexing_maps: write linalg.generic", op.name));
  return (parts.ins.size() == ins && parts.outs.size() == 1 && op.result_types.size() == 1) ||
         r.s.fail("TW-110", op.at,
                  fmt::format("{}: {} operands in ins and {} in outs, and {} and one are expected", op.name,
                              parts.ins.size(), parts.outs.size(), ins));
}

bool lower_fill(Reader &r, OpText &op) {
  Operands parts;
  if (!begin(r, op, 1, parts))
    return false;
  Implied implied(r.c, op);
  const TensorType type = r.c.type_of(parts.outs[0]);
  return bind_implied(r, op, implied,
                      implied.broadcast(implied.convert(parts.ins[0], type.dtype), {}, type.dims));
}

bool lower_product(Reader &r, OpText &op) {
  Operands parts;
  if (!begin(r, op, 2, parts))
    return false;
  const int64_t batch = op.name == "linalg.batch_matmul" ? 1 : 0;
  Implied implied(r.c, op);
  const graph::DType dtype = r.c.type_of(parts.outs[0]).dtype;
  const ValueId a = implied.convert(parts.ins[0], dtype), b = implied.convert(parts.ins[1], dtype);
  const ValueId product = implied.add("stablehlo.dot_general", {a, b},
                                      {{"lhs_batching_dimensions", numbers(0, batch)},
                                       {"rhs_batching_dimensions", numbers(0, batch)},
                                       {"lhs_contracting_dimensions", std::vector<int64_t>{batch + 1}},
                                       {"rhs_contracting_dimensions", std::vector<int64_t>{batch}}});
  return implied.ok() &&
         bind_implied(r, op, implied, combine(r, implied, sharding::Reduction::sum, parts.outs[0], product));
}

constexpr std::pair<std::string_view, std::string_view> kElementwise[] = {
    {"linalg.abs", "stablehlo.abs"},      {"linalg.add", "stablehlo.add"},
    {"linalg.div", "stablehlo.divide"},   {"linalg.exp", "stablehlo.exponential"},
    {"linalg.max", "stablehlo.maximum"},  {"linalg.min", "stablehlo.minimum"},
    {"linalg.mul", "stablehlo.multiply"}, {"linalg.negf", "stablehlo.negate"},
    {"linalg.sub", "stablehlo.subtract"}, {"linalg.tanh", "stablehlo.tanh"}};

bool lower_elementwise(Reader &r, OpText &op) {
  Operands parts;
  const auto *row =
      std::ranges::find(kElementwise, op.name, &std::pair<std::string_view, std::string_view>::first);
  const size_t ins = ops::op_def(*ops::find_op(row->second)).min_operands;
  if (!begin(r, op, ins, parts))
    return false;
  Implied implied(r.c, op);
  return bind_implied(r, op, implied, implied.add(row->second, parts.ins));
}

// linalg.transpose ins(%a : T) outs(%b : U) permutation = [1, 0]
bool lower_transpose(Reader &r, OpText &op) {
  Operands parts;
  std::vector<int64_t> permutation;
  const AttrText *attr = op.find_attr("permutation");
  if (!begin(r, op, 1, parts))
    return false;
  if (attr == nullptr || !r.c.attributes.read_ints(attr->raw, permutation))
    return r.s.failed() ? false : r.s.fail("TW-105", op.at, "linalg.transpose has a permutation");
  Implied implied(r.c, op);
  return bind_implied(r, op, implied,
                      implied.add("stablehlo.transpose", parts.ins, {{"permutation", permutation}}));
}

// ---- reduce

// linalg.reduce { arith.addf } ins(..) outs(..) dimensions = [1], or with (%a: f32, %b: f32) { .. } behind
// them
bool form_reduce(Reader &r, OpText &op) {
  if (op.generic)
    return r.read_generic(op);
  int64_t ins = 0, outs = 0;
  const char *at = r.s.here();
  if (r.s.accept('{')) {
    const std::string_view combiner = r.s.word();
    std::string_view skipped;
    op.attrs.push_back({"combiner", combiner, nullptr});
    if ((r.s.peek() == '{' && !r.s.skip_term(skipped)) || !r.s.expect('}', "after the op of linalg.reduce"))
      return false;
  }
  if (!read_group(r, op, "ins", ins) || !read_group(r, op, "outs", outs))
    return false;
  op.lists[0] = {ins, outs};
  op.attrs.push_back({"operandSegmentSizes", std::string_view(at, 1), &op.lists[0]});
  if (!r.s.accept("dimensions"))
    return r.s.fail_here("dimensions = [0]", "of linalg.reduce");
  std::string_view dims;
  if (!r.s.expect('=', "after dimensions") || !r.s.skip_term(dims))
    return false;
  op.attrs.push_back({"dimensions", dims, nullptr});
  if (r.s.peek() == '(') {
    std::vector<Argument> arguments;
    if (!r.read_block_arguments(arguments, false) || !r.s.expect('{', "before the body of linalg.reduce") ||
        !r.read_region_body(op, arguments))
      return false;
  }
  return read_results(r, op, outs);
}

std::optional<sharding::Reduction> kind_of_combiner(std::string_view op) {
  using enum sharding::Reduction;
  static constexpr std::pair<std::string_view, sharding::Reduction> kKinds[] = {
      {"arith.addf", sum},  {"arith.addi", sum},  {"arith.andi", land},    {"arith.maximumf", max},
      {"arith.maxsi", max}, {"arith.minsi", min}, {"arith.minimumf", min}, {"arith.mulf", prod},
      {"arith.muli", prod}, {"arith.ori", lor},   {"arith.xori", lxor}};
  for (const auto &[name, kind] : kKinds)
    if (name == op)
      return kind;
  return std::nullopt;
}

bool lower_reduce(Reader &r, OpText &op) {
  Operands parts;
  std::vector<int64_t> dims;
  const AttrText *attr = op.find_attr("dimensions"), *combiner = op.find_attr("combiner");
  if (!begin(r, op, 1, parts))
    return false;
  if (attr == nullptr || !r.c.attributes.read_ints(attr->raw, dims))
    return r.s.failed() ? false : r.s.fail("TW-105", op.at, "linalg.reduce has dimensions");
  const auto kind = combiner != nullptr      ? kind_of_combiner(combiner->raw)
                    : op.regions.size() == 1 ? ops::reduction_of(r.c.builder.graph(), op.regions[0])
                                             : std::nullopt;
  if (!kind)
    return r.unsupported(
        op.at, "linalg.reduce whose body is not one of add, multiply, maximum, minimum, and, or, xor");
  Implied implied(r.c, op);
  ValueId v = parts.ins[0];
  const auto region = op.regions.empty() ? std::nullopt : std::optional(op.regions[0]);
  return reduce(r, op, implied, *kind, dims, v, region) &&
         bind_implied(r, op, implied, combine(r, implied, *kind, parts.outs[0], v));
}

constexpr Syntax kSyntax[] = {
    {"linalg.batch_matmul", form_named, lower_product, true},
    {"linalg.fill", form_named, lower_fill, true},
    {"linalg.generic", form_generic, lower_generic, true},
    {"linalg.index", form_index, lower_index},
    {"linalg.matmul", form_named, lower_product, true},
    {"linalg.reduce", form_reduce, lower_reduce, true},
    {"linalg.transpose", form_named, lower_transpose, true},
    {"linalg.yield", form_yield, lower_yield},
};

const Syntax *find_elementwise(std::string_view name) {
  static constexpr Syntax kShared = {{}, form_named, lower_elementwise, true};
  return std::ranges::find(kElementwise, name, &std::pair<std::string_view, std::string_view>::first) !=
                 std::end(kElementwise)
             ? &kShared
             : nullptr;
}

} // namespace

} // namespace linalg

} // namespace tw::import

namespace tw::import::linalg_dialect {

Dialect dialect() { return {.syntax = linalg::kSyntax, .find_family = linalg::find_elementwise}; }

} // namespace tw::import::linalg_dialect
