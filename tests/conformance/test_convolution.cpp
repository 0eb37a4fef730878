// SPDX-License-Identifier: Apache-2.0
// convolution kernels: against the reference in every direction and layout, and their promise that an
// element's bits do not depend on how images, features and space are tiled, halos included.
#include <algorithm>
#include <numeric>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "ops/rule.hpp"

namespace tw::test_convolution {

using graph::DType;
using test::Rng;
using test::uniform;

namespace {

struct Spatial {
  int64_t size, taps, stride = 1, low = 0, high = 0, base = 1, dilation = 1, reversed = 0;
};

struct Conv {
  int64_t batch, in, out; // of one group
  std::vector<Spatial> space = {};
  int64_t feature_groups = 1, batch_groups = 1;
  std::vector<int64_t> lhs = {}, rhs = {}, result = {}; // dimension lists; empty: channels last
};

test::KernelCase make_case(Rng &rng, Conv c, DType operand, DType result, bool integers) {
  test::KernelCase call;
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
  call.operands = {test::whole(operand, placed(lhs, c.lhs, channels_last)),
                   test::whole(operand, placed(rhs, c.rhs, kernel_last))};
  call.results = {test::whole(result, placed(out, c.result, channels_last))};
  call.attrs = {c.lhs,     c.rhs,    c.result,         strides,        padding, base,
                dilations, reversed, c.feature_groups, c.batch_groups, {}};
  for (const auto &a : call.operands)
    call.data.push_back(test::random_data(rng, operand, a.type.elements(), integers));
  return call;
}

template <class T> const T &pick(Rng &rng, const std::vector<T> &from) {
  return from[static_cast<size_t>(uniform(rng, 0, static_cast<int64_t>(from.size()) - 1))];
}

std::vector<int64_t> shuffled(Rng &rng, size_t n) {
  std::vector<int64_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), rng);
  return order;
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
test::KernelCase tile(const test::KernelCase &call, size_t dim, int64_t begin, int64_t end) {
  static const graph::Graph empty;
  test::KernelCase part = call;
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
    part.data[v] = test::cut(call.data[v], part.operands[v].type.dims, part.operands[v].box,
                             graph::byte_size(part.operands[v].type.dtype));
  }
  return part;
}

double bound(DType result, int64_t k) {
  return result == DType::f64    ? 2.3e-16 * static_cast<double>(k + 4)
         : result == DType::f32  ? 1.2e-7 * static_cast<double>(k + 4)
         : result == DType::bf16 ? 8e-3
                                 : 1e-3;
}

} // namespace

TEST_CASE("convolutions of every direction agree with the reference") {
  Rng rng(31);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Conv c = random_conv(rng);
    const std::pair<DType, DType> types[] = {{DType::f32, DType::f32},  {DType::f32, DType::f32},
                                             {DType::bf16, DType::f32}, {DType::bf16, DType::bf16},
                                             {DType::f64, DType::f64},  {DType::s32, DType::s32},
                                             {DType::f16, DType::f16},  {DType::s8, DType::s32}};
    const auto [operand, result] = types[uniform(rng, 0, 7)];
    const bool integers = uniform(rng, 0, 1);
    const test::KernelCase call = make_case(rng, c, operand, result, integers);
    const auto want = call.run(*call.bind_reference(), rng);
    int64_t k = c.in;
    for (const Spatial &s : c.space)
      k *= s.taps;
    const auto kernel = call.bind();
    const std::string name = kernel->name();
    CAPTURE(name);
    REQUIRE(name.starts_with("cpu:convolution"));
    const auto got = call.run(*kernel, rng);
    if (integers && operand != DType::f16 && result != DType::bf16)
      REQUIRE(got == want);
    else
      REQUIRE(test::relative_difference(result, got[0], want[0]) <= bound(result, k));
  }
}

TEST_CASE("tiles of a convolution have the bits of the whole") {
  Rng rng(32);
  int checked = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    Conv c = random_conv(rng);
    c.feature_groups = c.batch_groups = 1;
    for (Spatial &s : c.space)
      s.size += 6;
    const DType type = uniform(rng, 0, 2) ? DType::f32 : uniform(rng, 0, 1) ? DType::f64 : DType::bf16;
    const test::KernelCase call = make_case(rng, c, type, type, false);
    const auto &result = call.results[0].type;
    const auto kernel = call.bind();
    REQUIRE(kernel->split_invariant());
    const auto all = call.run(*kernel, rng);
    for (size_t d = 0; d < result.rank(); ++d) {
      const int64_t parts = uniform(rng, 2, 4);
      for (int64_t p = 0; p < parts; ++p) {
        const auto part = tile(call, d, result.dims[d] * p / parts, result.dims[d] * (p + 1) / parts);
        REQUIRE(part.run(*part.bind(), rng)[0] ==
                test::cut(all[0], result.dims, part.results[0].box, graph::byte_size(type)));
        ++checked;
      }
    }
  }
  MESSAGE(checked << " tiles compared");
}

} // namespace tw::test_convolution
