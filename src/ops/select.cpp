// SPDX-License-Identifier: Apache-2.0
// Choosing elements: select by a predicate, clamp between bounds. Predicate and bounds may be scalars for all
// elements.
#include <fmt/format.h>

#include "ops/elementwise.hpp"
#include "ops/linear.hpp"
#include "ops/scalar.hpp"

namespace tw::ops::select_ops {
namespace {

template <class S> void select_block(const void *const *in, void *out, int64_t n) {
  const auto *pred = static_cast<const uint8_t *>(in[0]);
  const auto *a = static_cast<const S *>(in[1]), *b = static_cast<const S *>(in[2]);
  auto *y = static_cast<S *>(out);
  TW_INDEPENDENT_LOOP
  for (int64_t i = 0; i < n; ++i) {
    const S p = a[i], q = b[i];
    y[i] = pred[i] ? p : q;
  }
}

struct Bytes16 {
  uint64_t low, high;
};

// Values only move, so the size of an element is all that matters.
BlockFn select_fn(const OpView &op) {
  switch (graph::byte_size(op.operands[1]->dtype)) {
  case 1: return select_block<uint8_t>;
  case 2: return select_block<uint16_t>;
  case 4: return wide<select_block<uint32_t>>();
  case 8: return wide<select_block<uint64_t>>();
  default: return select_block<Bytes16>;
  }
}

template <class E> void clamp_block(const void *const *in, void *out, int64_t n) {
  static const BlockFn maximum = elementwise::block_for<scalar::Maximum, 2>(E::dtype);
  static const BlockFn minimum = elementwise::block_for<scalar::Minimum, 2>(E::dtype);
  using S = typename E::Storage;
  const auto *low = static_cast<const S *>(in[0]), *x = static_cast<const S *>(in[1]),
             *high = static_cast<const S *>(in[2]);
  S raised[elementwise::kChunk];
  for (int64_t from = 0; from < n; from += elementwise::kChunk) {
    const int64_t m = std::min(elementwise::kChunk, n - from);
    const void *first[] = {x + from, low + from}, *second[] = {raised, high + from};
    maximum(first, raised, m);
    minimum(second, static_cast<S *>(out) + from, m);
  }
}

BlockFn clamp_fn(const OpView &op) {
  return visit_dtype(op.operands[1]->dtype, []<class E>(E) -> BlockFn { return clamp_block<E>; });
}

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

template <BlockFn (*choose)(const OpView &)>
OpDef ternary(const char *name, const char *doc,
              Result<std::vector<graph::TensorType>> (*infer)(const OpView &)) {
  OpDef def{name, doc, 3, 3, 1, {}, kElementwise | kCheap | kChooses};
  def.infer = infer;
  def.rule = elementwise_rule;
  def.reference = [](const KernelArgs &args) { return run_block(args, choose(args.op)); };
  def.block = choose;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {
      ternary<clamp_fn>("stablehlo.clamp", "Elements kept between a least and a greatest value. Spec: clamp.",
                        infer_clamp),
      linear::with(
          ternary<select_fn>("stablehlo.select",
                             "Elements of one array where a predicate holds, else of another. Spec: select.",
                             infer_select),
          linear::moved<0b110>),
  };
  return defs;
}

} // namespace tw::ops::select_ops
