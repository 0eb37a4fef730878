// SPDX-License-Identifier: Apache-2.0
// batch_norm_training, batch_norm_inference and batch_norm_grad as the sums and elementwise ops that they
// stand for, so that every dimension may be tiled: splitting the feature needs nothing, splitting another
// leaves partial sums.
#include "import/dialects/stablehlo/ops.hpp"

#include <fmt/format.h>

#include "import/implied.hpp"

namespace tw::import {

namespace {

using graph::ValueId;

// Writes the formulas over arrays of the operand's shape, the feature's vectors broadcast to it.
class BatchNorm {
public:
  BatchNorm(Implied &ops, const graph::TensorType &type, int64_t feature, double epsilon)
      : ops_(ops), type_(type), feature_(feature), epsilon_(epsilon) {
    for (int64_t d = 0; d < static_cast<int64_t>(type.rank()); ++d)
      if (d != feature) {
        others_.push_back(d);
        count_ *= static_cast<double>(type.dims[static_cast<size_t>(d)]);
      }
  }

  std::vector<ValueId> inference(ValueId x, ValueId scale, ValueId offset, ValueId mean, ValueId variance) {
    const ValueId normal = divide(subtract(x, wide(mean)), deviation(variance));
    return {add(multiply(normal, wide(scale)), wide(offset))};
  }

  std::vector<ValueId> training(ValueId x, ValueId scale, ValueId offset) {
    const ValueId mean = average(x), centred = subtract(x, wide(mean));
    const ValueId variance = average(multiply(centred, centred));
    return {inference(x, scale, offset, mean, variance)[0], mean, variance};
  }

  std::vector<ValueId> grad(ValueId x, ValueId scale, ValueId mean, ValueId variance, ValueId upstream) {
    const ValueId centred = subtract(x, wide(mean)), spread = deviation(variance);
    const ValueId grad_offset = ops_.sum(upstream, others_);
    const ValueId product = multiply(upstream, centred), correlation = ops_.sum(product, others_);
    const ValueId grad_scale = ops_.sum(divide(product, spread), others_);
    const ValueId count = ops_.number(type_, count_);
    const ValueId along = divide(multiply(wide(correlation), centred), shifted(variance));
    const ValueId rest = subtract(subtract(multiply(upstream, count), wide(grad_offset)), along);
    return {multiply(divide(divide(wide(scale), spread), count), rest), grad_scale, grad_offset};
  }

private:
  ValueId add(ValueId a, ValueId b) { return ops_.add("stablehlo.add", {a, b}); }
  ValueId subtract(ValueId a, ValueId b) { return ops_.add("stablehlo.subtract", {a, b}); }
  ValueId multiply(ValueId a, ValueId b) { return ops_.add("stablehlo.multiply", {a, b}); }
  ValueId divide(ValueId a, ValueId b) { return ops_.add("stablehlo.divide", {a, b}); }
  ValueId wide(ValueId vector) { return ops_.broadcast(vector, {feature_}, type_.dims); }
  ValueId shifted(ValueId variance) { return add(wide(variance), ops_.number(type_, epsilon_)); }
  ValueId deviation(ValueId variance) { return ops_.add("stablehlo.sqrt", {shifted(variance)}); }
  ValueId average(ValueId x) {
    const ValueId total = ops_.sum(x, others_);
    return divide(total, ops_.number({type_.dtype, {type_.dims[static_cast<size_t>(feature_)]}}, count_));
  }

  Implied &ops_;
  graph::TensorType type_;
  int64_t feature_;
  double epsilon_;
  double count_ = 1; // elements of one feature
  std::vector<int64_t> others_;
};

} // namespace

bool lower_batch_norm(Reader &r, OpText &op) {
  const size_t takes = op.name == "stablehlo.batch_norm_training" ? 3 : 5;
  int64_t feature = 0;
  double epsilon = 0;
  if (!r.emitter.check_operand_types(op) || !r.read_attr(op, "feature_index", feature) ||
      !r.read_attr(op, "epsilon", epsilon))
    return false;
  if (op.operands.size() != takes)
    return r.s.fail("TW-110", op.at,
                    fmt::format("{} takes {} operands, has {}", op.name, takes, op.operands.size()));
  const graph::TensorType type = r.c.type_of(op.operands[0]);
  if (!graph::is_float(type.dtype) || feature < 0 || feature >= static_cast<int64_t>(type.rank()))
    return r.s.fail("TW-110", op.operand_at[0],
                    fmt::format("{}: operand 0 is {}: expected floats with dimension {}, the feature",
                                op.name, graph::to_text(type), feature));
  const graph::TensorType vector{type.dtype, {type.dims[static_cast<size_t>(feature)]}};
  for (size_t v = 1; v < takes; ++v) {
    const bool grad_output = takes == 5 && v == 4 && op.name == "stablehlo.batch_norm_grad";
    const graph::TensorType &wanted = grad_output ? type : vector;
    if (!(r.c.type_of(op.operands[v]) == wanted))
      return r.s.fail("TW-110", op.operand_at[v],
                      fmt::format("{}: operand {} is {}, expected {}", op.name, v,
                                  graph::to_text(r.c.type_of(op.operands[v])), graph::to_text(wanted)));
  }
  Implied implied(r.c, op);
  BatchNorm norm(implied, type, feature, epsilon);
  const auto &x = op.operands;
  const std::vector<ValueId> results =
      op.name == "stablehlo.batch_norm_training" ? norm.training(x[0], x[1], x[2])
      : op.name == "stablehlo.batch_norm_grad"   ? norm.grad(x[0], x[1], x[2], x[3], x[4])
                                                 : norm.inference(x[0], x[1], x[2], x[3], x[4]);
  return implied.ok() && r.stand_for(op, results);
}

} // namespace tw::import
