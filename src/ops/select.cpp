// SPDX-License-Identifier: Apache-2.0
// Choosing elements: select by a predicate, clamp between bounds. Predicate and bounds may be scalars for all
// elements.
#include <fmt/format.h>

#include "ops/elementwise.hpp"
#include "ops/expression.hpp"
#include "ops/linear.hpp"

namespace tw::ops::select_ops {
namespace {

// `v` is a scalar or has the shape of `of`.
Status check_scalar_or_shape(const OpView &op, size_t v, size_t of) {
  const graph::TensorType &t = *op.operands[v], &like = *op.operands[of];
  if (t.rank() == 0 || t.dims == like.dims)
    return {};
  return fail(Code::invalid_argument, "TW-245",
              fmt::format("operand {} is {}: it must be a scalar or have the shape of operand {}, {}", v,
                          graph::to_short_text(t), of, graph::to_short_text(like)));
}

Result<std::vector<graph::TensorType>> infer_select(const OpView &op) {
  const graph::TensorType &pred = *op.operands[0], &on_true = *op.operands[1], &on_false = *op.operands[2];
  if (pred.dtype != DType::i1)
    return fail(
        Code::invalid_argument, "TW-245",
        fmt::format("operand 0, the predicate, is {}: its elements must be i1", graph::to_short_text(pred)));
  if (!(on_true == on_false))
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 1 is {} but operand 2 is {}", graph::to_short_text(on_true),
                            graph::to_short_text(on_false)));
  TW_TRY(check_scalar_or_shape(op, 0, 1));
  return std::vector<graph::TensorType>{on_true};
}

Result<std::vector<graph::TensorType>> infer_clamp(const OpView &op) {
  const graph::TensorType &x = *op.operands[1];
  for (size_t bound : {size_t(0), size_t(2)}) {
    if (op.operands[bound]->dtype != x.dtype)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {} is {} but operand 1 is {}: element types differ", bound,
                              graph::to_short_text(*op.operands[bound]), graph::to_short_text(x)));
    TW_TRY(check_scalar_or_shape(op, bound, 1));
  }
  return std::vector<graph::TensorType>{x};
}

OpDef ternary(const char *name, const char *doc,
              Result<std::vector<graph::TensorType>> (*infer)(const OpView &)) {
  OpDef def{name, doc, 3, 3, 1, {}, kElementwise | kCheap | kChooses};
  def.infer = infer;
  def.rule = elementwise_rule;
  return def;
}

Expression select_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar condition = b.operand(0), on_true = b.operand(1), on_false = b.operand(2);
  return std::move(b).result(select(condition, on_true, on_false));
}

Expression clamp_scalar(const OpView &op) {
  ScalarBuilder b(op);
  const Scalar low = b.wide(0), x = b.wide(1), high = b.wide(2);
  return std::move(b).result(minimum(maximum(x, low), high));
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      ternary("stablehlo.clamp", "Elements kept between a least and a greatest value. Spec: clamp.",
              infer_clamp),
      linear::with(ternary("stablehlo.select",
                           "Elements of one array where a predicate holds, else of another. Spec: select.",
                           infer_select),
                   linear::moved<0b110>),
  };
  static const std::vector<OpDef> expressed =
      with_scalars(defs, {{"stablehlo.clamp", clamp_scalar}, {"stablehlo.select", select_scalar}});
  return expressed;
}

} // namespace tw::ops::select_ops
