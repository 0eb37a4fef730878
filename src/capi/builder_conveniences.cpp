// SPDX-License-Identifier: Apache-2.0
// tw_builder.h: ops that people use, in one call each.
#include <algorithm>

#include "capi/builder.hpp"
#include "ops/einsum.hpp"
#include "ops/reduction.hpp"

using namespace tw;
using namespace tw::capi;
using ops::OpKind;

namespace tw::capi {

Result<graph::RegionId> combiner_region(tw_builder_t *b, const char *op, graph::DType dtype) {
  TW_ASSIGN(const auto code, named_op(op, false));
  const graph::TypeId scalar = b->graph.type({dtype, {}});
  const graph::TypeId pair[2] = {scalar, scalar};
  const graph::RegionId region = b->graph.open_region(pair);
  const std::vector<ValueId> args = b->graph.graph().region(region).args;
  TW_ASSIGN(auto slots, ops::check_attrs(ops::op_def(code), {}));
  TW_ASSIGN(const auto id, ops::add(b->graph, code, args, std::move(slots)));
  if (b->graph.graph().op(id).num_results != 1)
    return fail(Code::invalid_argument, "TW-244",
                fmt::format("{} does not make one value of two", ops::op_def(code).name));
  b->graph.close_region({b->graph.graph().result(id)});
  return region;
}

} // namespace tw::capi

namespace {

// A scalar meets any shape.
Status broadcast_scalar(tw_builder_t *b, ValueId (&operands)[2]) {
  TW_TRY(check_values(b, operands));
  for (int i = 0; i < 2; ++i) {
    const graph::Shape other = b->graph.type_of(operands[1 - i]).dims;
    if (b->graph.type_of(operands[i]).rank() == 0 && !other.empty()) {
      TW_ASSIGN(operands[i], broadcast(b, operands[i], other, {}));
    }
  }
  return {};
}

} // namespace

tw_value_t tw_builder_unary(tw_builder_t *b, const char *op, tw_value_t x) {
  return step(b, "tw_builder_unary", [&]() -> Result<ValueId> {
    TW_ASSIGN(const auto code, named_op(op, false));
    return add(b, code, {&x, 1}, {});
  });
}

tw_value_t tw_builder_binary(tw_builder_t *b, const char *op, tw_value_t x, tw_value_t y) {
  return step(b, "tw_builder_binary", [&]() -> Result<ValueId> {
    ValueId operands[2] = {x, y};
    TW_ASSIGN(const auto code, named_op(op, false));
    TW_TRY(broadcast_scalar(b, operands));
    return add(b, code, operands, {});
  });
}

tw_value_t tw_builder_compare(tw_builder_t *b, const char *direction, tw_value_t x, tw_value_t y) {
  return step(b, "tw_builder_compare", [&]() -> Result<ValueId> {
    TW_TRY(require(direction, "direction"));
    ValueId operands[2] = {x, y};
    TW_ASSIGN(const auto code, named_op("compare", false));
    TW_TRY(broadcast_scalar(b, operands));
    const ops::NamedAttr attr{"comparison_direction", std::string(direction)};
    return add(b, code, operands, {&attr, 1});
  });
}

tw_value_t tw_builder_convert(tw_builder_t *b, tw_value_t x, tw_dtype_t dtype) {
  return step(b, "tw_builder_convert", [&]() -> Result<ValueId> {
    TW_TRY(check_values(b, {&x, 1}));
    const graph::Shape dims = b->graph.type_of(x).dims;
    TW_ASSIGN(const auto type, checked_type(dtype, dims.data(), dims.size()));
    TW_ASSIGN(const auto code, named_op("convert", false));
    return add(b, code, {&x, 1}, {}, {&type, 1});
  });
}

tw_value_t tw_builder_einsum(tw_builder_t *b, const char *subscripts, tw_value_t x, tw_value_t y) {
  return step(b, "tw_builder_einsum", [&]() -> Result<ValueId> {
    TW_TRY(require(subscripts, "subscripts"));
    const ValueId operands[2] = {x, y};
    TW_TRY(check_values(b, operands));
    TW_ASSIGN(auto einsum, ops::parse_einsum(subscripts, b->graph.type_of(x), b->graph.type_of(y)));
    const ops::NamedAttr dims[] = {{"lhs_batching_dimensions", einsum.lhs_batch},
                                   {"rhs_batching_dimensions", einsum.rhs_batch},
                                   {"lhs_contracting_dimensions", einsum.lhs_contract},
                                   {"rhs_contracting_dimensions", einsum.rhs_contract}};
    TW_ASSIGN(const auto product, add(b, ops::code_of(OpKind::dot), operands, dims));
    if (std::is_sorted(einsum.permutation.begin(), einsum.permutation.end()))
      return product;
    const ops::NamedAttr order{"permutation", einsum.permutation};
    return add(b, ops::code_of(OpKind::transpose), {&product, 1}, {&order, 1});
  });
}

tw_value_t tw_builder_transpose(tw_builder_t *b, tw_value_t x, const int64_t *permutation, size_t n) {
  return step(b, "tw_builder_transpose", [&]() -> Result<ValueId> {
    TW_ASSIGN(auto order, ints(permutation, n, "permutation"));
    const ops::NamedAttr attr{"permutation", std::move(order)};
    return add(b, ops::code_of(OpKind::transpose), {&x, 1}, {&attr, 1});
  });
}

tw_value_t tw_builder_reshape(tw_builder_t *b, tw_value_t x, const int64_t *dims, size_t ndims) {
  return step(b, "tw_builder_reshape", [&]() -> Result<ValueId> {
    TW_TRY(check_values(b, {&x, 1}));
    TW_ASSIGN(auto to, ints(dims, ndims, "dims"));
    const graph::TensorType type{b->graph.type_of(x).dtype, std::move(to)};
    return add(b, ops::code_of(OpKind::reshape), {&x, 1}, {}, {&type, 1});
  });
}

tw_value_t tw_builder_broadcast(tw_builder_t *b, tw_value_t x, const int64_t *dims, size_t ndims,
                                const int64_t *map, size_t n) {
  return step(b, "tw_builder_broadcast", [&]() -> Result<ValueId> {
    TW_ASSIGN(auto to, ints(dims, ndims, "dims"));
    TW_ASSIGN(auto into, ints(map, n, "map"));
    return broadcast(b, x, std::move(to), std::move(into));
  });
}

tw_value_t tw_builder_slice(tw_builder_t *b, tw_value_t x, const int64_t *starts, const int64_t *limits,
                            const int64_t *steps, size_t n) {
  return step(b, "tw_builder_slice", [&]() -> Result<ValueId> {
    TW_ASSIGN(const auto code, named_op("slice", false));
    TW_ASSIGN(auto from, ints(starts, n, "starts"));
    TW_ASSIGN(auto to, ints(limits, n, "limits"));
    std::vector<int64_t> by(n, 1);
    if (steps) {
      TW_ASSIGN(by, ints(steps, n, "steps"));
    }
    const ops::NamedAttr attrs[] = {
        {"start_indices", std::move(from)}, {"limit_indices", std::move(to)}, {"strides", std::move(by)}};
    return add(b, code, {&x, 1}, attrs);
  });
}

tw_value_t tw_builder_concatenate(tw_builder_t *b, const tw_value_t *values, size_t num_values, int64_t dim) {
  return step(b, "tw_builder_concatenate", [&]() -> Result<ValueId> {
    if (num_values)
      TW_TRY(require(values, "values"));
    TW_ASSIGN(const auto code, named_op("concatenate", false));
    const ops::NamedAttr attr{"dimension", dim};
    return add(b, code, {values, num_values}, {&attr, 1});
  });
}

tw_value_t tw_builder_reduce(tw_builder_t *b, const char *kind, tw_value_t x, const int64_t *dims,
                             size_t ndims) {
  return step(b, "tw_builder_reduce", [&]() -> Result<ValueId> {
    TW_TRY(require(kind, "kind"));
    TW_TRY(check_values(b, {&x, 1}));
    TW_ASSIGN(auto away, ints(dims, ndims, "dims"));
    const auto named = sharding::parse_reduction(kind);
    const char *combiner = named ? ops::combiner_op(*named) : nullptr;
    if (!combiner)
      return fail(Code::invalid_argument, "TW-710",
                  fmt::format("reduce knows sum, max, min, prod, and, or and xor, not \"{}\"", kind));
    const sharding::Reduction reduction = *named;
    const graph::TensorType scalar{b->graph.type_of(x).dtype, {}};
    TW_ASSIGN(const auto init, constant(b, scalar, ops::identity_of(reduction, scalar.dtype), true));
    TW_ASSIGN(const auto region, combiner_region(b, combiner, scalar.dtype));
    const ValueId operands[2] = {x, init};
    const ops::NamedAttr attr{"dimensions", std::move(away)};
    return add(b, ops::code_of(OpKind::reduce), operands, {&attr, 1}, {}, {&region, 1});
  });
}
