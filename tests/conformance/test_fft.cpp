// SPDX-License-Identifier: Apache-2.0
// Transforms in parts have the bytes of the reference.
#include <doctest/doctest.h>

#include "conformance/kernel_case.hpp"
#include "ops/builder.hpp"

namespace tw::test_fft {

using graph::DType;
using test::uniform;

TEST_CASE("transforms of batches") {
  test::Rng rng(81);
  for (int round = 0; round < 80; ++round) {
    CAPTURE(round);
    const bool wide = uniform(rng, 0, 1);
    const DType real = wide ? DType::f64 : DType::f32, complex = wide ? DType::c128 : DType::c64;
    const std::string kinds[] = {"FFT", "IFFT", "RFFT", "IRFFT"}, kind = kinds[uniform(rng, 0, 3)];
    std::vector<int64_t> lengths, in{uniform(rng, 0, 9)}, out;
    for (int64_t d = uniform(rng, 1, 3); d > 0; --d)
      lengths.push_back(uniform(rng, 0, 9) == 0 ? 1200 : uniform(rng, 1, 20));
    in.insert(in.end(), lengths.begin(), lengths.end());
    out = in;
    if (kind == "RFFT" || kind == "IRFFT")
      (kind == "RFFT" ? out : in).back() = lengths.back() / 2 + 1;
    test::KernelCase c{"stablehlo.fft",
                       {kind, lengths},
                       {test::whole(kind == "RFFT" ? real : complex, in)},
                       {test::whole(kind == "IRFFT" ? real : complex, out)},
                       {}};
    c.data = {test::random_data(rng, c.operands[0].type.dtype, c.operands[0].type.elements(), false)};
    const auto kernel = c.bind();
    CHECK(std::string(kernel->name()) == "cpu:fft");
    REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
  }
}

} // namespace tw::test_fft
