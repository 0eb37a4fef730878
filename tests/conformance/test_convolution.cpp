// SPDX-License-Identifier: Apache-2.0
// convolution kernels: against the reference in every direction and layout, and their promise that an
// element's bits do not depend on how images, features and space are tiled, halos included.
#include <string>
#include <utility>

#include <doctest/doctest.h>

#include "conformance/random_conv.hpp"

namespace tw::test_convolution {

using graph::DType;
using test::Rng;
using test::uniform;

TEST_CASE("convolutions of every direction agree with the reference") {
  Rng rng(31);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const test::Conv c = test::random_conv(rng);
    const std::pair<DType, DType> types[] = {{DType::f32, DType::f32},  {DType::f32, DType::f32},
                                             {DType::bf16, DType::f32}, {DType::bf16, DType::bf16},
                                             {DType::f64, DType::f64},  {DType::s32, DType::s32},
                                             {DType::f16, DType::f16},  {DType::s8, DType::s32}};
    const auto [operand, result] = types[uniform(rng, 0, 7)];
    const bool integers = uniform(rng, 0, 1);
    const test::KernelCase call = test::make_conv(rng, c, operand, result, integers);
    const auto want = call.run(*call.bind_reference(), rng);
    int64_t k = c.in;
    for (const test::Spatial &s : c.space)
      k *= s.taps;
    const auto kernel = call.bind();
    const std::string name = kernel->name();
    CAPTURE(name);
    REQUIRE(name.starts_with("cpu:convolution"));
    const auto got = call.run(*kernel, rng);
    if (integers && operand != DType::f16 && result != DType::bf16)
      REQUIRE(got == want);
    else
      REQUIRE(test::relative_difference(result, got[0], want[0]) <= test::conv_bound(result, k));
  }
}

TEST_CASE("tiles of a convolution have the bits of the whole") {
  Rng rng(32);
  int checked = 0;
  for (int round = 0; round < 200; ++round) {
    CAPTURE(round);
    test::Conv c = test::random_conv(rng);
    c.feature_groups = c.batch_groups = 1;
    for (test::Spatial &s : c.space)
      s.size += 6;
    const DType type = uniform(rng, 0, 2) ? DType::f32 : uniform(rng, 0, 1) ? DType::f64 : DType::bf16;
    const test::KernelCase call = test::make_conv(rng, c, type, type, false);
    const auto &result = call.results[0].type;
    const auto kernel = call.bind();
    REQUIRE(kernel->split_invariant());
    const auto all = call.run(*kernel, rng);
    for (size_t d = 0; d < result.rank(); ++d) {
      const int64_t parts = uniform(rng, 2, 4);
      for (int64_t p = 0; p < parts; ++p) {
        const auto part =
            test::conv_tile(call, d, result.dims[d] * p / parts, result.dims[d] * (p + 1) / parts);
        REQUIRE(part.run(*part.bind(), rng)[0] ==
                test::cut(all[0], result.dims, part.results[0].box, graph::byte_size(type)));
        ++checked;
      }
    }
  }
  MESSAGE(checked << " tiles compared");
}

} // namespace tw::test_convolution
