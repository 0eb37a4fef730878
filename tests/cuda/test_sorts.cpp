// SPDX-License-Identifier: Apache-2.0
// Sorts and scans the whole way from an op to libtilewright_cub.so, against the reference kernel: on doubles
// of that library and of the driver, and where there is a GPU on it.
#include <string>

#include "conformance/random_sort.hpp"
#include "cuda/on_queue.hpp"

namespace tw::test_cuda_sort_library {

TEST_CASE("sorts through the plug-in are those of the reference") {
  if (!test::has_gpu())
    return;
  test::Rng rng(271);
  int taken = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const test::KernelCase c = round % 3 == 0 ? test::make_top_k(rng) : test::make_sort(rng);
    const auto kernel = c.bind_as(test::on_queue<device::cuda::sort_entry>);
    if (kernel == nullptr)
      continue;
    ++taken;
    CHECK(std::string(kernel->name()) == "cub:sort");
    REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
  }
  CHECK(taken > 50);
}

TEST_CASE("scans through the plug-in are those of the reference") {
  if (!test::has_gpu())
    return;
  test::Rng rng(272);
  int taken = 0;
  for (int round = 0; round < 120; ++round) {
    CAPTURE(round);
    const test::KernelCase c = test::make_cumulative(rng).call;
    const auto kernel = c.bind_as(test::on_queue<device::cuda::scan_entry>);
    if (kernel == nullptr)
      continue;
    ++taken;
    CHECK(std::string(kernel->name()).starts_with("cub:scan"));
    REQUIRE(c.run(*kernel, rng) == c.run(*c.bind_reference(), rng));
  }
  CHECK(taken > 50);
}

} // namespace tw::test_cuda_sort_library
