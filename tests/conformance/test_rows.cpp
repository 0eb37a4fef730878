// SPDX-License-Identifier: Apache-2.0
// Row gathers and scatters have the bytes of the reference on random indices, in and out of range, and on
// tiles of every dimension.
#include <algorithm>
#include <cstring>

#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "ops/attributes.hpp"
#include "ops/builder.hpp"

namespace tw::test_rows {

using graph::DType;
using test::uniform;

namespace {

using Ints = std::vector<int64_t>;

Ints range(int64_t begin, int64_t end) {
  Ints out;
  for (int64_t i = begin; i < end; ++i)
    out.push_back(i);
  return out;
}

// A random picture: `keys` leading dimensions of the array are indexed, the others make a row.
struct Picture {
  Ints array, indices, slices;
  int64_t keys = 1, batch = 0;
  bool has_vector_dim = true;
};

Picture random_picture(test::Rng &rng) {
  Picture p;
  p.keys = uniform(rng, 1, 2);
  p.batch = uniform(rng, 0, 2);
  p.has_vector_dim = p.keys > 1 || uniform(rng, 0, 1);
  for (int64_t i = 0; i < p.keys; ++i)
    p.array.push_back(uniform(rng, 1, 9));
  for (int64_t i = 0; i < p.batch; ++i)
    p.slices.push_back(uniform(rng, 0, 7));
  p.indices = p.slices;
  if (p.has_vector_dim)
    p.indices.push_back(p.keys);
  for (int64_t i = uniform(rng, 0, 2); i > 0; --i) {
    p.array.push_back(uniform(rng, 0, 12));
    p.slices.push_back(p.array.back());
  }
  return p;
}

std::vector<std::byte> random_indices(test::Rng &rng, const Picture &p) {
  int64_t n = 1;
  for (int64_t d : p.indices)
    n *= d;
  std::vector<std::byte> bytes(static_cast<size_t>(n) * 4);
  for (int64_t i = 0; i < n; ++i) {
    const auto value = static_cast<int32_t>(uniform(rng, -2, 11));
    std::memcpy(bytes.data() + i * 4, &value, 4);
  }
  return bytes;
}

// Gives dimension `d` of every array listed the same random range.
void tile(test::Rng &rng, std::vector<std::pair<test::ArrayPart *, size_t>> places) {
  if (uniform(rng, 0, 1))
    return;
  const int64_t n = places[0].first->type.dims[places[0].second], begin = uniform(rng, 0, n),
                end = uniform(rng, begin, n);
  for (auto [a, d] : places) {
    a->box.offset[d] = begin;
    a->box.extent[d] = end - begin;
  }
}

void check(test::Rng &rng, test::KernelCase &c) {
  for (size_t i = 0; i < c.operands.size(); ++i)
    c.data[i] = test::cut(c.data[i], c.operands[i].type.dims, c.operands[i].box,
                          graph::byte_size(c.operands[i].type.dtype));
  const auto kernel = c.bind();
  CHECK(std::string(kernel->name()) == "cpu:rows");
  REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
}

} // namespace

TEST_CASE("gathers of rows") {
  test::Rng rng(61);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const Picture p = random_picture(rng);
    Ints sizes = p.array;
    std::fill_n(sizes.begin(), p.keys, 1);
    graph::Attrs attrs(8);
    attrs[ops::slot::gather::offset_dims] = range(p.batch, static_cast<int64_t>(p.slices.size()));
    attrs[ops::slot::gather::collapsed_slice_dims] = range(0, p.keys);
    attrs[ops::slot::gather::start_index_map] = range(0, p.keys);
    attrs[ops::slot::gather::index_vector_dim] = p.batch;
    attrs[ops::slot::gather::slice_sizes] = sizes;
    test::KernelCase c{"stablehlo.gather",
                       attrs,
                       {test::whole(DType::f32, p.array), test::whole(DType::s32, p.indices)},
                       {test::whole(DType::f32, p.slices)},
                       {}};
    c.data = {test::random_data(rng, DType::f32, c.operands[0].type.elements(), false),
              random_indices(rng, p)};
    for (size_t d = 0; d < p.array.size(); ++d) {
      const size_t in_slices = static_cast<size_t>(p.batch) + d - static_cast<size_t>(p.keys);
      if (static_cast<int64_t>(d) < p.keys)
        tile(rng, {{&c.operands[0], d}});
      else
        tile(rng, {{&c.operands[0], d}, {&c.results[0], in_slices}});
    }
    for (size_t d = 0; d < static_cast<size_t>(p.batch); ++d)
      tile(rng, {{&c.operands[1], d}, {&c.results[0], d}});
    check(rng, c);
  }
}

TEST_CASE("scatters of rows") {
  test::Rng rng(62);
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    const Picture p = random_picture(rng);
    graph::GraphBuilder b("test", "");
    const std::vector<graph::TypeId> pair(2, b.type({DType::f32, {}}));
    const graph::RegionId region = b.open_region(pair);
    const auto args = b.graph().region(region).args;
    const auto id =
        ops::add(b, *ops::find_op(uniform(rng, 0, 1) ? "stablehlo.add" : "stablehlo.maximum"), args, {});
    REQUIRE(id.has_value());
    b.close_region({b.graph().result(*id)});
    graph::Attrs attrs(8);
    attrs[ops::slot::scatter::update_window_dims] = range(p.batch, static_cast<int64_t>(p.slices.size()));
    attrs[ops::slot::scatter::inserted_window_dims] = range(0, p.keys);
    attrs[ops::slot::scatter::scatter_dims_to_operand_dims] = range(0, p.keys);
    attrs[ops::slot::scatter::index_vector_dim] = p.batch;
    test::KernelCase c{"stablehlo.scatter",
                       attrs,
                       {test::whole(DType::f32, p.array), test::whole(DType::s32, p.indices),
                        test::whole(DType::f32, p.slices)},
                       {test::whole(DType::f32, p.array)},
                       {},
                       uniform(rng, 0, 2) != 0,
                       b.finish(),
                       {region}};
    c.data = {test::random_data(rng, DType::f32, c.operands[0].type.elements(), false),
              random_indices(rng, p),
              test::random_data(rng, DType::f32, c.operands[2].type.elements(), false)};
    for (size_t d = 0; d < p.array.size(); ++d) {
      const size_t in_slices = static_cast<size_t>(p.batch) + d - static_cast<size_t>(p.keys);
      if (static_cast<int64_t>(d) < p.keys)
        tile(rng, {{&c.operands[0], d}, {&c.results[0], d}});
      else
        tile(rng, {{&c.operands[0], d}, {&c.results[0], d}, {&c.operands[2], in_slices}});
    }
    for (size_t d = 0; d < static_cast<size_t>(p.batch); ++d)
      tile(rng, {{&c.operands[1], d}, {&c.operands[2], d}});
    check(rng, c);
  }
}

} // namespace tw::test_rows
