// SPDX-License-Identifier: Apache-2.0
// Convolutions the whole way from an op to cuDNN's graphs, against the reference kernel: on doubles of the
// library and of the driver, and where there is a GPU on it.
#include <string>

#include "conformance/random_conv.hpp"
#include "cuda/on_queue.hpp"

namespace tw::test_cuda_convolution_library {

using graph::DType;
using test::uniform;

TEST_CASE("convolutions through the plug-in are those of the reference") {
  if (!test::has_gpu())
    return;
  constexpr DType kTypes[] = {DType::f32, DType::f64, DType::f16, DType::bf16};
  test::Rng rng(261);
  int taken = 0;
  for (int round = 0; round < 150; ++round) {
    CAPTURE(round);
    test::Conv c = test::random_conv(rng);
    c.in = uniform(rng, 1, 3);
    c.out = uniform(rng, 1, 3);
    const DType type = kTypes[uniform(rng, 0, 3)];
    const test::KernelCase call = test::make_conv(rng, c, type, type, false);
    const auto kernel = call.bind_as(test::on_queue<device::cuda::convolution_entry>);
    if (kernel == nullptr)
      continue;
    ++taken;
    const std::string name = kernel->name();
    CHECK(name.starts_with("cudnn:"));
    // Of the double's engines 0 multiplies on tensor cores, 1 adds in any order, 2 wants too much memory.
    if (test::is_double())
      CHECK(name.ends_with(type == DType::f32 ? "engine 3" : "engine 0"));
    int64_t k = c.in;
    for (const test::Spatial &s : c.space)
      k *= s.taps;
    const auto got = call.run(*kernel, rng), want = call.run(*call.bind_reference(), rng);
    REQUIRE(test::relative_difference(type, got[0], want[0]) <= test::conv_bound(type, k));
  }
  CHECK(taken > 30);
}

} // namespace tw::test_cuda_convolution_library
