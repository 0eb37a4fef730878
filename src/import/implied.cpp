// SPDX-License-Identifier: Apache-2.0
// Building the ops that an op of the text stands for, and finding the integers that its shape operands hold.
#include "import/implied.hpp"

#include <cstring>

#include "ops/element.hpp"
#include "ops/folding.hpp"
#include "ops/reduction.hpp"
#include "ops/registry.hpp"

namespace tw::import {

Implied::Implied(Context &context, const OpText &from)
    : c_(context), from_(from), loc_(context.builder.location({from.line, from.column, from.loc.best()})) {}

graph::ValueId Implied::add(std::string_view op, std::vector<graph::ValueId> operands,
                            std::vector<ops::NamedAttr> attrs,
                            const std::optional<graph::TensorType> &stated) {
  if (error_)
    return graph::kNone;
  const graph::OpCode code = *ops::find_op(op);
  auto slots = ops::check_attrs(ops::op_def(code), attrs);
  if (!slots) {
    error_ = std::move(slots.error());
    return graph::kNone;
  }
  std::vector<graph::TypeId> types;
  if (stated)
    types.push_back(c_.builder.type(*stated));
  c_.local.at(loc_);
  auto added = c_.local.any_differs(operands)
                   ? c_.local.add(code, operands, *slots, types, {})
                   : ops::add(c_.builder, code, operands, std::move(*slots), types, loc_);
  if (!added) {
    error_ = std::move(added.error());
    return graph::kNone;
  }
  return c_.builder.graph().result(*added);
}

graph::ValueId Implied::constant(const graph::TensorType &type, bool splat, std::vector<std::byte> bytes) {
  auto shared = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
  return add("stablehlo.constant", {},
             {{"value", c_.builder.constant({c_.builder.type(type), splat, std::move(shared)})}});
}

graph::ValueId Implied::integers(const graph::TensorType &type, std::span<const int64_t> values) {
  std::vector<std::byte> bytes(values.size() * graph::byte_size(type.dtype));
  ops::visit_dtype(type.dtype, [&]<class E>(E) {
    if constexpr (ops::is_int_value<typename E::Value>)
      for (size_t i = 0; i < values.size(); ++i) {
        const typename E::Storage stored = E::store(static_cast<typename E::Value>(values[i]));
        std::memcpy(bytes.data() + i * sizeof stored, &stored, sizeof stored);
      }
  });
  return constant(type, false, std::move(bytes));
}

graph::ValueId Implied::number(const graph::TensorType &type, double value) {
  return constant(type, true, ops::element_bytes(type.dtype, value));
}

graph::ValueId Implied::reduce(graph::ValueId x, std::vector<int64_t> dimensions, sharding::Reduction kind) {
  if (error_)
    return graph::kNone;
  const graph::DType dtype = type(x).dtype;
  const graph::ValueId init = constant({dtype, {}}, true, ops::identity_of(kind, dtype));
  const graph::RegionId region = folding(kind, dtype);
  const graph::OpCode code = *ops::find_op("stablehlo.reduce");
  const graph::ValueId operands[] = {x, init};
  auto added = ops::add(c_.builder, code, operands, {std::move(dimensions)}, {}, loc_, {&region, 1});
  if (!added) {
    error_ = std::move(added.error());
    return graph::kNone;
  }
  return c_.builder.graph().result(*added);
}

graph::ValueId Implied::broadcast(graph::ValueId x, std::vector<int64_t> dimensions, const graph::Shape &to) {
  if (error_)
    return graph::kNone;
  const graph::TensorType stated{type(x).dtype, to};
  return add("stablehlo.broadcast_in_dim", {x}, {{"broadcast_dimensions", std::move(dimensions)}}, stated);
}

graph::ValueId Implied::convert(graph::ValueId x, graph::DType dtype) {
  if (error_ || type(x).dtype == dtype)
    return x;
  return add("stablehlo.convert", {x}, {}, graph::TensorType{dtype, type(x).dims});
}

graph::RegionId Implied::folding(sharding::Reduction kind, graph::DType dtype) {
  if (error_)
    return graph::kNone;
  const graph::TypeId scalar = c_.builder.type({dtype, {}});
  const graph::TypeId types[] = {scalar, scalar};
  const graph::RegionId region = c_.builder.open_region(types);
  const std::vector<graph::ValueId> arguments = c_.builder.graph().region(region).args;
  c_.builder.close_region({add(ops::combiner_op(kind), arguments)});
  return region;
}

bool Implied::ok() { return !error_ || c_.s.adopt(std::move(*error_), from_.at); }

namespace {

constexpr int64_t kMostFolded = 1024; // elements of what is called a shape
constexpr int kMostSteps = 64;        // ops between constants and a shape

struct Folded {
  graph::TensorType type;
  std::vector<std::byte> bytes;
};

std::optional<Folded> fold(const graph::Graph &graph, graph::ValueId v, int steps) {
  const graph::OpId id = graph.value(v).def;
  if (id == graph::kNone || steps == 0 || graph.type(v).elements() > kMostFolded)
    return std::nullopt;
  const graph::Op &op = graph.op(id);
  const ops::OpDef &def = ops::op_def(op.code);
  if (op.num_results != 1 || op.num_regions != 0 || (def.flags & ops::kSideEffect) != 0)
    return std::nullopt;
  std::vector<Folded> inputs;
  inputs.reserve(op.num_operands);
  std::vector<ops::ArrayBytes> operands;
  for (const graph::ValueId operand : graph.operands(id)) {
    auto input = fold(graph, operand, steps - 1);
    if (!input)
      return std::nullopt;
    inputs.push_back(std::move(*input));
    operands.emplace_back(inputs.back().bytes);
  }
  auto bytes = ops::fold(def, ops::OpViewHolder(graph, id).view(), operands);
  if (!bytes || !*bytes)
    return std::nullopt;
  return Folded{graph.type(v), std::move(**bytes)};
}

} // namespace

std::vector<int64_t> numbers(int64_t first, int64_t last) {
  std::vector<int64_t> list;
  for (int64_t n = first; n < last; ++n)
    list.push_back(n);
  return list;
}

std::optional<std::vector<int64_t>> fold_integers(const graph::Graph &graph, graph::ValueId v) {
  const auto folded = fold(graph, v, kMostSteps);
  if (!folded)
    return std::nullopt;
  std::vector<int64_t> values;
  ops::visit_dtype(folded->type.dtype, [&]<class E>(E) {
    if constexpr (ops::is_int_value<typename E::Value>)
      for (int64_t i = 0; i < folded->type.elements(); ++i) {
        typename E::Storage stored;
        std::memcpy(&stored, folded->bytes.data() + static_cast<size_t>(i) * sizeof stored, sizeof stored);
        values.push_back(static_cast<int64_t>(E::load(stored)));
      }
  });
  if (!graph::is_int(folded->type.dtype))
    return std::nullopt;
  return values;
}

} // namespace tw::import
