// SPDX-License-Identifier: Apache-2.0
// sort and top_k: arrays put in order along a dimension, by a comparator region or by value.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "ops/attributes.hpp"
#include "ops/element.hpp"
#include "ops/op_def.hpp"
#include "ops/region_fn.hpp"
#include "ops/scalar.hpp"
#include "ops/strided.hpp"

namespace tw::ops::sort_ops {
namespace {

constexpr TypeSet kOrdered = kInts | kFloats | kBool;

// The dimension may be counted from the end.
size_t dimension_of(const OpView &op) {
  const int64_t dim = op.integer(slot::sort::dimension, -1);
  return static_cast<size_t>(dim < 0 ? dim + static_cast<int64_t>(op.operands[0]->rank()) : dim);
}

Result<std::vector<graph::TensorType>> infer_sort(const OpView &op) {
  const size_t n = op.operands.size();
  const graph::TensorType &first = *op.operands[0];
  if (dimension_of(op) >= first.rank())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("dimension is {}, but operand 0, {}, has {} dimensions",
                            op.integer(slot::sort::dimension, -1), graph::to_short_text(first),
                            first.rank()));
  const graph::Region &region = op.graph.region(op.regions[0]);
  if (region.args.size() != 2 * n || region.yields.size() != 1 ||
      !(op.graph.type(region.yields[0]) == graph::TensorType{DType::i1, {}}))
    return fail(Code::invalid_argument, "TW-248",
                fmt::format("its region must take two scalars of each of {} operands and give one i1", n));
  std::vector<graph::TensorType> results;
  for (size_t i = 0; i < n; ++i) {
    const graph::TensorType &array = *op.operands[i];
    if (array.dims != first.dims)
      return fail(Code::invalid_argument, "TW-245",
                  fmt::format("operand {} is {} but operand 0 is {}: shapes differ", i,
                              graph::to_short_text(array), graph::to_short_text(first)));
    for (graph::ValueId v : {region.args[2 * i], region.args[2 * i + 1]})
      if (!(op.graph.type(v) == graph::TensorType{array.dtype, {}}))
        return fail(Code::invalid_argument, "TW-248",
                    fmt::format("its region compares {} for operand {}, {}: expected scalars {}",
                                graph::to_short_text(op.graph.type(v)), i, graph::to_short_text(array),
                                graph::name(array.dtype)));
    results.push_back(array);
  }
  return results;
}

Rule sort_rule(const OpView &op) {
  RuleBuilder rule(op);
  const size_t along = dimension_of(op);
  for (size_t d = 0; d < op.operands[0]->rank(); ++d) {
    const int64_t size = op.operands[0]->dims[d];
    const FactorId f = d == along ? rule.whole(size) : rule.pass(size);
    for (size_t i = 0; i < op.operands.size(); ++i)
      rule.in(i, d, f).out(i, d, f);
  }
  return rule.build();
}

// Calls line(first) for every line along a dimension, with the position of its first element.
template <class Line> void each_line(std::span<const int64_t> extent, size_t along, Line &&line) {
  const std::vector<int64_t> steps = dense_strides(extent);
  std::vector<int64_t> others(extent.begin(), extent.end());
  others[along] = std::min<int64_t>(others[along], 1);
  for (Walk w(others); w.more(); w.next()) {
    int64_t first = 0;
    for (size_t d = 0; d < steps.size(); ++d)
      first += w[d] * steps[d];
    line(first);
  }
}

// Always stable, so the answer does not depend on the algorithm.
Status sort_kernel(const KernelArgs &args) {
  const size_t n = args.operands.size(), along = dimension_of(args.op);
  TW_ASSIGN(RegionFn less, RegionFn::make(args.op.graph, args.op.regions[0]));
  const auto extent = args.operands[0].extent;
  const int64_t length = extent[along], step = dense_strides(extent)[along], one = 1;
  std::vector<int64_t> order(static_cast<size_t>(length));
  std::vector<const void *> in(2 * n);
  uint8_t before = 0;
  void *out[] = {&before};
  each_line(extent, along, [&](int64_t first) {
    auto element = [&](size_t i, int64_t at) {
      return static_cast<const std::byte *>(args.operands[i].data) +
             (first + at * step) * static_cast<int64_t>(graph::byte_size(args.operands[i].dtype));
    };
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      for (size_t i = 0; i < n; ++i) {
        in[2 * i] = element(i, a);
        in[2 * i + 1] = element(i, b);
      }
      less.run(in, out, 1);
      return before != 0;
    });
    for (size_t i = 0; i < n; ++i) {
      const auto size = static_cast<int64_t>(graph::byte_size(args.results[i].dtype));
      for (int64_t at = 0; at < length; ++at)
        copy_strided(static_cast<std::byte *>(args.results[i].data) + (first + at * step) * size, {&one, 1},
                     element(i, order[static_cast<size_t>(at)]), {&one, 1}, {&one, 1},
                     static_cast<size_t>(size));
    }
  });
  return {};
}

Cost sort_cost(const OpView &op) {
  Cost cost;
  const auto length = static_cast<double>(op.operands[0]->dims.empty() ? 1 : op.operands[0]->dims.back());
  for (const graph::TensorType *t : op.operands)
    cost.bytes_read += static_cast<double>(t->bytes());
  for (const graph::TensorType *t : op.results)
    cost.bytes_written += static_cast<double>(t->bytes());
  cost.flops = static_cast<double>(op.operands[0]->elements()) * std::log2(std::max(2.0, length));
  return cost;
}

OpDef sort() {
  OpDef def{
      "stablehlo.sort",
      "Arrays put in order together along a dimension, by a region that says what comes first. Spec: sort.",
      1,
      -1,
      -1,
      {{"dimension", AttrKind::integer, false, "the dimension put in order; the last if absent",
        AttrDims::named},
       {"is_stable", AttrKind::boolean, false, "whether equal elements keep their order; ours always do"}},
      0,
      1};
  def.flags |= kBatches;
  def.kind = OpKind::sort;
  def.infer = infer_sort;
  def.rule = sort_rule;
  def.cost = sort_cost;
  def.reference = sort_kernel;
  return def;
}

Result<std::vector<graph::TensorType>> infer_top_k(const OpView &op) {
  const graph::TensorType &array = *op.operands[0];
  const int64_t k = op.integer(slot::top_k::k);
  if (!kOrdered.has(array.dtype) || array.rank() == 0 || k < 0 || k > array.dims.back())
    return fail(Code::invalid_argument, "TW-245",
                fmt::format("k is {} for operand 0, {}: expected 0 to the size of its last dimension, of "
                            "integers, floats or i1",
                            k, graph::to_short_text(array)));
  graph::Shape dims = array.dims;
  dims.back() = k;
  return std::vector<graph::TensorType>{{array.dtype, dims}, {DType::s32, dims}};
}

Rule top_k_rule(const OpView &op) {
  RuleBuilder rule(op);
  const size_t last = op.operands[0]->rank() - 1;
  for (size_t d = 0; d < last; ++d) {
    const FactorId f = rule.pass(op.operands[0]->dims[d]);
    rule.in(0, d, f).out(0, d, f).out(1, d, f);
  }
  rule.whole_in(0, last, op.operands[0]->dims[last]);
  rule.whole_out(0, last, op.results[0]->dims[last]).whole_out(1, last, op.results[0]->dims[last]);
  return rule.build();
}

// Greatest first, floats in total order; of equal elements the first.
Status top_k_kernel(const KernelArgs &args) {
  const Buffer &in = args.operands[0];
  const int64_t length = in.extent.back(), k = args.results[0].extent.back();
  std::vector<int32_t> order(static_cast<size_t>(length));
  visit_dtype(in.dtype, [&]<class E>(E) {
    if constexpr (kOrdered.has(E::dtype)) {
      const auto *x = static_cast<const typename E::Storage *>(in.data);
      auto *values = static_cast<typename E::Storage *>(args.results[0].data);
      auto *indices = static_cast<int32_t *>(args.results[1].data);
      each_line(in.extent, in.extent.size() - 1, [&](int64_t first) {
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](int32_t a, int32_t b) {
          const auto p = E::load(x[first + a]), q = E::load(x[first + b]);
          if constexpr (std::is_floating_point_v<typename E::Value>)
            return scalar::total_order(p) > scalar::total_order(q);
          else
            return p > q;
        });
        for (int64_t i = 0; i < k; ++i) {
          *values++ = x[first + order[static_cast<size_t>(i)]];
          *indices++ = order[static_cast<size_t>(i)];
        }
      });
    }
  });
  return {};
}

OpDef top_k() {
  OpDef def{"chlo.top_k",
            "The k greatest elements of the last dimension and their indices, greatest first. CHLO: top_k.",
            1,
            1,
            2,
            {{"k", AttrKind::integer, true, "how many"}}};
  def.flags |= kBatches;
  def.kind = OpKind::top_k;
  def.infer = infer_top_k;
  def.rule = top_k_rule;
  def.cost = sort_cost;
  def.reference = top_k_kernel;
  return def;
}

} // namespace

OpFamily family() {
  static const OpDef defs[] = {top_k(), sort()};
  return defs;
}

} // namespace tw::ops::sort_ops
