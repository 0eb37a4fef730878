// SPDX-License-Identifier: Apache-2.0
// Makes shapes and attributes of convolutions.
#include "conformance/random_conv.hpp"

#include <algorithm>
#include <numeric>

#include <doctest/doctest.h>

#include "ops/rule.hpp"

namespace tw::test {

using graph::DType;

namespace {

template <class T> const T &pick(Rng &rng, const std::vector<T> &from) {
  return from[static_cast<size_t>(uniform(rng, 0, static_cast<int64_t>(from.size()) - 1))];
}

std::vector<int64_t> shuffled(Rng &rng, size_t n) {
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), rng);
  return order;
}

} // namespace

KernelCase make_conv(Rng &rng, Conv c, DType operand, DType result, bool integers) {
  KernelCase call;
  call.op = "stablehlo.convolution";
  call.attrs.resize(11);
  const size_t rank = c.space.size() + 2;
  std::vector<int64_t> channels_last{0, static_cast<int64_t>(rank) - 1},
      kernel_last{static_cast<int64_t>(rank) - 2, static_cast<int64_t>(rank) - 1};
  std::vector<int64_t> strides, padding, base, dilations, reversed;
  graph::Shape lhs{c.batch * c.batch_groups, c.in * c.feature_groups},
      rhs{c.in, c.out * c.feature_groups * c.batch_groups}, out{c.batch, rhs[1]};
  for (size_t d = 0; d < c.space.size(); ++d) {
    const Spatial &s = c.space[d];
    channels_last.push_back(static_cast<int64_t>(d) + 1);
    kernel_last.push_back(static_cast<int64_t>(d));
    strides.push_back(s.stride);
    padding.insert(padding.end(), {s.low, s.high});
    base.push_back(s.base);
    dilations.push_back(s.dilation);
    reversed.push_back(s.reversed);
    lhs.push_back(s.size);
    rhs.push_back(s.taps);
    const int64_t padded = (s.size - 1) * s.base + 1 + s.low + s.high, span = (s.taps - 1) * s.dilation + 1;
    out.push_back(padded < span ? 0 : (padded - span) / s.stride + 1);
  }
  const auto placed = [&](const graph::Shape &dims, std::vector<int64_t> &order,
                          const std::vector<int64_t> &usual) {
    if (order.empty())
      order = usual;
    graph::Shape shape(dims.size());
    for (size_t i = 0; i < dims.size(); ++i)
      shape[static_cast<size_t>(order[i])] = dims[i];
    return shape;
  };
  call.operands = {whole(operand, placed(lhs, c.lhs, channels_last)),
                   whole(operand, placed(rhs, c.rhs, kernel_last))};
  call.results = {whole(result, placed(out, c.result, channels_last))};
  call.attrs = {c.lhs,     c.rhs,    c.result,         strides,        padding, base,
                dilations, reversed, c.feature_groups, c.batch_groups, {}};
  for (const auto &a : call.operands)
    call.data.push_back(random_data(rng, operand, a.type.elements(), integers));
  return call;
}

// Forward, or the gradients as they are written: dilated images, a kernel larger than the result.
Conv random_conv(Rng &rng) {
  Conv c{uniform(rng, 1, 4),
         pick(rng, std::vector<int64_t>{1, 2, 3, 8, 16, 20, 32}),
         pick(rng, std::vector<int64_t>{1, 2, 5, 8, 16, 24, 32}),
         {}};
  const int64_t direction = uniform(rng, 0, 2);
  for (int64_t d = uniform(rng, direction == 0 ? 0 : 1, 3); d > 0; --d) {
    Spatial s{uniform(rng, 1, 12), uniform(rng, 1, 4)};
    s.dilation = pick(rng, std::vector<int64_t>{1, 1, 1, 2});
    s.stride = direction == 1 ? 1 : uniform(rng, 1, 3);
    s.base = direction == 1 ? uniform(rng, 1, 3) : 1;
    if (direction == 2)
      s.taps = uniform(rng, 1, 10);
    s.low = uniform(rng, -1, 3);
    s.high = uniform(rng, -1, 3);
    s.reversed = uniform(rng, 0, 3) == 0;
    if (s.size + s.low <= 0 || s.size + s.high <= 0)
      s.low = s.high = 0;
    c.space.push_back(s);
  }
  if (uniform(rng, 0, 3) == 0)
    (uniform(rng, 0, 1) ? c.feature_groups : c.batch_groups) = uniform(rng, 2, 4);
  if (uniform(rng, 0, 1)) {
    c.lhs = shuffled(rng, c.space.size() + 2);
    c.rhs = shuffled(rng, c.space.size() + 2);
    c.result = shuffled(rng, c.space.size() + 2);
  }
  return c;
}

// The part of a convolution that makes [begin, end) of a dimension of the result.
KernelCase conv_tile(const KernelCase &call, size_t dim, int64_t begin, int64_t end) {
  static const graph::Graph empty;
  KernelCase part = call;
  const std::vector<const graph::TensorType *> operands{&call.operands[0].type, &call.operands[1].type},
      results{&call.results[0].type};
  const ops::Rule rule = ops::op_def(*ops::find_op(call.op)).rule({empty, call.attrs, operands, results, {}});
  std::vector<sharding::Interval> parts;
  for (const ops::Factor &f : rule.factors)
    parts.push_back({0, f.size});
  parts[rule.results[0][dim].back()] = {begin, end};
  part.results[0].box.offset[dim] = begin;
  part.results[0].box.extent[dim] = end - begin;
  for (size_t v = 0; v < 2; ++v) {
    for (size_t d = 0; d < rule.operands[v].size(); ++d) {
      const ops::Window *window = rule.window(v, d);
      sharding::Interval held{0, call.operands[v].type.dims[d]};
      if (window)
        held = rule.needed(*window, parts);
      else if (rule.operands[v][d].size() == 1)
        held = parts[rule.operands[v][d][0]];
      part.operands[v].box.offset[d] = held.begin;
      part.operands[v].box.extent[d] = held.size();
    }
    part.data[v] = cut(call.data[v], part.operands[v].type.dims, part.operands[v].box,
                       graph::byte_size(part.operands[v].type.dtype));
  }
  return part;
}

double conv_bound(DType result, int64_t k) {
  return result == DType::f64    ? 2.3e-16 * static_cast<double>(k + 4)
         : result == DType::f32  ? 1.2e-7 * static_cast<double>(k + 4)
         : result == DType::bf16 ? 8e-3
                                 : 1e-3;
}

} // namespace tw::test
