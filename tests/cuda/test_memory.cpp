// SPDX-License-Identifier: Apache-2.0
// Memory of GPUs on the double of the driver: what is too large is refused before anything is made there, and
// an executable that cannot be made leaves nothing behind, whichever allocation fails.
#include <string>

#include "cuda/double.hpp"
#include "device/cuda/queue.hpp"
#include "device/kind.hpp"
#include "unit/runtime/products_in_line.hpp"

namespace tw::test_cuda_memory {

using namespace tw::test;

namespace {

runtime::Options on_gpu() {
  runtime::Options options;
  options.device = &device::cuda::kind();
  options.units = {0};
  options.workers = 1;
  return options;
}

// A step on two devices of GPU 0, or why there is none.
Status make(const runtime::Options &options, int64_t rows = 22) {
  partition::Plan plan(step_program(rows), mesh("data=2"));
  act(plan, "tile(arg=x, dim=0, axis=\"data\"); infer-propagate");
  auto made = runtime::Executable::create(*spmd::lower(plan, {}), options);
  if (!made)
    return fail(std::move(made.error()));
  return {};
}

} // namespace

TEST_CASE("a program that a GPU has no room for is refused before anything is made there") {
  const test::Double driver;
  REQUIRE(make(on_gpu())); // the context and what belongs to it
  const int64_t before = driver.alive();
  // 256 MiB are free; the queues take 64 of them.
  const Status refused = make(on_gpu(), 2'000'000);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().code() == Code::resource_exhausted);
  CHECK(refused.error().info().id == std::string("TW-623"));
  CHECK(refused.error().message().starts_with("no memory for the devices' "));
  // Tables of the kernels that were made for it take a little.
  CHECK(refused.error().message().find("GPU 0 has 26843") != std::string::npos);
  CHECK(refused.error().message().ends_with(" of 268435456 bytes free"));
  CHECK(driver.alive() == before);
}

TEST_CASE("the limit of the options counts what queues take") {
  const test::Double driver;
  REQUIRE(make(on_gpu()));
  const int64_t before = driver.alive();
  runtime::Options options = on_gpu();
  options.max_bytes = 2 * device::cuda::CudaQueue::kWorkspace;
  const Status refused = make(options);
  REQUIRE_FALSE(refused.has_value());
  CHECK(refused.error().info().id == std::string("TW-622"));
  CHECK(refused.error().message().find("more than the limit of 67108864") != std::string::npos);
  CHECK(driver.alive() == before);
  options.max_bytes += int64_t{1} << 20;
  CHECK(make(options));
}

TEST_CASE("whichever allocation fails, nothing is left behind") {
  const test::Double driver;
  REQUIRE(make(on_gpu()));
  const int64_t before = driver.alive();
  int failed = 0;
  for (int64_t n = 1;; ++n) {
    CAPTURE(n);
    REQUIRE(n < 1000);
    driver.fail_allocation(n);
    const Status status = make(on_gpu());
    driver.fail_allocation(0);
    CHECK(driver.alive() == before);
    if (status) // there are no more than that
      break;
    ++failed;
    CHECK(status.error().code() == Code::resource_exhausted);
    CHECK(status.error().info().id == std::string("TW-623"));
  }
  CHECK(failed >= 6); // a workspace and a mark a queue, an arena a device
  CHECK(make(on_gpu()));
}

} // namespace tw::test_cuda_memory
