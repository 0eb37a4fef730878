// SPDX-License-Identifier: Apache-2.0
// Makes comparators as texts have them, and windows that reach to one end of a dimension.
#include "conformance/random_sort.hpp"

#include <cstring>

#include <doctest/doctest.h>

#include "ops/attributes.hpp"
#include "ops/builder.hpp"
#include "ops/element.hpp"

namespace tw::test {

using graph::DType;
using graph::ValueId;

namespace {

constexpr DType kTypes[] = {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3fn,
                            DType::s64, DType::s32, DType::s16, DType::s8,   DType::s4,
                            DType::u64, DType::u32, DType::u8,  DType::i1};

// Few different values, so that many are equal; floats may be zeros of both signs, infinities and NaN of both
// signs.
std::vector<std::byte> keys(Rng &rng, DType dtype, int64_t n, bool special) {
  std::vector<std::byte> bytes = random_data(rng, dtype, n, uniform(rng, 0, 1) != 0);
  ops::visit_dtype(dtype, [&]<class E>(E) {
    using V = typename E::Value;
    if constexpr (std::is_floating_point_v<V>)
      for (int64_t i = 0; special && i < n; ++i)
        if (uniform(rng, 0, 3) == 0) {
          const V values[] = {V(0),
                              -V(0),
                              std::numeric_limits<V>::infinity(),
                              -std::numeric_limits<V>::infinity(),
                              std::numeric_limits<V>::quiet_NaN(),
                              -std::numeric_limits<V>::quiet_NaN()};
          const typename E::Storage s = E::store(values[uniform(rng, 0, 5)]);
          std::memcpy(bytes.data() + static_cast<size_t>(i) * sizeof s, &s, sizeof s);
        }
  });
  return bytes;
}

struct Comparator {
  std::string direction = "LT", type;
  bool swapped = false;   // compares the second with the first
  bool canonical = false; // makes zeros one and NaN one, as JAX does
};

ValueId add(graph::GraphBuilder &b, const char *op, std::vector<ValueId> in, graph::Attrs attrs = {}) {
  auto id = ops::add(b, *ops::find_op(op), in, std::move(attrs));
  REQUIRE(id.has_value());
  return b.graph().result(*id);
}

ValueId literal(graph::GraphBuilder &b, DType dtype, double value) {
  auto bytes = std::make_shared<const std::vector<std::byte>>(ops::element_bytes(dtype, value));
  return add(b, "stablehlo.constant", {}, {b.constant({b.type({dtype, {}}), true, bytes})});
}

ValueId canonical(graph::GraphBuilder &b, DType dtype, ValueId x) {
  const ValueId zero = literal(b, dtype, 0),
                nan = literal(b, dtype, std::numeric_limits<double>::quiet_NaN());
  const ValueId is_zero = add(b, "stablehlo.compare", {x, zero}, {std::string("EQ"), std::string("FLOAT")});
  const ValueId one_zero = add(b, "stablehlo.select", {is_zero, zero, x});
  const ValueId is_nan = add(b, "stablehlo.compare", {x, x}, {std::string("NE"), std::string("FLOAT")});
  return add(b, "stablehlo.select", {is_nan, nan, one_zero});
}

} // namespace

KernelCase make_sort(Rng &rng) {
  const DType dtype = kTypes[uniform(rng, 0, std::size(kTypes) - 1)];
  Comparator how{uniform(rng, 0, 1) ? "LT" : "GT", "", uniform(rng, 0, 1) != 0, false};
  const bool is_float = graph::is_float(dtype);
  const bool total = is_float && uniform(rng, 0, 1);
  how.type = total ? "TOTALORDER" : is_float ? "FLOAT" : "";
  how.canonical = is_float && total && uniform(rng, 0, 1) && dtype != DType::f8e4m3fn;
  std::vector<int64_t> dims;
  for (int64_t d = uniform(rng, 1, 3); d > 0; --d)
    dims.push_back(uniform(rng, 0, 5) == 0 ? uniform(rng, 50, 300) : uniform(rng, 0, 6));
  const int64_t n = uniform(rng, 1, 3), key = uniform(rng, 0, n - 1);

  graph::GraphBuilder b("test", "");
  std::vector<graph::TypeId> scalars;
  KernelCase c{"stablehlo.sort", {}, {}, {}, {}};
  for (int64_t v = 0; v < n; ++v) {
    const DType t = v == key ? dtype : kTypes[uniform(rng, 0, std::size(kTypes) - 1)];
    c.operands.push_back(whole(t, dims));
    c.data.push_back(keys(rng, t, c.operands.back().type.elements(), total));
    scalars.insert(scalars.end(), 2, b.type({t, {}}));
  }
  c.results = c.operands;
  const graph::RegionId region = b.open_region(scalars);
  const auto args = b.graph().region(region).args;
  ValueId x = args[static_cast<size_t>(2 * key)], y = args[static_cast<size_t>(2 * key + 1)];
  if (how.canonical)
    x = canonical(b, dtype, x), y = canonical(b, dtype, y);
  if (how.swapped)
    std::swap(x, y);
  const graph::AttrValue type = how.type.empty() ? graph::AttrValue() : graph::AttrValue(how.type);
  b.close_region({add(b, "stablehlo.compare", {x, y}, {how.direction, type})});
  c.graph = b.finish();
  c.regions = {region};
  c.attrs = {uniform(rng, 0, static_cast<int64_t>(dims.size()) - 1), {}};
  return c;
}

KernelCase make_top_k(Rng &rng) {
  const DType dtype = kTypes[uniform(rng, 0, std::size(kTypes) - 2)];
  std::vector<int64_t> dims{uniform(rng, 0, 5), uniform(rng, 0, 200)};
  const int64_t k = uniform(rng, 0, dims.back());
  KernelCase c{"chlo.top_k", {k}, {whole(dtype, dims)}, {}, {}};
  c.data = {keys(rng, dtype, c.operands[0].type.elements(), true)};
  dims.back() = k;
  c.results = {whole(dtype, dims), whole(DType::s32, dims)};
  return c;
}

Cumulative make_cumulative(Rng &rng) {
  const char *const combiners[] = {"stablehlo.add", "stablehlo.maximum", "stablehlo.minimum",
                                   "stablehlo.multiply"};
  const DType types[] = {DType::f64, DType::f32, DType::bf16, DType::s32, DType::u8, DType::i1};
  const DType dtype = types[uniform(rng, 0, 5)];
  std::vector<int64_t> dims;
  for (int64_t d = uniform(rng, 1, 3); d > 0; --d)
    dims.push_back(uniform(rng, 0, 12));
  const size_t rank = dims.size();
  auto along = static_cast<size_t>(uniform(rng, 0, static_cast<int64_t>(rank) - 1));
  dims[along] = uniform(rng, 2, 14);
  const bool backwards = uniform(rng, 0, 1);
  std::vector<int64_t> window(rank, 1), padding(2 * rank, 0);
  window[along] = dims[along];
  padding[2 * along + backwards] = dims[along] - 1;

  graph::GraphBuilder b("test", "");
  const std::vector<graph::TypeId> pair(2, b.type({dtype, {}}));
  const graph::RegionId region = b.open_region(pair);
  const auto args = b.graph().region(region).args;
  const auto id = ops::add(b, *ops::find_op(combiners[uniform(rng, 0, 3)]), args, {});
  REQUIRE(id.has_value());
  b.close_region({b.graph().result(*id)});
  graph::Attrs attrs(5);
  attrs[ops::slot::reduce_window::window_dimensions] = window;
  attrs[ops::slot::reduce_window::padding] = padding;
  KernelCase c{"stablehlo.reduce_window",
               attrs,
               {whole(dtype, dims), whole(dtype, {})},
               {whole(dtype, dims)},
               {},
               true,
               b.finish(),
               {region}};
  c.data = {random_data(rng, dtype, c.operands[0].type.elements(), false),
            uniform(rng, 0, 1) ? std::vector<std::byte>(graph::byte_size(dtype))
                               : random_data(rng, dtype, 1, false)};
  for (size_t d = 0; d < rank; ++d)
    if (d != along && uniform(rng, 0, 1)) { // a tile of another dimension
      const int64_t begin = uniform(rng, 0, dims[d]), end = uniform(rng, begin, dims[d]);
      for (ArrayPart *a : {&c.operands[0], &c.results[0]}) {
        a->box.offset[d] = begin;
        a->box.extent[d] = end - begin;
      }
    }
  c.data[0] = cut(c.data[0], dims, c.operands[0].box, graph::byte_size(dtype));
  return {std::move(c), along};
}

} // namespace tw::test
