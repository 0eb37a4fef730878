// SPDX-License-Identifier: Apache-2.0
// Cumulative sums, products, maxima and minima from either end have the bits of the windows that define them.
#include <string>

#include <doctest/doctest.h>

#include "conformance/random_sort.hpp"

namespace tw::test_cumulative {

using graph::DType;
using test::uniform;

TEST_CASE("cumulative reductions") {
  test::Rng rng(91);
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    auto [c, along] = test::make_cumulative(rng);
    const std::vector<int64_t> dims = c.operands[0].type.dims;
    const DType dtype = c.operands[0].type.dtype;
    const size_t rank = dims.size();
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
