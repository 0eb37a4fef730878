// SPDX-License-Identifier: Apache-2.0
// reshape: the same elements in the same row-major order under other dimensions, and the factors that both
// shapes share.
#include <numeric>

#include <fmt/format.h>

#include "ops/linear.hpp"
#include "ops/op_def.hpp"

namespace tw::ops::reshape_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  if (op.results.size() != 1)
    return fail(Code::invalid_argument, "TW-246",
                "the result type must be stated: the operand does not say it");
  const graph::TensorType &from = *op.operands[0], &to = *op.results[0];
  if (from.dtype != to.dtype)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {} but the result is {}: element types differ",
                            graph::to_short_text(from), graph::to_short_text(to)));
  if (from.elements() != to.elements())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("operand 0 is {} with {} elements but the result is {} with {}",
                            graph::to_short_text(from), from.elements(), graph::to_short_text(to),
                            to.elements()));
  return std::vector<graph::TensorType>{to};
}

// Walks the dimensions of one shape, major to minor, taking factors out of the current one; dimensions of
// size 1 have none.
class Dims {
public:
  explicit Dims(const graph::Shape &shape) : shape_(shape) { skip_ones(); }
  bool done() const { return at_ == shape_.size(); }
  size_t dim() const { return at_; }
  int64_t left() const { return left_; }
  void take(int64_t factor) {
    left_ /= factor;
    if (left_ == 1) {
      ++at_;
      skip_ones();
    }
  }

private:
  void skip_ones() {
    while (at_ < shape_.size() && shape_[at_] == 1)
      ++at_;
    left_ = done() ? 1 : shape_[at_];
  }
  const graph::Shape &shape_;
  size_t at_ = 0;
  int64_t left_ = 1;
};

// 8x4 -> 2x16 is ([i j],[k])->([i],[j k]). Where the current dimensions share no factor (3x2 -> 2x3), what is
// left of them up to the next common boundary must stay whole.
Rule rule(const OpView &op) {
  RuleBuilder rule(op);
  Dims from(op.operands[0]->dims), to(op.results[0]->dims);
  auto keep_input = [&] {
    const int64_t n = from.left();
    rule.whole_in(0, from.dim(), n);
    from.take(n);
    return n;
  };
  auto keep_output = [&] {
    const int64_t n = to.left();
    rule.whole_out(0, to.dim(), n);
    to.take(n);
    return n;
  };
  if (op.operands[0]->elements() == 0) {
    for (size_t d = 0; d < op.operands[0]->rank(); ++d)
      rule.whole_in(0, d, op.operands[0]->dims[d]);
    for (size_t d = 0; d < op.results[0]->rank(); ++d)
      rule.whole_out(0, d, op.results[0]->dims[d]);
    return rule.build();
  }
  while (!from.done() && !to.done()) {
    if (const int64_t shared = std::gcd(from.left(), to.left()); shared > 1) {
      const FactorId f = rule.pass(shared);
      rule.in(0, from.dim(), f).out(0, to.dim(), f);
      from.take(shared);
      to.take(shared);
      continue;
    }
    for (int64_t in = keep_input(), out = keep_output(); in != out;) {
      if (in < out)
        in *= keep_input();
      else
        out *= keep_output();
    }
  }
  return rule.build();
}

OpDef reshape() {
  OpDef def{"stablehlo.reshape",
            "The same elements in the same order under other dimensions. Spec: reshape.",
            1,
            1,
            1,
            {},
            kRename};
  def.flags |= kSourceOfSources | kPassThrough | kPlaceless | kBatches;
  def.kind = OpKind::reshape;
  def.infer = infer;
  def.rule = rule;
  def.rule_text = "([ab,c])->([a,bc])";
  def.cost = [](const OpView &) { return Cost{}; };
  def.linear = linear::moved<0b1>;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {reshape()};
  return defs;
}

} // namespace tw::ops::reshape_ops
