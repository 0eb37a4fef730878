// SPDX-License-Identifier: Apache-2.0
// map: a region of scalars applied to the elements at each index.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ops/attributes.hpp"
#include "ops/elementwise.hpp"

namespace tw::ops::map_ops {
namespace {

Result<std::vector<graph::TensorType>> infer(const OpView &op) {
  const graph::TensorType &first = *op.operands[0];
  const auto dims = op.ints(slot::map::dimensions);
  bool every = dims.size() == first.rank();
  for (size_t d = 0; every && d < dims.size(); ++d)
    every = dims[d] == static_cast<int64_t>(d);
  if (!every)
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("dimensions [{}] must be all of operand 0, {}, in order", fmt::join(dims, ", "),
                            graph::to_short_text(first)));
  const graph::Region &region = op.graph.region(op.regions[0]);
  if (region.args.size() != op.operands.size() || region.yields.size() != 1 ||
      op.graph.type(region.yields[0]).rank() != 0)
    return fail(Code::invalid_argument, "TW-248",
                fmt::format("its region must take one scalar of each of {} operands and give one scalar",
                            op.operands.size()));
  for (size_t i = 0; i < op.operands.size(); ++i) {
    const graph::TensorType &array = *op.operands[i];
    if (array.dims != first.dims)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {} is {} but operand 0 is {}: shapes differ", i,
                              graph::to_short_text(array), graph::to_short_text(first)));
    if (!(op.graph.type(region.args[i]) == graph::TensorType{array.dtype, {}}))
      return fail(Code::invalid_argument, "TW-248",
                  fmt::format("its region takes {} for operand {}, {}: expected a scalar {}",
                              graph::to_short_text(op.graph.type(region.args[i])), i,
                              graph::to_short_text(array), graph::name(array.dtype)));
  }
  return std::vector<graph::TensorType>{{op.graph.type(region.yields[0]).dtype, first.dims}};
}

OpDef map() {
  OpDef def{
      "stablehlo.map",
      "A region of scalars applied to the elements at each index. Spec: map.",
      1,
      -1,
      1,
      {{"dimensions", AttrKind::ints, true, "all dimensions of the operands, in order", AttrDims::paired}},
      0,
      1};
  def.kind = OpKind::map;
  def.flags |= kBatches;
  def.infer = infer;
  def.rule = elementwise_rule;
  def.rule_text = "([i,j],[i,j])->([i,j])";
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {map()};
  return defs;
}

} // namespace tw::ops::map_ops
