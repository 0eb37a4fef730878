// SPDX-License-Identifier: Apache-2.0
// Pooling and the gradient of max pooling: the fast kernels have the bits of the reference, on whole arrays
// and on tiles with halos.
#include <algorithm>
#include <string>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "ops/builder.hpp"
#include "ops/rule.hpp"

namespace tw::test_windows {

using graph::DType;
using test::Rng;
using test::uniform;

namespace {

template <class T> const T &pick(Rng &rng, const std::vector<T> &from) {
  return from[static_cast<size_t>(uniform(rng, 0, static_cast<int64_t>(from.size()) - 1))];
}

// A region of one op of two scalars.
graph::RegionId region_of(graph::GraphBuilder &b, const char *op, DType dtype, graph::Attrs attrs = {}) {
  const std::vector<graph::TypeId> pair(2, b.type({dtype, {}}));
  const graph::RegionId region = b.open_region(pair);
  const auto args = b.graph().region(region).args;
  const auto id = ops::add(b, *ops::find_op(op), args, std::move(attrs));
  REQUIRE(id.has_value());
  b.close_region({b.graph().result(*id)});
  return region;
}

struct Sizes {
  graph::Shape dims, places;
  std::vector<int64_t> window, strides, base, dilations, padding;
};

Sizes random_sizes(Rng &rng, bool dilates) {
  Sizes s;
  for (int64_t d = uniform(rng, 1, 4); d > 0; --d) {
    s.dims.push_back(uniform(rng, 0, 20) == 0 ? 0 : uniform(rng, 1, d == 1 ? 40 : 9));
    const bool slides = uniform(rng, 0, 2) != 0;
    s.window.push_back(slides ? uniform(rng, 1, 4) : 1);
    s.strides.push_back(slides ? uniform(rng, 1, 3) : 1);
    s.base.push_back(slides && dilates && uniform(rng, 0, 2) == 0 ? 2 : 1);
    s.dilations.push_back(slides && dilates && uniform(rng, 0, 2) == 0 ? 2 : 1);
    const int64_t low = slides ? uniform(rng, -1, 2) : 0, high = slides ? uniform(rng, -1, 2) : 0;
    s.padding.insert(s.padding.end(), {low, high});
    const int64_t n = s.dims.back(), padded = (n == 0 ? 0 : (n - 1) * s.base.back() + 1) + low + high,
                  span = (s.window.back() - 1) * s.dilations.back() + 1;
    s.places.push_back(padded < span ? 0 : (padded - span) / s.strides.back() + 1);
  }
  return s;
}

// The part of a call that makes [begin, end) of each dimension of its result, halos included.
void cut_to(test::KernelCase &c, const std::vector<sharding::Interval> &wanted) {
  std::vector<const graph::TensorType *> operands, results{&c.results[0].type};
  for (const test::ArrayPart &a : c.operands)
    operands.push_back(&a.type);
  const ops::Rule rule =
      ops::op_def(*ops::find_op(c.op)).rule({*c.graph, c.attrs, operands, results, c.regions});
  std::vector<sharding::Interval> parts;
  for (const ops::Factor &f : rule.factors)
    parts.push_back({0, f.size});
  for (size_t d = 0; d < wanted.size(); ++d) {
    parts[rule.results[0][d][0]] = wanted[d];
    c.results[0].box.offset[d] = wanted[d].begin;
    c.results[0].box.extent[d] = wanted[d].size();
  }
  for (size_t v = 0; v < c.operands.size(); ++v) {
    test::ArrayPart &a = c.operands[v];
    for (size_t d = 0; d < a.type.rank(); ++d) {
      const ops::Window *window = rule.window(v, d);
      const sharding::Interval held = window ? rule.needed(*window, parts) : parts[rule.operands[v][d][0]];
      a.box.offset[d] = held.begin;
      a.box.extent[d] = held.size();
    }
    c.data[v] = test::cut(c.data[v], a.type.dims, a.box, graph::byte_size(a.type.dtype));
  }
}

void check(test::KernelCase &c, const char *kernel_name, Rng &rng) {
  for (const test::ArrayPart &a : c.operands)
    c.data.push_back(test::random_data(rng, a.type.dtype, a.type.elements(), false));
  std::vector<sharding::Interval> wanted;
  for (const int64_t n : c.results[0].type.dims) {
    const bool all = uniform(rng, 0, 2) != 0;
    const int64_t begin = all ? 0 : uniform(rng, 0, n);
    wanted.push_back({begin, all ? n : uniform(rng, begin, n)});
  }
  cut_to(c, wanted);
  const auto kernel = c.bind();
  const std::string name = kernel->name();
  CAPTURE(name);
  CHECK((name == kernel_name || name == "cpu:cumulative"));
  REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
}

} // namespace

TEST_CASE("pooling has the bits of the reference") {
  Rng rng(41);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Sizes s = random_sizes(rng, true);
    const DType dtype = pick(rng, std::vector<DType>{DType::f32, DType::f32, DType::f64, DType::bf16,
                                                     DType::s32, DType::u8, DType::c64});
    const std::vector<const char *> ordered{"stablehlo.add", "stablehlo.maximum", "stablehlo.minimum"};
    const char *op = graph::is_complex(dtype) ? ordered[0] : pick(rng, ordered);
    graph::GraphBuilder b("test", "");
    const graph::RegionId region = region_of(b, op, dtype);
    test::KernelCase c{"stablehlo.reduce_window",
                       {s.window, s.strides, s.base, s.dilations, s.padding},
                       {test::whole(dtype, s.dims), test::whole(dtype, {})},
                       {test::whole(dtype, s.places)},
                       {},
                       true,
                       b.finish(),
                       {region}};
    check(c, "cpu:reduce_window", rng);
  }
}

TEST_CASE("the gradient of max pooling has the bits of the reference") {
  Rng rng(42);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const Sizes s = random_sizes(rng, false);
    const DType dtype =
        pick(rng, std::vector<DType>{DType::f32, DType::f32, DType::f64, DType::bf16, DType::s32, DType::u8});
    const std::string direction = pick(rng, std::vector<std::string>{"GE", "GT", "LE", "LT"});
    graph::GraphBuilder b("test", "");
    const graph::RegionId select = region_of(b, "stablehlo.compare", dtype, {direction, {}}),
                          scatter = region_of(b, "stablehlo.add", dtype);
    test::KernelCase c{"stablehlo.select_and_scatter",
                       {s.window, s.strides, s.padding},
                       {test::whole(dtype, s.dims), test::whole(dtype, s.places), test::whole(dtype, {})},
                       {test::whole(dtype, s.dims)},
                       {},
                       true,
                       b.finish(),
                       {select, scatter}};
    check(c, "cpu:select_and_scatter", rng);
  }
}

} // namespace tw::test_windows
