// SPDX-License-Identifier: Apache-2.0
// Cumulative sums, products, maxima and minima from either end have the bits of the windows that define them.
#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "ops/attributes.hpp"
#include "ops/builder.hpp"

namespace tw::test_cumulative {

using graph::DType;
using test::uniform;

TEST_CASE("cumulative reductions") {
  test::Rng rng(91);
  const char *const combiners[] = {"stablehlo.add", "stablehlo.maximum", "stablehlo.minimum",
                                   "stablehlo.multiply"};
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
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
    test::KernelCase c{"stablehlo.reduce_window",
                       attrs,
                       {test::whole(dtype, dims), test::whole(dtype, {})},
                       {test::whole(dtype, dims)},
                       {},
                       true,
                       b.finish(),
                       {region}};
    c.data = {test::random_data(rng, dtype, c.operands[0].type.elements(), false),
              uniform(rng, 0, 1) ? std::vector<std::byte>(graph::byte_size(dtype))
                                 : test::random_data(rng, dtype, 1, false)};
    for (size_t d = 0; d < rank; ++d)
      if (d != along && uniform(rng, 0, 1)) { // a tile of another dimension
        const int64_t begin = uniform(rng, 0, dims[d]), end = uniform(rng, begin, dims[d]);
        for (test::ArrayPart *a : {&c.operands[0], &c.results[0]}) {
          a->box.offset[d] = begin;
          a->box.extent[d] = end - begin;
        }
      }
    c.data[0] = test::cut(c.data[0], dims, c.operands[0].box, graph::byte_size(dtype));
    const auto kernel = c.bind();
    CHECK(std::string(kernel->name()) == "cpu:cumulative");
    const auto have = c.run(*kernel, rng), want = c.run(*c.bind_reference(), rng);
    REQUIRE(have == want);
    // A tile of the dimension itself, which other kernels make.
    const test::ArrayPart all = c.results[0];
    const int64_t begin = uniform(rng, 0, dims[along] - 1), end = uniform(rng, begin + 1, dims[along]);
    test::ArrayPart &part = c.results[0];
    part.box.offset[along] = begin;
    part.box.extent[along] = end - begin;
    sharding::Box local{std::vector<int64_t>(rank, 0), part.box.extent};
    local.offset[along] = begin;
    if (begin > 0 || end < dims[along])
      REQUIRE(c.run(*c.bind(), rng)[0] == test::cut(have[0], all.box.extent, local, graph::byte_size(dtype)));
  }
}

} // namespace tw::test_cumulative
